import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from pldverify.accountants import registry
from pldverify.errors import InvalidInput, MissingLibrary
from pldverify.mechanisms import Gaussian, Query
from pldverify.rulings.check import check
from pldverify.sweeps.sweep import sweep
from tests.unit.accountants.installed import installed


def test_a_library_name_gives_its_headline_accountant() -> None:
    assert registry.accountant("dp-accounting").name == "dp-accounting/pld"
    assert registry.accountant("prv-accountant").name == "prv-accountant/upper"


def test_a_library_name_gives_all_its_accountants_headline_first() -> None:
    assert [a.name for a in registry.variants("dp-accounting")][:3] == [
        "dp-accounting/pld",
        "dp-accounting/pld-optimistic",
        "dp-accounting/rdp",
    ]
    assert len(registry.variants("dp-accounting")) == 21
    assert [a.name for a in registry.variants("riskcal")] == ["riskcal", "riskcal/trade-off"]
    assert [a.name for a in registry.variants("prv-accountant")][:3] == [
        "prv-accountant/upper",
        "prv-accountant/estimate",
        "prv-accountant/lower",
    ]


def test_a_library_is_its_public_accountants_where_no_more_is_asked_for() -> None:
    assert [a.name for a in registry.variants("dp-accounting", every=False)] == [
        "dp-accounting/pld",
        "dp-accounting/rdp",
    ]
    (nested,) = registry.variants("dp-accounting/rdp-nested", every=False)
    assert nested.name == "dp-accounting/rdp-nested"
    assert set(registry.accountant_names()) >= registry._ON_DEMAND


def test_every_accountant_has_a_sentence() -> None:
    for library in dict.fromkeys(name.partition("/")[0] for name in registry.accountant_names()):
        for name, sentence, is_asked in registry.described(library):
            assert sentence.endswith(".") and "`" not in sentence, name
            assert is_asked == (name not in registry._ON_DEMAND)


@pytest.mark.sample(21)
@pytest.mark.parametrize("name", installed())
def test_every_name_gives_the_accountant_of_that_name(name: str) -> None:
    assert registry.accountant(name).name == name
    assert [a.name for a in registry.variants(name)][: 1 if "/" not in name else None] == [name]
    assert registry.accountant(name).library in (name.split("/")[0], "pldverify")


@pytest.mark.parametrize("name", ["", "dp", "/pld", "dp-accounting/", "dp-accounting/pdl", "DP-ACCOUNTING"])
@pytest.mark.parametrize("look_up", [registry.accountant, registry.variants])
def test_an_unknown_name_is_named_with_what_is_allowed(name: str, look_up) -> None:
    with pytest.raises(InvalidInput) as caught:
        look_up(name)
    assert f"got accountant={name!r}" in str(caught.value)
    assert "one of dp-accounting, prv-accountant" in str(caught.value)
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


# --- accountants of other packages ---


DISTRIBUTION = """Metadata-Version: 2.1
Name: {name}
Version: 3.2
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Put a package with entry points where packages are found."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def installed(name: str, points: str) -> None:
        info = tmp_path / f"{name}-3.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(DISTRIBUTION.format(name=name))
        (info / "entry_points.txt").write_text(f"[pldverify.accountants]\n{points}\n")
        importlib.invalidate_caches()

    return installed


FIVES = "tests.unit.accountants.test_accountant"


def test_an_entry_point_is_an_accountant_with_all_that_ours_have(install) -> None:
    install("fives", f"fives/five = {FIVES}:Five\nfives/decorated = {FIVES}:decorated")
    assert registry.accountant_names()[-2:] == ["fives/decorated", "fives/five"]
    assert registry.accountant("fives/five").name == "Five"
    assert [each.name for each in registry.variants("fives")] == ["mine/decorated", "Five"]
    query = Query(Gaussian(1), delta="1e-5")
    assert check("fives/five", query).verdict == "SOUND"
    assert [found.verdict for found in sweep("fives/five", query)] == ["SOUND"]


def test_an_entry_point_of_a_function_needs_a_direction(install) -> None:
    install("fives", f"near = {FIVES}:near")
    with pytest.raises(InvalidInput, match="function near must say what its number is"):
        registry.accountant("near")
    assert registry.accountant("near", "upper").direction == "upper"


@pytest.mark.parametrize("name", ["moments", "fives/five"])
def test_a_name_that_is_taken_says_by_whom(install, name: str) -> None:
    install("fives", f"{name} = {FIVES}:Five")
    install("sixes", f"{name} = {FIVES}:Six")
    with pytest.raises(InvalidInput) as caught:
        registry.accountant(name)
    assert f"accountant {name} is a name that is taken twice, by " in str(caught.value)
    assert f"fives ({FIVES}:Five)" in str(caught.value) and "name one of them by module:Class" in str(
        caught.value
    )
    assert registry.accountant(f"{FIVES}:Five").name == "Five"
    assert registry.accountant_names().count(name) == 1


def test_a_broken_entry_point_breaks_nothing_else(install) -> None:
    install("broken", "broken/one = no_such_module_at_all:Five\nbroken/two = pldverify.errors:Nothing")
    assert "broken/one" in registry.accountant_names()
    with pytest.raises(InvalidInput, match="no_such_module_at_all failed: ModuleNotFoundError"):
        registry.accountant("broken/one")
    with pytest.raises(InvalidInput, match=r"pldverify\.errors must define Nothing"):
        registry.accountant("broken/two")
    assert registry.accountant("rdp").name == "rdp/canonne-2020"


@pytest.mark.parametrize(
    ("typed", "meant"), [("rpd", "rdp"), ("dp-acounting", "dp-accounting"), ("gdp/uper", "gdp/upper")]
)
def test_a_slip_of_the_pen_is_understood(typed: str, meant: str) -> None:
    with pytest.raises(InvalidInput, match=f"did you mean {meant}\\?"):
        registry.accountant(typed)


def test_modules_and_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("from tests.unit.accountants.test_accountant import Five, near\n")
    assert registry.accountant(f"{path}:Five").name == "Five"
    assert registry.accountant(f"{path}:near", "lower").direction == "lower"
    with pytest.raises(InvalidInput, match=r"mine\.py must define Six, got Five, near"):
        registry.accountant(f"{path}:Six")


@pytest.mark.parametrize(
    "name", dict.fromkeys(each.partition("/")[0] for each in registry.accountant_names())
)
def test_each_has_a_sentence_of_its_own(name: str) -> None:
    told = [sentence for _, sentence, _ in registry.described(name)]
    assert all(sentence.endswith((".", ")")) and len(sentence) > 20 for sentence in told)
    assert len(set(told)) == len(told)


def test_a_file_alone_is_answered_with_what_it_defines(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "raise SystemExit\ndef _hidden(): ...\nclass Moments: ...\ndef plain(query): ...\n", "utf-8"
    )
    with pytest.raises(InvalidInput, match=r"it defines: \S*mine.py:Moments, \S*mine.py:plain$"):
        registry.accountant(str(file))
    with pytest.raises(InvalidInput, match=r"absent\.py must be a Python file, got .*No such file"):
        registry.accountant("absent.py")
