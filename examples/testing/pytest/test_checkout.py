import pytest
from conftest import call


def read_variants(flags):
    """Returns the variants of all flags that are on, by name."""
    toggles = call("GET", f"{flags.url}/api/frontend", token=flags.frontend_token)["toggles"]
    return {toggle["name"]: toggle["variant"]["name"] for toggle in toggles}


def test_starts_without_overrides(flags):
    assert read_variants(flags) == {}


@pytest.mark.flags({"new-checkout": True})
def test_changes_flags(flags):
    assert read_variants(flags) == {"new-checkout": "disabled"}
    flags.set({"new-checkout": None, "button-color": {"variant": "red"}})
    assert read_variants(flags) == {"button-color": "red"}
