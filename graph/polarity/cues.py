"""Ways of speaking that agree, deny, doubt or wish, as patterns."""

import re

_GREETING = r"\A\W*(?:(?:hi|hello)\b[^.!,]*[.!,]\s*)?"
_SUBJECT = r"(?:it|they|these|this|that|you|he|she|mine|ours|there|i|we)\s+(?:\w+ )?"
_VERB = r"(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|am)"

OPENS_YES = re.compile(
    rf"(?i){_GREETING}(?:oh |well,? )?(?:yes+|yeah|yep|yup|sure|absolutely|definitely|certainly"
    r"|of course|correct|indeed)\b"
)
OPENS_NO = re.compile(
    rf"(?i){_GREETING}(?:oh |well,? |sorry,? |unfortunately,? )?(?:no|nope|nah|not(?! only| sure)"
    r"|never|none|negative)\b"
)
AS_YES = re.compile(rf"(?i)\A\W*{_SUBJECT}(?:{_VERB}|comes?|came|works?|fits?)\b(?!\s*(?:not|n['’]t|never|only|just))")
"""An answer that goes on as a yes would: "it does", "they come with"."""
AS_NO = re.compile(
    rf"(?i)\A\W*(?:{_SUBJECT}(?:{_VERB}(?:n['’]?t| not| no)|cannot|won['’]?t|never)\b"
    r"|i (?:don['’]?t|do not) (?:think|believe)|(?:please )?do(?:n['’]?t| not)\b|unfortunately)"
)
TRUE = re.compile(r"(?i)\b(?:true|yes)\W*$")
FALSE = re.compile(r"(?i)\b(?:false|no|none|n/a)\W*$")
DENIES = re.compile(
    r"(?i)\b(?:not|no|never|cannot|without|none|neither|nor|nothing|hardly|barely|lacks?|lacking|isnt|doesnt|dont|cant|wont"
    r"|didnt|wasnt|arent|unfortunately|too (?!much fun)\w+)\b|n['’]t\b"
)
LEFT_OUT = re.compile(
    r"(?i)\b(?:sold separately|not incl\w*|n['’]t (?:included?|come)|(?:does|did|do) not (?:come|include)|without"
    r"|purchased? separately|not provided|separate purchase|need to (?:buy|purchase)|had to (?:buy|purchase))\b"
)
INCLUDED = re.compile(
    r"(?i)\b(?:comes? with|came with|includ\w+|features?|has|have|with|contains?|supplied|provided|set of)\b"
)
ONLY = re.compile(r"(?i)\b(?:only|just|exclusively|strictly|solely)\b")
WISHES = re.compile(
    r"(?i)\b(?:wish(?:ed)?|would (?:be|have been) (?:nice|better|great)|should have|if only|supposed to|claims?"
    r"|instead)\b"
)
UNSURE = re.compile(
    r"(?i)\b(?:not sure|unsure|(?:don['’]?t|do not|didn['’]?t) (?:know|remember|recall)|no idea|maybe|perhaps|possibly"
    r"|probably|might|may|i (?:think|believe|guess|assume|suppose)|should|seems?|haven['’]?t (?:tried|used|checked)"
    r"|never (?:tried|used|checked)|depends?)\b"
)
CONDITION = re.compile(r"(?i)\b(?:if|unless|depending|except|as long as)\b")
ASKS_NEED = re.compile(r"(?i)\b(?:needs?|needed|required?|requires|have to|has to|must|takes?|necessary)\b")
ASKS_INCLUDED = re.compile(r"(?i)\b(?:comes?|included?|includes|including|have|has|with|in it|in the box|there)\b")
ASKS_BAD = re.compile(
    r"(?i)\b(?:hard|difficult|tough|bad(?:ly)?|breaks?|tear|hurts?|fake|noisy|loud|wobbly|flimsy|smell\w*|leak\w*|cheap\w*"
    r"|too|small|dangerous|toxic|sharp|heavy|complicated|itchy|fade|shrink|rust|stain|slip\w*|messy|scratch)\b"
)
KIND_ASKED = re.compile(
    r"(?i)^\W*(?:so )?(?:is|are) (?:this|it|these|they|that) (?:really |also )?(?:an? |for an? |for )?"
    r"(?:real |actual )?(?P<kind>[\w-]{1,40})\s+(?P<thing>[\w-]{1,40})\s*\??$"
)
"""Asks of which kind a thing is."""
MODEL = re.compile(r"\b(?=[a-z-]{0,40}\d)(?=[\d-]{0,40}[a-z])[a-z0-9-]{4,60}\b")
