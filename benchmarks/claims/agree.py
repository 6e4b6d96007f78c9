"""What the program says of a claim, on every surface, and whether it agrees with itself and with the oracle.

Surfaces: JSON, terminal, CSV, Markdown, the table page, certificates, a page of a reading,
``Ruling.rows()``, the same question as an expression, and ``recheck.py`` as a process. Of a text this reads
the intervals that it claims.
"""

import csv
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import unescape
from math import inf
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from mpmath import mp

import pldverify as pv
from benchmarks.claims.meanings import Meaning, meanings
from benchmarks.claims.numbers import number, rational
from benchmarks.claims.oracle import Statement, refusal, right, statements
from pldverify.cli import main

VERDICTS = ("CERTIFIED", "REFUTED", "CONDITIONAL", "UNDECIDED")
CHECKER = Path(pv.__file__).with_name("recheck.py")
OUTCOMES = {0: "CONFIRMED", 1: "CONTRADICTED", 2: "REJECTED", 3: "UNDECIDED", 70: "FAILED"}
_PATIENCE = 20
"""Seconds for the independent checker, which counts its work and needs up to a minute."""
Interval = tuple[Any, Any]
"""(low, high): what a text claims of the true value; None for an end that it doesn't tell."""


@dataclass
class Said:
    """Of one claim."""

    ruling: dict[str, Any] | None = None
    refused: str = ""
    table: list[dict[str, str]] = field(default_factory=list)
    markdown: list[list[str]] = field(default_factory=list)
    index: str = ""
    certificates: dict[str, dict[str, Any]] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)
    terminal: list[str] = field(default_factory=list)
    rows: list[tuple[str, str]] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    command: str = ""


@dataclass(frozen=True)
class Asked:
    """Which surfaces are asked for, beside JSON, tables and certificates."""

    terminal: bool = True
    rows: bool = False
    pages: bool = False
    recheck: bool = False
    command: bool = False


def toml(claim: dict[str, Any]) -> str:
    """A claims file of one claim; keys that begin with ``_`` are the oracle's."""
    lines = ['schema = "pldverify-claims/1"', "", "[[claim]]"]
    lines += [f"{k} = {_toml(v)}" for k, v in claim.items() if k != "phase" and not k.startswith("_")]
    for phase in claim["phase"]:
        lines += [
            "[[claim.phase]]",
            *(f"{k} = {_toml(v)}" for k, v in phase.items() if not k.startswith("_")),
        ]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {_toml(v)}" for k, v in value.items()) + "}"
    return json.dumps(value)


def _run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["certify", *arguments], env={"COLUMNS": "5000", "NO_COLOR": "1"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout


def ask(claim: dict[str, Any], folder: Path, asked: Asked) -> Said:
    """All surfaces, of a file of the one claim in ``folder``, which is new."""
    name, said = claim["id"], Said()
    path = folder / f"{name}.toml"
    path.write_text(toml(claim), "utf-8")
    files = {"--csv": "t.csv", "--markdown": "t.md", "--html": "t.html", "--out": "out"}
    options = [word for option, file in files.items() for word in (option, str(folder / file))]
    _, text = _run(str(path), "--json", *options)
    found = json.loads(text)
    if found["not_judged"]:
        said.refused = found["not_judged"][0]["reason"]
        return said
    said.ruling = found["rulings"][0]
    said.table = list(csv.DictReader((folder / "t.csv").read_text("utf-8").splitlines()))
    said.markdown = [
        _row(line) for line in (folder / "t.md").read_text("utf-8").splitlines() if line.startswith("| ")
    ][1:]
    said.index = (folder / "t.html").read_text("utf-8")
    said.certificates = {
        file.name: json.loads(file.read_text("utf-8")) for file in sorted((folder / "out").glob("*.json"))
    }
    if asked.recheck:
        for file in said.certificates:
            command = [sys.executable, str(CHECKER), str(folder / "out" / file)]
            try:
                code = subprocess.run(command, capture_output=True, check=False, timeout=_PATIENCE).returncode
                said.outcomes[file] = OUTCOMES.get(code, str(code))
            except subprocess.TimeoutExpired:
                said.outcomes[file] = "UNDECIDED"
    if asked.terminal:
        said.terminal = _run(str(path))[1].splitlines()
    if asked.rows:
        said.rows = pv.certify_file(path)[0].rows()
    if asked.pages:
        _run(str(path), "--html", f"{folder / 'pages'}/")
        said.pages = [
            _words(file.read_text("utf-8"))
            for file in sorted((folder / "pages").glob("*.html"))
            if file.name != "index.html"
        ]
    first = next(iter(said.ruling["readings"]), None)
    if asked.command and "epsilon" in claim and first and first["is_run"]:
        claimed = f"{claim.get('relation', '<=')} {claim['epsilon']}"
        said.command = _run(
            first["composition"],
            "--delta",
            str(claim["delta"]),
            "--epsilon",
            claimed,
            "--adjacency",
            first["adjacency"],
        )[1]
    return said


def _row(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line)[1:-1]
    return [cell.strip().replace("&lt;", "<").replace("\\*", "*") for cell in cells]


def _words(page: str) -> str:
    """The text of a page before its drawing."""
    body = page[page.index("<body>") :].split("<svg")[0]
    return unescape(re.sub(r"<[^>]*>", "\n", body))


# --- what a text claims

_NUMBER = r"(?:inf|\d+/\d+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)"
_VALUE = rf"(\[{_NUMBER}, {_NUMBER}\]|{_NUMBER} ± {_NUMBER}|{_NUMBER}…|{_NUMBER}(?![\d.e…/]| ±))"
_OF = r"(?:true|implied|proved)[^.;,:\d]*? (?:ε|ρ|μ|D_α|δ|TPR|advantage)(?: at this δ)?"
_EQUAL = re.compile(rf"{_OF} ?(?:=|:|is in|in|is) {_VALUE}(?! less than)")
_MOST = re.compile(rf"{_OF} ?(?:≤|is at most|at most) ({_NUMBER})(?![\d.e/-])")
_LEAST = re.compile(rf"{_OF} ?(?:≥|is at least) ({_NUMBER})(?: and < ({_NUMBER}))?(?![\d.e/-]| less than)")
_BELOW = re.compile(rf"{_OF} ?< ({_NUMBER})(?![\d.e/-])")
_ABOVE = re.compile(rf"{_OF} ?> ({_NUMBER})(?: and ([<≤]) ({_NUMBER}))?(?![\d.e/-])")
_TRUTHS = (_EQUAL, _MOST, _LEAST, _BELOW, _ABOVE)
_LITTLE = Fraction(1, 10**60)
"""What is strictly below a number is taken to end so much below it, relatively: claims have fewer digits."""
_MORE = re.compile(
    rf"(proved upper bound on the )?(?:true|implied) (?:ε|ρ|μ|D_α|TPR|advantage) exceeds (\S+) by "
    rf"(at least )?({_NUMBER})(…?)"
)
_LESS = re.compile(
    rf"(?:true|implied) (?:ε|ρ|μ|D_α|TPR|advantage) is (at least )?({_NUMBER})(…?) less than ([^\s;,]+)"
)


def intervals(text: str) -> list[Interval]:
    """Those of the true value, as printed.

    >>> intervals("true ε = 1.2 ± 0.25; the true ε is 0.5… less than 2, true ρ in [0, inf]")
    [(Fraction(19, 20), Fraction(29, 20)), (Fraction(7, 5), Fraction(3, 2)), (Fraction(0, 1), inf)]
    >>> (low, high), = intervals("true ε < 2")
    >>> low is None and supports("REFUTED", Statement(">=", Fraction(2), Fraction(2)), (low, high))
    True
    """
    found: list[Interval] = [_interval(m[1]) for m in _EQUAL.finditer(text)]
    for bound, claimed, least, by, dots in _MORE.findall(text):
        value, (low, high) = _exact(claimed), _interval(by + dots)
        found.append((None if bound else value + low, None if least else value + high))
    for least, by, dots, claimed in _LESS.findall(text):
        value, (low, high) = _exact(claimed), _interval(by + dots)
        found.append((None if least else value - high, value - low))
    found += [(None, _exact(m[1])) for m in _MOST.finditer(text)]
    found += [(_exact(m[1]), _end("<", m[2])) for m in _LEAST.finditer(text)]
    found += [(None, _exact(m[1]) * (1 - _LITTLE)) for m in _BELOW.finditer(text)]
    found += [(_exact(m[1]) * (1 + _LITTLE), _end(m[2], m[3])) for m in _ABOVE.finditer(text)]
    return found


def _end(sign: str, text: str | None) -> Any:
    """An end from above; None where none is told."""
    return None if text is None else _exact(text) * (1 - _LITTLE * (sign == "<"))


def _interval(text: str) -> Interval:
    if text.startswith("["):
        low, high = text[1:-1].split(", ")
        return _exact(low), _exact(high)
    if " ± " in text:
        middle, radius = map(_exact, text.split(" ± "))
        return middle - radius, middle + radius
    if text.endswith("…"):
        mantissa, _, power = text[:-1].partition("e")
        return _exact(text[:-1]), _exact(text[:-1]) + Fraction(10) ** (
            int(power or 0) - len(mantissa.partition(".")[2])
        )
    return _exact(text), _exact(text)


def _exact(text: str) -> Any:
    if text == "inf":
        return inf
    value = rational(text.replace("_", ""))
    return number(text) if value is None else value


def supports(verdict: str, said: Statement, interval: Interval) -> bool:
    """Whether the interval by itself shows the verdict."""
    low, high = (None if end is None else _comparable(end) for end in interval)
    down, up = _comparable(said.low), _comparable(said.high)
    below, above = high is not None and high <= up, low is not None and low >= down
    over, under = low is not None and low > up, high is not None and high < down
    shown = {
        "CERTIFIED": {"<=": below, ">=": above, "=": below and above},
        "REFUTED": {"<=": over, ">=": under, "=": over or under},
    }
    return verdict not in shown or shown[verdict][said.relation]


def _comparable(value: Any) -> Any:
    """Fractions, ∞, and of an irrational number a Fraction that is nearer than any print."""
    return Fraction(mp.nstr(value, 55)) if isinstance(value, mp.mpf) else value


# --- judging what was said


@dataclass
class Judged:
    """Of one claim: the verdict, what is wrong, what disagrees."""

    verdict: str
    wrong: list[str]
    disagreements: list[str]


def judge(claim: dict[str, Any], said: Said) -> Judged:
    """All that is said against the oracle, and against itself."""
    must = refusal(claim)
    if said.ruling is None:
        wrong = [] if must else [f"refused: {said.refused}"]
        return Judged("REFUSED", wrong, [] if said.refused else ["refused without a reason"])
    if must:
        return Judged(said.ruling["verdict"], [f"ruling: {said.ruling['verdict']} of {must}"], [])
    found = meanings(claim)
    ruling, verdict = said.ruling, said.ruling["verdict"]
    wrong = (
        [f"ruling: {verdict}, right: {', '.join(sorted(right(claim, found)))}"]
        if verdict not in right(claim, found)
        else []
    )
    says = statements(claim)
    for reading in ruling["readings"]:
        wrong += _reading_wrong(reading, says.get(reading["kind"], says["literal"]), found)
    judged = [m for m in found if m.truth is not None and m.role != "printed"]
    for where, text in [("explanation", ruling["explanation"]), *_texts(said)]:
        for interval in intervals(text):
            if judged and all(_contradicts(m, interval) for m in judged):
                wrong.append(f"{where}: {text.strip()[:160]!r} excludes the truth")
    for name, certificate in said.certificates.items():
        wrong += _certificate_wrong(name, certificate, said.outcomes.get(name, ""), claim, found)
    return Judged(verdict, list(dict.fromkeys(wrong)), list(dict.fromkeys(_disagreements(claim, said))))


_OTHER = "Proved of this composition: "
"""On the page of a reading that was not run: what is proved of another one."""


def _texts(said: Said) -> Iterator[tuple[str, str]]:
    for line in said.terminal:
        yield "terminal", line
    for name, text in said.rows:
        yield f"rows, {name}", text
    for row in said.table:
        yield "CSV", row["truth"]
    for page in said.pages:
        yield from (("page", line) for line in page.splitlines() if "roved" in line and _OTHER not in line)
    yield from (("command", line) for line in said.command.splitlines()[2:])


def _contradicts(meaning: Meaning, interval: Interval) -> bool:
    low, high = interval
    assert meaning.truth is not None
    return (low is not None and meaning.truth.at_least(low) is False) or (
        high is not None and meaning.truth.at_most(high) is False
    )


def _matching(reading: dict[str, Any], found: Sequence[Meaning]) -> list[Meaning]:
    assumes = reading["assumes"]
    fitting = [
        m
        for m in found
        if m.role != "printed"
        and m.adjacency in ("", reading["adjacency"])
        and all(word in assumes for word in m.words)
        and ("Gaussian noise" in m.words) == ("Gaussian noise" in assumes)
    ]
    return fitting or list(found)


def _reading_wrong(reading: dict[str, Any], said: Statement, found: Sequence[Meaning]) -> Iterator[str]:
    fitting = _matching(reading, found)
    holds = [said.holds(m.truth) for m in fitting]
    where, verdict = f"reading {reading['kind']} {reading['says']} [{reading['assumes']}]", reading["verdict"]
    if verdict in ("CERTIFIED", "REFUTED") and all(m.truth is None for m in fitting):
        yield f"{where}: {verdict} where nothing is proved"
    if (verdict == "CERTIFIED" and set(holds) == {False}) or (verdict == "REFUTED" and set(holds) == {True}):
        yield f"{where}: {verdict}, the contrary is true"
    judged = [m for m in fitting if m.truth is not None]
    low, high = (None if reading[end] is None else _exact(reading[end]) for end in ("lower", "upper"))
    if judged and all(_contradicts(m, (low, high)) for m in judged):
        yield f"{where}: JSON says [{reading['lower']}, {reading['upper']}], which excludes the truth"
    if (
        judged
        and high == inf
        and all(m.truth is not None and m.truth.at_most(Fraction(10) ** 12) for m in judged)
    ):
        yield f"{where}: JSON's upper end is inf, where the truth is finite"
    if low and judged and all(m.above_only for m in judged) and reading["says"].startswith("ε"):
        yield f"{where}: JSON has a lower end, {reading['lower'][:12]}, of what is bounded from above only"


def _certificate_wrong(
    name: str, certificate: dict[str, Any], outcome: str, claim: dict[str, Any], found: Sequence[Meaning]
) -> Iterator[str]:
    stated = certificate["claim"]
    value = _exact(stated["epsilon"])
    said, verdict = Statement(stated["relation"], value, value), certificate["verdict"]
    holds = [
        said.holds(m.truth)
        for m in found
        if m.truth is not None and m.adjacency in ("", certificate["adjacency"])
    ]
    if holds and (
        (verdict == "CERTIFIED" and set(holds) == {False}) or (verdict == "REFUTED" and set(holds) == {True})
    ):
        yield f"certificate {name}: {verdict}, the contrary is true of what was run"
        if outcome == "CONFIRMED":
            yield f"certificate {name}: recheck confirms what is false"
    if outcome == "CONTRADICTED":
        yield f"certificate {name}: recheck contradicts {verdict}"


def _disagreements(claim: dict[str, Any], said: Said) -> Iterator[str]:
    ruling = said.ruling
    assert ruling is not None
    says, verdict = statements(claim), ruling["verdict"]
    literal = [r for r in ruling["readings"] if r["kind"] == "literal"]
    rounded = [r for r in ruling["readings"] if r["kind"] == "rounded"]
    expected = [r["verdict"] for r in literal] or ["UNDECIDED"]
    tables = {
        "CSV": [row["literally"] for row in said.table],
        "Markdown": [row[1] for row in said.markdown],
        "page": re.findall(r'<td data-label="literally" class="[A-Z]*">([A-Z]*)</td>', said.index),
    }
    for name, cells in tables.items():
        if cells != expected:
            yield f"{name}: {cells}, JSON: {expected}"
    if (
        rounded
        and len(rounded) == len(said.table)
        and [r["verdict"] for r in rounded] != [row["rounded"] for row in said.table]
    ):
        yield "CSV: rounded verdicts are not those of JSON"
    for row, reading in zip(said.table, literal, strict=False):
        yield from _printed("CSV", row["truth"], reading, says["literal"], reading["verdict"])
    if said.terminal:
        word = said.terminal[0].partition(":")[0]
        if {word, verdict} == {"CERTIFIED", "REFUTED"} or (
            word != verdict and "UNDECIDED" not in (word, verdict)
        ):
            yield f"terminal: {word}, JSON: {verdict}"
        lines = [
            line
            for line in said.terminal[1:]
            if "nothing is proved" in line or any(of.search(line) for of in _TRUTHS)
        ]
        for line, reading in zip(lines, literal, strict=False):
            beside = word if len(literal) == 1 else next((v for v in VERDICTS if f": {v}" in line), word)
            yield from _printed("terminal", line, reading, says["literal"], beside)
    if said.rows and str(dict(said.rows)["verdict"]) not in (verdict, "UNDECIDED") and verdict != "UNDECIDED":
        yield f"rows: {dict(said.rows)['verdict']}, JSON: {verdict}"
    texts = [text for name, text in said.rows if name in ("literally", "rounded")]
    for text, reading in zip(texts, ruling["readings"], strict=False):
        yield from _printed(
            "rows",
            text.partition("; ")[2],
            reading,
            says.get(reading["kind"], says["literal"]),
            text.split(" ")[0].strip(":"),
        )
    for name, certificate in said.certificates.items():
        yield from _certificate_disagrees(name, certificate, said, says, literal, rounded)
    for page in said.pages:
        told = (
            "CERTIFIED"
            if "The claim is true. That is proved, of what" in page
            else "REFUTED"
            if "The claim is false. That is proved, of what" in page
            else ""
        )
        if told and verdict not in (told, "CONDITIONAL"):
            yield f"page of a reading: {told}, that is proved; the ruling is {verdict}"
        shown = intervals(_found(page))
        if told and not _shows(told, says["literal"], shown):
            yield f"page of a reading: {told} beside {_found(page)}"
    word = said.command.partition(":")[0]
    shown = [i for line in said.command.splitlines()[2:] for i in intervals(line)]
    if not _shows(word, says["literal"], shown):
        yield f"command: {' | '.join(said.command.splitlines())}"


def _shows(verdict: str, said: Statement, shown: Sequence[Interval]) -> bool:
    """Whether one of them supports the verdict, if there are any, and the claimed number is no root."""
    return not shown or isinstance(said.low, mp.mpf) or any(supports(verdict, said, i) for i in shown)


def _found(page: str) -> str:
    return " ".join(line for line in page.splitlines() if line.startswith(("Proved: ", _OTHER)))


def _printed(where: str, text: str, reading: dict[str, Any], said: Statement, verdict: str) -> Iterator[str]:
    """What is printed holds JSON's interval, and shows the verdict beside it."""
    found = intervals(text)
    low, high = (None if reading[end] is None else _exact(reading[end]) for end in ("lower", "upper"))
    for down, up in found:
        if (low is not None and up is not None and low > up) or (
            high is not None and down is not None and down > high
        ):
            yield f"{where}: {text.strip()!r} does not meet JSON's [{reading['lower']}, {reading['upper']}]"
    irrational = isinstance(said.low, mp.mpf)
    if (
        verdict in ("CERTIFIED", "REFUTED")
        and not irrational
        and not any(supports(verdict, said, i) for i in found)
    ):
        yield f"{where}: {verdict} of {reading['says']} beside {text.strip()!r}"


def _certificate_disagrees(
    name: str,
    certificate: dict[str, Any],
    said: Said,
    says: dict[str, Statement],
    literal: Sequence[dict[str, Any]],
    rounded: Sequence[dict[str, Any]],
) -> Iterator[str]:
    stated = certificate["claim"]
    value, relation = _exact(stated["epsilon"]), stated["relation"]
    same = [
        reading
        for kind, readings in (("literal", literal), ("rounded", rounded))
        if kind in says and _is(says[kind], relation, value)
        for reading in readings
        if reading["adjacency"] == certificate["adjacency"]
    ]
    if not same:
        told = f"{certificate['verdict']} of ε {relation} {stated['epsilon']}, {certificate['adjacency']}"
        yield f"certificate {name}: {told}, is of no reading"
    elif certificate["verdict"] not in [reading["verdict"] for reading in same]:
        yield f"certificate {name}: {certificate['verdict']}, its reading: {same[0]['verdict']}"
    if said.outcomes.get(name) in ("REJECTED", "FAILED"):
        yield f"certificate {name}: recheck says {said.outcomes[name]}"


def _is(said: Statement, relation: str, value: Any) -> bool:
    if said.relation != relation:
        return False
    ends = {said.high if relation == "<=" else said.low} if relation != "=" else {said.low, said.high}
    near = any(abs(_comparable(end) - _comparable(value)) < Fraction(10) ** -40 for end in ends)
    return near and (relation != "=" or said.low == said.high)
