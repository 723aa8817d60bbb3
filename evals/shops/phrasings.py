"""How a shop's customers word what the shop's own data answer."""

ATTRIBUTE = (
    "What is the {attribute} of the {product}?",
    "{product} {attribute}",
    "{attribute} of the {product} please",
    "can you tell me about the {attribute} of the {product}",
    "What does the {product} have for {attribute}?",
    "I'm looking at the {product}. What {attribute} does it have?",
    "do you know the {attribute} on the {product}?",
)
SPOKEN = {
    "Weight": (
        "How heavy is the {product}?",
        "what does the {product} weigh",
        "is the {product} light to carry? how many kg",
    ),
    "Price": ("How much is the {product}?", "what does the {product} cost", "price of {product}?"),
    "Dimensions": ("How big is the {product}?", "what are the measurements of the {product}", "{product} size in cm"),
    "Vegan": ("Is the {product} vegan?", "is the {product} free of anything from animals"),
    "Battery capacity": ("How many mAh does the {product} have?", "how big is the battery of the {product}"),
    "Battery life": ("How long does the {product} last on one charge?", "how many hours does the {product} run"),
    "Display": ("What screen does the {product} have?", "how large is the screen of the {product}"),
    "Storage": ("How much can I store on the {product}?", "how many GB of space does the {product} come with"),
    "Memory": ("How much RAM does the {product} have?", "{product} ram"),
    "Processor": ("Which chip is in the {product}?", "what cpu does the {product} use"),
    "Country of manufacture": ("Where is the {product} made?", "which country does the {product} come from"),
    "Resolution": ("How many pixels does the {product} have?", "how sharp is the screen of the {product}"),
    "Operating system": ("Which OS is on the {product}?", "what system does the {product} run"),
    "Charging power": ("How fast does the {product} charge?", "how many watts can the {product} charge with"),
    "Charger included": ("Do I get a charger with the {product}?", "is there a charger in the box of the {product}?"),
    "Bluetooth": ("Which Bluetooth version is in the {product}?",),
    "Waterproof": ("Is the {product} waterproof?", "can I wear the {product} in the rain"),
    "Water resistance": ("Can the {product} get wet?", "is the {product} ok in water?"),
    "Packed size": ("How small does the {product} pack?", "how big is the {product} in its bag"),
    "Cord length": ("How long is the cable of the {product}?", "how far does the {product}'s cord reach"),
    "Insulation": ("What is the {product} filled with?",),
    "Volume": ("How many ml are in the {product}?", "how much do I get of the {product}"),
    "Skin type": ("What skin is the {product} for?", "who is the {product} made for"),
    "Fragrance-free": ("Is the {product} free of perfume?", "is there no perfume in the {product}, right?"),
    "Period after opening": ("How long does the {product} keep once opened?",),
    "Power": ("How many watts does the {product} draw?", "how powerful is the {product}"),
    "Machine washable": ("Can I put the {product} in the washing machine?", "is it ok to machine wash the {product}"),
    "Capacity": ("How much fits in the {product}?", "how many people fit in the {product}"),
    "Noise level": ("How loud is the {product}?", "is the {product} quiet? how many dB"),
    "Software updates": ("How long will the {product} get updates?",),
    "Headphone jack": ("Can I plug headphones into the {product}?",),
    "Connector": ("Which port does the {product} charge with?",),
    "Hydrostatic head": ("How much water does the {product} stand?",),
    "Wireless charging": ("Can the {product} charge without a cable?",),
    "Comfort temperature": ("How cold can it get in the {product}?", "down to what temperature is the {product} good"),
    "Dishwasher safe": ("Can the {product} go in the dishwasher?",),
}
"""An attribute asked for without its name, by that name."""
YES_NO = (
    "Is the {attribute} of the {product} {value}?",
    "{product} {attribute}: {value}, right?",
    "Does the {product} have {value} as its {attribute}?",
    "is it true that the {product} has a {attribute} of {value}?",
)
RULES = {
    "warranty": (
        "How long is the {product} under warranty?",
        "{product} warranty",
        "what does the {product}'s warranty cover?",
    ),
    "return_policy": (
        "Can I send the {product} back?",
        "return rules for the {product}",
        "how long can I return a {product}?",
    ),
    "stock": ("Do you have the {product} in stock?", "{product} availability", "is the {product} sold out?"),
    "delivery": (
        "When do I get the {product} if I order today?",
        "{product} shipping",
        "How is the {product} delivered?",
    ),
    "offer": ("Is the {product} on sale?", "any offers for the {product}?", "{product} discount"),
    "size_chart": ("What size {product} do I need?", "{product} size chart", "how does the {product} fit?"),
    "exchange": (
        "Can I exchange the {product}?",
        "exchange rules for the {product}",
        "swap my {product} for another size or colour",
    ),
    "authenticity": ("Is the {product} an original?", "how do I know that the {product} is genuine?"),
    "payment": ("How can I pay for the {product}?", "can I pay for the {product} in instalments?"),
    "checkout": ("Is there a limit on ordering the {product}?", "anything to know when I order the {product}?"),
}
"""By the kind of evidence that answers."""
MATTERS = (
    "What should I know about {title}?",
    "{title}",
    "Please explain: {title}",
    "tell me about {title}",
)
"""About a rule of the whole shop, by its title."""
ARTICLES = (
    "How does this work: {title}?",
    "{title}",
    "help, {title}",
    "Where can I read about this: {title}?",
    "{title} - how do I do that?",
)
"""About a help article, by its title."""
OPINIONS = (
    "what do customers say about the {product}",
    "pros and cons of the {product}?",
    "how do people rate the {product}",
    "what are the reviews of the {product} like?",
    "any complaints about the {product}?",
    "do people like the {product}",
)
"""Customers' opinions of a product as a whole."""
VARIANTS = (
    "is the {product} in {variant} in stock",
    "what does the {product} cost in {variant}?",
    "do you have the {product} in {variant}?",
    "price of the {product}, {variant}",
)
"""A form in which a product is sold, by all or some of what tells it from the others."""
CHOICES = (
    "which {option} does the {product} come in?",
    "what {option} is there for the {product}",
    "{product}: which {option} can I choose from",
)
"""What forms of a product there are."""
PROCEDURES = ("how do I do this: {title}?", "{title}: how does one do it", "steps please: {title}")
"""About an article that has steps, by its title."""
WHOLE_SHOP = {
    "delivery": ("how long does delivery take?", "what does shipping cost me", "when will my order arrive"),
    "return_policy": ("how long do I have to return something?", "what does a return cost me?", "can I send it back"),
    "offer": ("are there any offers for me?", "do I get a discount"),
    "payment": ("how can I pay?", "which ways to pay are there for me"),
    "exchange": ("can I swap what I bought?", "how long can I exchange something"),
    "warranty": ("how long is the warranty?", "is there a warranty"),
    "checkout": ("anything I need to know when I order?", "is there a limit on an order"),
}
"""A rule that may depend on the customer's place or membership, by the kind of evidence that answers."""
