import pytest

from graph.catalog import LocalCatalog
from ingestion.evidence import Product


@pytest.fixture(scope="session")
def shop() -> LocalCatalog:
    names = {
        "Aurora X2": ("Aurora", ("Phones",)),
        "Aurora X2 Pro": ("Aurora", ("Phones",)),
        "Aurora X3": ("Aurora", ("Phones",)),
        "Nova Plus": ("Lumen", ("Phones",)),
        "Nova Mini": ("Lumen", ("Phones",)),
        "iPhone 13 Pro": ("Apple", ("Phones",)),
        "Apple iPhone Charger": ("Apple", ("Phone accessories",)),
        "Apple AirPods": ("Apple", ("Phone accessories",)),
        "Lumenbook 14 Inch Silver": ("Lumen", ("Laptops",)),
        "Kestrel 2": ("Fellmark", ("Camping", "Two-person tents")),
        "Kestrel 3": ("Fellmark", ("Camping", "Three-person tents")),
        "Kestrel 2 Footprint": ("Fellmark", ("Camping", "Tent accessories")),
        "Red Lipstick": ("Chic", ("Beauty",)),
        "Red Nail Polish": ("Couture", ("Beauty",)),
        "Essence Mascara Lash Princess": ("Essence", ("Beauty",)),
        "Crème Brûlée Torch": ("Flambé", ("Kitchen",)),
        "Water": (None, ("Groceries",)),
        "Water Filter": ("Clear", ("Kitchen",)),
        "Corin Desk Lamp": ("Corin", ("Furniture", "Lamps")),
        "Corin Floor Lamp": ("Corin", ("Furniture", "Lamps")),
    }
    return LocalCatalog(
        {
            name: Product(
                id=name,
                name=name,
                brand=brand,
                category=category,
                aliases=("Lash Queen",) if name.startswith("Essence") else (),
                attributes={"Colour": "Red", "Model number": "KS-220B"} if name == "Kestrel 2" else {"Colour": "Red"},
            )
            for name, (brand, category) in names.items()
        }
    )
