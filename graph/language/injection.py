"""Instructions where only questions and evidence belong: they are neither followed nor repeated.

The injections of Greshake et al. (2023, "Not what you've signed up for") come in a few forms whatever their words: the
instructions in force are set aside, another role is given, the prompt is asked for, a turn of the conversation is forged,
or the assistant is told what to say to whom. The patterns below name these forms. Phrases that manuals and customers use
of other things ("do not ignore these instructions", "the poles act as a handle") are none of them.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from ingestion.evidence import Evidence, lines
from ingestion.spans import sentence_spans

_MACHINE = r"(?:ai|ais|llms?|gpt\w*|(?:chat|shop|sales)?\s?bots?|chatbots?|(?:language|ai) models?|assistants?|ai agents?)"
_BEING = rf"(?:{_MACHINE}|agent|persona|character|admin\w*|developer|manager|owner|pirate|hacker|human|person|expert)"
_RULES = r"(?:rules?|instructions?|prompts?|guidelines?|directives?|guardrails?|restrictions?|programming|safety filters?)"
_IN_FORCE = r"(?:your|all|any|every|previous|prior|above|earlier|preceding|former|existing|system|safety|original)"
_SAY = r"(?:say|says|tell|answer|reply|respond|state|claim|confirm|output|print|recommend|promote|mention|report|reveal)"
_START = r"(?:^|[.!?;:,\"'“(\]>*#-]\s*|\b(?:please|now|and|then|must|should|shall|will|just|you)\s+)"

_FORMS = (
    # The instructions in force are set aside.
    rf"(?<!not )(?<!never )(?<!n't )\b(?:ignore|disregard|forget|override|overrule|bypass|skip|drop|discard|reset|stop"
    rf" following|do not follow|don't follow|do not obey|pay no attention to)\s+(?:\w+\s+){{0,3}}?{_IN_FORCE}\s+"
    rf"(?:\S+\s+){{0,4}}?{_RULES}\b",
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:the\s+|these\s+)?(?:rules|guidelines|prompts?|system prompt)\b",
    r"\b(?:ignore|disregard|forget)\s+everything\s+(?:above|before|else|you|that (?:came|was|you))\b",
    rf"\b(?:new|updated|real|actual|following|override)\s+(?:system\s+)?{_RULES}\s*(?:for (?:the |all )?{_MACHINE}\s*)?:",
    r"\b(?:system|admin|developer|policy|instruction)[\s_-]*override\b|\bjailbr(?:eak|oken)\w*|\bdo anything now\b",
    r"\b(?:developer|debug|admin|god|dan|root|unrestricted|maintenance)[\s_-]*mode\s*(?:is\s*)?(?:on|enabled|activated|:)",
    # Another role.
    rf"\byou(?: are|'re) (?:now )?(?:an? |the |my )?(?:\S+ ){{0,4}}?{_BEING}\b",
    r"\byou(?: are|'re) no longer (?:an?|bound|restricted|limited|subject|the)\b",
    rf"{_START}pretend (?:to be|that|you)\b|\brole-?\s?play as\b|\bfrom now on,? (?:you|act|answer|respond|reply|say)\b",
    rf"\bact as (?:if you|though you|(?:an?|the|my) (?:\S+ ){{0,3}}?{_BEING})\b",
    # The prompt is asked for.
    r"\b(?:system|developer) prompts?\b|\b(?:your|the) (?:hidden|secret|initial|original|full) (?:prompt|instructions)\b",
    r"\b(?:reveal|print|output|repeat|display|leak|dump|show me|tell me|what (?:is|are|were)) (?:\w+ )?your"
    r" (?:\w+ ){0,2}(?:prompt|instructions|rules|guidelines|configuration)\b(?! (?:for|on|about) )",
    # A forged turn, or a call of a tool.
    r"<\|[^|<>]{1,40}\|>|\[/?INST\]|<</?SYS>>|</s>|</?(?:system|assistant|instructions?|tool_?calls?|function_?calls?)\b[^>]*>",
    r"[\"']role[\"']\s*:\s*[\"'](?:system|assistant|tool)|[\"'](?:tool_calls?|function_call|arguments)[\"']\s*:",
    r"(?:^|[#*>\]\n]\s*)(?:system|assistant|ai|chatbot|developer)(?: (?:message|note|notice|prompt))?\s*:\s+"
    r"(?=.*\b(?:you|your|sure|ok|okay|yes|user|customers?|ignore|always|must|answer)\b)",
    # The assistant is told what to say.
    rf"\b{_MACHINE}\b[^.!?]{{0,80}}\b(?:must|should|shall|has to|have to|need to|are to|is to|always|never|please)\b"
    rf"[^.!?]{{0,40}}?\b{_SAY}\b",
    rf"\b(?:note|message|instructions?|attention|notice|memo|command|hello|hey|dear)[:,]? (?:to |for )?"
    rf"(?:all |any |the |every |our )*(?:\w+ )?{_MACHINE}\b",
    r"\b(?:always|only|please|must|just) (?:say|answer|reply|respond|state|claim)\s+(?:that|with|to (?:every|all|any)|in|[\"'“])",
    r"\b(?:when|if|whenever)\b[^.!?]{0,60}\bask(?:s|ed)?\b[^.!?]{0,60}\b(?:say|claim|state|answer|respond|reply)\s+"
    r"(?:that|it|yes|no|only|[\"'“])",
    r"\b(?:your|the) (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|output) (?:must|should|shall|has to) (?:\w+ )?"
    r"(?:be|say|include|contain|start|begin|end|state|mention|cite|read)\b",
    r"\b(?:respond|reply|answer|output)\s+(?:only|exclusively|exactly)\b|\brepeat (?:after me|the following|exactly|verbatim)\b",
    rf"\b(?:do not|don't|never|stop)\s+(?:cite|citing|mention|use|show)\s+(?:\w+\s+)?(?:sources?|citations?|evidence|{_RULES})\b",
    r"\b(?:cite|mark|quote)\s+(?:this|it)\s+as\b",
    # The first form in other languages: a verb that dismisses, and instructions.
    r"\b(?:ignor(?:ez|ons|a|ad|en|ar|ier\w*|iert)|oubli\w+|olvid\w+|vergi(?:ss|ß)\w*|vergesst|dimentic\w+|esque[cç]\w+|"
    r"missacht\w+|négliger?|negeer|zignoruj|игнорир\w+|забуд\w+)\b.{0,40}\b(?:instru[czkç]\w+|istruzion\w+|anweisung\w*|"
    r"regeln?|r[eè]gles?|reglas?|regras?|regole|consignes?|instrukc\w+|инструкц\w+|правил\w*)",
    r"\bignore\s+(?:toutes|todas|tutte|les|las|le|as|alle)\s",
    r"(?:忽略|无视|無視|忘记|忘掉|無効).{0,20}(?:指令|指示|规则|提示|説明)|(?:指示|命令).{0,10}(?:無視|忽略)",
    r"(?:تجاهل|انس).{0,40}(?:تعليمات|قواعد)|(?:अनदेखा|भूल).{0,40}निर्देश|निर्देश\w*.{0,40}(?:अनदेखा|भूल)|무시.{0,20}지시|지시.{0,20}무시",
)
INSTRUCTION = re.compile("|".join(f"(?:{form})" for form in _FORMS), re.IGNORECASE | re.MULTILINE)

_LOOKALIKES = str.maketrans("аеорсухіїјѕԁһԛԝοανι", "aeopcyxiijsdhqwoavi")
"""Letters of other scripts that look like Latin ones."""
_LATIN = re.compile(r"[a-z]", re.IGNORECASE)
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")


def instructs(text: str) -> bool:
    """Whether a text tells the assistant how to behave."""
    return INSTRUCTION.search(_plain(text)) is not None


def without_instructions(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Evidence as it may be answered from: blanks stand where it tells the assistant how to behave.

    Every other character keeps its place, so that a citation's offsets are those of the whole text. What follows an
    instruction in its paragraph is what it wants said, and goes with it; evidence of which nothing else is left goes, too.
    """
    return [kept for item in evidence if (kept := _blanked(item)) is not None]


def _blanked(item: Evidence) -> Evidence | None:
    named = {name: None for name in ("section",) if (said := getattr(item, name)) and instructs(said)}
    if not instructs(item.text):
        return replace(item, **named) if named else item
    text = item.text
    for start, end in lines(item.text):
        begin = _first_instruction(item.text, start, end)
        if begin is not None:
            text = text[:begin] + " " * (end - begin) + text[end:]
    return replace(item, text=text, **named) if text.strip() else None


def _first_instruction(text: str, start: int, end: int) -> int | None:
    """Where the first sentence of a line begins that instructs; the line's start where only the whole line does."""
    line = text[start:end]
    if not instructs(line):
        return None
    found = (start + begin for begin, stop in sentence_spans(line) if instructs(line[begin:stop]))
    return next(found, start)


def _plain(text: str) -> str:
    """A text as a reader sees it: no hidden characters, compatibility forms and look-alike letters made plain."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).replace("’", "'")
    words = re.split(r"(\s+)", plain)
    return "".join(word.translate(_LOOKALIKES) if _LATIN.search(word) else word for word in words)
