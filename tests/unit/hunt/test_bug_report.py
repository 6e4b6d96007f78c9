"""A bug report has both numbers, a snippet of the library alone that prints the claim, and versions."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

import pldverify as pv
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.reference import reference
from pldverify.accountants.registry import accountant
from pldverify.accountants.worker import GIB, Limits
from pldverify.hunt.bug_report import bug_report
from pldverify.hunt.grouping import Group, Kind, cause
from pldverify.hunt.reproduction import Ran, ran
from pldverify.hunt.words import SEVERITIES, title, why
from pldverify.mechanisms import Gaussian, Laplace, Query, RandomizedResponse
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.rulings.check import check


def report(subject: Accountant, query: Query) -> str:
    found = check(subject, query)
    why = cause(found)
    assert why is not None
    return bug_report(Group(why, found, found), subject, 7, Limits(120, 600, 4 * GIB))


@pytest.mark.slow
def test_a_violation() -> None:
    pytest.importorskip("dp_accounting")
    text = report(accountant("dp-accounting"), Query(10 * RandomizedResponse("0.75"), delta="1e-5"))
    snippet = re.search(r"```python\n(from dp_accounting.*?)```", text, re.DOTALL)
    assert snippet and "pldverify" not in snippet[1]
    assert re.search(r"# prints 1\.0986", snippet[1])
    assert "**Severity** high" in text and "| proved | true ε: 10.98" in text and "seed 7" in text
    assert 'pv.check("dp-accounting/pld", pv.Query("10 * randomized_response(p=0.75)", delta="1e-5")' in text
    assert re.search(r"dp-accounting 0\.\d+.*, Python 3.*, numpy .*, pldverify ", text)
    assert all(len(line) <= 250 for line in text.splitlines())


def test_a_crash_has_its_message_and_no_claim() -> None:
    broken = Accountant.of(lambda query: 1 / 0, direction="upper", name="broken")
    text = report(broken, Query(Gaussian(1), delta="1e-5"))
    assert "ZeroDivisionError" in text and "claimed" not in text and "**Severity** medium" in text


class Raises(Accountant):
    asks = (Query, RenyiQuery, NoiseQuery)
    direction = "upper"
    name = "gdp/upper"
    library = "gdp"

    def claim(self, query: Query) -> float:
        return 1 / 0


@pytest.mark.parametrize(
    "query",
    [
        Query(3 * Gaussian("1/3") + Laplace(2), epsilon="0.1", adjacency="remove"),
        RenyiQuery(Gaussian(1), order="3/2"),
        NoiseQuery(2 * Gaussian(1), epsilon=1, delta="1e-5"),
    ],
)
def test_a_question_of_any_kind_can_be_asked_again(query: Query, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pldverify.hunt.bug_report.ran", lambda program, limits: Ran((), "", False))
    monkeypatch.setattr("pldverify.check", lambda name, asked, timeout: asked)
    code = re.search(r"import pldverify as pv\nprint\((.*)\)", report(Raises(), query))
    assert code is not None and eval(code[1], {"pv": pv}) == query


def test_a_bound_of_zero_on_what_no_double_holds_is_no_high_severity() -> None:
    zero = Accountant.of(lambda query: 0.0, direction="upper", name="zero")
    text = report(zero, Query(Gaussian(2), epsilon=80))
    assert "**Severity** low: the true value is below the smallest double" in text
    assert "**Severity** high" in report(zero, Query(Gaussian(1), epsilon=3))


def test_what_a_report_on_a_class_in_a_file_tells_to_run_was_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(
        "import pldverify as pv\n"
        "class Mine(pv.Accountant):\n"
        "    direction = 'upper'\n"
        "    def claim(self, query):\n"
        "        return 1.0000000043\n"
    )
    monkeypatch.chdir(tmp_path)
    text = report(accountant("mine.py:Mine"), Query(Gaussian(1), epsilon=1))
    code = re.search(r"```python\n(import pldverify.*?)```", text, re.DOTALL)
    assert code and 'pv.check("mine.py:Mine", ' in code[1]
    done = subprocess.run([sys.executable, "-c", code[1]], capture_output=True, text=True, check=True)
    printed = [line.removeprefix("# prints ") for line in code[1].splitlines() if line.startswith("#")]
    assert (
        printed == [" ".join(line.split()) for line in done.stdout.splitlines()]
        and "claim δ ≤ 1.00000000430" in printed
    )
    assert text.startswith("# Mine: the answer is no δ: no probability is 1.0000000042999999, above 1\n")
    assert re.search(r"```console\n\$ pldverify delta .*--second-opinion\n.*opinion: agrees", text, re.DOTALL)


def test_what_does_not_end_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    program = [sys.executable, "-c", "print('one', flush=True)\nwhile True: pass"]
    found = ran(program, Limits(1, 600, GIB))
    assert found.is_stopped and found.comment() == "# prints one\n# does not end within 1 s of processor time"
    eats = ran([sys.executable, "-c", "bytearray(2**40)"], Limits(600, 600, GIB))
    assert eats.ending == "ends with exit code 1" and eats.lines[-1] == "MemoryError"
    floods = ran([sys.executable, "-c", "print('x' * 10**7, '\\x1b[2J')"], Limits(600, 600, GIB))
    assert len(floods.lines) == 1 and len(floods.lines[0]) <= 300 and floods.lines[0].isprintable()


def test_an_object_without_a_name_has_no_snippet() -> None:
    assert reference(Accountant.of(lambda query: 0.0, direction="upper", name="zero")) is None
    assert reference(accountant("command:sh x.sh")) == ("command:sh x.sh", "")


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_kind_has_its_words_and_no_title_is_cut_in_a_word(kind: Kind) -> None:
    broken = Accountant.of(lambda query: 1 / 0, direction="upper", name="broken")
    found = pv.check(broken, Query(Gaussian(1), delta="1e-5"))
    found = replace(found, reason="broken: " + "abcde fghij " * 50)
    words = title(kind, found).removesuffix(" …").split(": ")[-1].split()
    assert kind in SEVERITIES and why(kind, found)
    assert not {"abcde", "fghij"} & set(words) or set(words) <= {"abcde", "fghij"}
