import importlib.util

import pytest

from pldverify.accountants import registry
from pldverify.errors import InvalidInput, MissingLibrary


def test_a_library_name_gives_its_headline_accountant() -> None:
    assert registry.accountant("dp-accounting").name == "dp-accounting/pld"
    assert registry.accountant("prv-accountant").name == "prv-accountant/upper"


def test_a_library_name_gives_all_its_accountants_headline_first() -> None:
    assert [a.name for a in registry.accountants("dp-accounting")][:3] == [
        "dp-accounting/pld",
        "dp-accounting/pld-optimistic",
        "dp-accounting/rdp",
    ]
    assert len(registry.accountants("dp-accounting")) == 14
    assert [a.name for a in registry.accountants("prv-accountant")] == [
        "prv-accountant/upper",
        "prv-accountant/estimate",
        "prv-accountant/lower",
    ]


@pytest.mark.parametrize("name", registry.names())
def test_every_name_gives_the_accountant_of_that_name(name: str) -> None:
    assert registry.accountant(name).name == name
    assert [a.name for a in registry.accountants(name)] == [name]
    assert registry.accountant(name).library in (name.split("/")[0], "pldverify")


@pytest.mark.parametrize("name", ["", "dp", "/pld", "dp-accounting/", "dp-accounting/pdl", "DP-ACCOUNTING"])
@pytest.mark.parametrize("look_up", [registry.accountant, registry.accountants])
def test_an_unknown_name_is_named_with_what_is_allowed(name: str, look_up) -> None:
    with pytest.raises(InvalidInput) as caught:
        look_up(name)
    assert f"got accountant={name!r}" in str(caught.value)
    assert "dp-accounting/pld-optimistic" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "pldverify.accountants.adapters.adapter.find_spec",
        lambda name: None if name == "prv_accountant" else found(name),
    )
    with pytest.raises(MissingLibrary) as caught:
        registry.accountant("prv-accountant")
    assert "prv-accountant/upper" in str(caught.value)
    assert 'pip install "pldverify[accountants]"' in str(caught.value)
    assert registry.accountant("dp-accounting").name == "dp-accounting/pld"
