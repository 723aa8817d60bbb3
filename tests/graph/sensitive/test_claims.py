"""Which sentences and questions are sensitive, and of which class."""

import pytest

from graph.options import shipped_classes
from graph.sensitive.claims import asked_in, claims_in

CLASSES = shipped_classes()

SENSITIVE_SENTENCES = {
    "certification": [
        "The pump is FDA approved.",
        "The pump is approved by the FDA.",
        "It carries the CE mark.",
        "The case is IP67.",
        "The lamp has the rating IPX4.",
        "It meets MIL-STD-810H.",
        "The valve is NSF/ANSI 61 certified.",
        "The cotton is GOTS certified.",
        "The fabric is OEKO-TEX Standard 100.",
        "The thread follows EN 417.",
        "The cable is UL listed.",
        "The meat is halal.",
        "It is certified for use in hospitals.",
    ],
    "safety": [
        "It is safe for children.",
        "The paint is non-toxic.",
        "The bottle is BPA-free.",
        "The pan is free of PFAS.",
        "The fabric is flame retardant.",
        "It is fireproof.",
        "The lid is food safe.",
        "It is food-grade silicone.",
        "Not suitable for children under 3.",
        "Small parts are a choking hazard.",
        "The finish contains lead.",
        "The battery caught fire.",
        "The SAR is 0.98 W/kg.",
        "The case is explosion-proof.",
    ],
    "medical": [
        "The bar is gluten-free.",
        "The cream contains almonds.",
        "May contain traces of peanuts.",
        "It is hypoallergenic.",
        "It is clinically proven.",
        "It is dermatologically tested.",
        "It cured my eczema.",
        "Do not use it during pregnancy.",
        "The coating is antibacterial.",
        "It kills 99.9 % of bacteria.",
    ],
    "legal": [
        "The charger complies with the EU directive.",
        "The bike is street legal.",
        "The lock is TSA-approved.",
        "It is allowed in hand luggage.",
        "The site is GDPR compliant.",
        "The device conforms to all relevant standards.",
    ],
    "warranty": [
        "It has a 2-year warranty.",
        "The warranty lasts 5 years.",
        "It comes with a lifetime guarantee.",
        "The motor is covered by the warranty.",
        "Opening it voids the warranty.",
    ],
    "limit": [
        "The maximum load is 120 kg.",
        "It holds up to 300 lbs.",
        "It withstands 260 °C.",
        "The maximum pressure is 150 psi.",
        "It is rated for 240 V.",
        "The minimum age is 3 years.",
    ],
}
PLAIN_SENTENCES = [
    "It weighs 1.9 kg.",
    "It is waterproof.",
    "It is dishwasher safe.",
    "The basket is safe in the dishwasher.",
    "The jug holds 1.5 l.",
    "The battery lasts up to 10 hours.",
    "It has a safety lock.",
    "My dad approved of it.",
    "We tested it for a week and liked it.",
    "Name a safe place for the parcel.",
    "The tent has room for two people and a dog.",
    "It comes with nuts and bolts.",
    "The lead time is two weeks.",
    "It regulates the temperature well.",
    "The sole conforms to your foot.",
    "The organic shape fits the hand.",
    "It costs $249.",
    "It prints legal size paper.",
    "A great gift for ages 8 and up.",
    "Recommended for children 6 years of age and older.",
    "Recommended for players of 10 years and older.",
    "You can return it within 30 days.",
]
SENSITIVE_QUESTIONS = {
    "certification": ["Is it ATEX certified?", "what certifications does it have", "fda approved?", "Is it IP68?"],
    "safety": [
        "Is it safe?",
        "is it fire retardant",
        "Is it safe for toddlers?",
        "Can I put it on my 8 month old baby?",
        "does the coating have PFAS",
        "How much radiation does it give off?",
        "can I leave it unattended?",
        "Is it toxic to cats?",
        "is it reef safe?",
    ],
    "medical": [
        "Does it contain nuts?",
        "I have a nut allergy, can I use it?",
        "can I use it while pregnant?",
        "Is it ok with a pacemaker?",
        "Does it help with plantar fasciitis?",
        "Is it gluten free?",
    ],
    "legal": ["Does it comply with EU rules?", "Is it legal in Germany?", "Can I take it on a plane?"],
    "warranty": ["How long is the warranty?", "is it guaranteed against rust?"],
    "limit": [
        "What is the maximum load?",
        "how much weight can it carry?",
        "Does it work on 230 V?",
        "What is the age limit?",
        "Is it suitable for a nine year old?",
    ],
}
PLAIN_QUESTIONS = [
    "Is it waterproof?",
    "How heavy is it?",
    "Is it dishwasher safe?",
    "Is it safe to put in the microwave?",
    "Does it have a safety lock?",
    "Is a newborn's gift box included?",
    "What colours does it come in?",
    "Do you ship to Norway?",
    "How do I cancel my order?",
    "Is it vegan?",
    "What do people say about the battery?",
]
OPEN_CLASSES = {"warranty", "limit"}


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in SENSITIVE_SENTENCES.items() for text in texts]
)
def test_a_sentence_that_makes_a_sensitive_claim_is_recognised(kind: str, text: str) -> None:
    assert kind in {claim.kind for claim in claims_in(text, CLASSES)}


@pytest.mark.parametrize("text", PLAIN_SENTENCES)
def test_other_sentences_are_left_alone(text: str) -> None:
    assert claims_in(text, CLASSES) == []


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in SENSITIVE_QUESTIONS.items() for text in texts]
)
def test_a_question_for_a_sensitive_claim_is_recognised(kind: str, text: str) -> None:
    asked = asked_in(text, CLASSES)
    assert asked is not None
    assert kind in {claim.kind for claim in asked.claims}
    assert asked.strict or kind in OPEN_CLASSES


@pytest.mark.parametrize("text", PLAIN_QUESTIONS)
def test_other_questions_are_left_alone(text: str) -> None:
    assert asked_in(text, CLASSES) is None


def test_each_class_tells_how_severe_it_is() -> None:
    [claim, *_] = claims_in("It has a 2-year warranty.", CLASSES)
    assert claim.title == "warranty (medium)"
    assert {rules.severity for kind, rules in CLASSES.items() if kind not in OPEN_CLASSES} == {"high"}
