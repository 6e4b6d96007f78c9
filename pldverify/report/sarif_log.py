"""SARIF 2.1.0 (OASIS standard): a result for each finding, a rule for each verdict.

An accountant is a program, not a line of a file: results have logical locations, and no physical ones.
"""

import hashlib
import json
from typing import Any

from pldverify.foreign import brief
from pldverify.report import reproduction
from pldverify.report.junit_xml import headline
from pldverify.report.record import VERDICTS, Findings, Record, Verdict, records
from pldverify.version import __version__

_MOST_TEXT = 1_000
"""Characters of a message."""
_MEANINGS: dict[Verdict, str] = {
    "UNSOUND": "A proved enclosure of the true value excludes the claim.",
    "CRASHED": "The accountant raised, ended its process or was stopped at a limit.",
    "INVALID": "The accountant returned what is no number of the kind that was asked for.",
    "UNDECIDED": "The claim is not proved either way.",
    "SOUND": "The claim holds, proved.",
    "REFUSED": "The accountant does not take the question.",
}
_KINDS: dict[Verdict, str] = {"SOUND": "pass", "UNDECIDED": "open", "REFUSED": "notApplicable"}
"""Of a result that is no failure."""
_LEVELS: dict[Verdict, str] = {"UNSOUND": "error", "CRASHED": "warning", "INVALID": "warning"}


def sarif(findings: Findings) -> str:
    """The log. UNSOUND is an error, a warning where it may be rounding; CRASHED and INVALID are warnings.

    Raises InvalidInput for what is no finding.

    >>> found = pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6"))
    >>> json.loads(pv.report.sarif([found]))["runs"][0]["results"][0]["kind"]
    'pass'
    """
    results = [_result(record) for record in records(findings)]
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": _tool(), "columnKind": "unicodeCodePoints", "results": results}],
    }
    return json.dumps(log, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _tool() -> dict[str, Any]:
    rules = [
        {
            "id": verdict,
            "shortDescription": {"text": _MEANINGS[verdict]},
            "defaultConfiguration": {"level": _LEVELS.get(verdict, "none")},
        }
        for verdict in VERDICTS
    ]
    return {"driver": {"name": "pldverify", "version": __version__, "rules": rules}}


def _result(record: Record) -> dict[str, Any]:
    kind = _KINDS.get(record.verdict, "fail")
    level = _LEVELS.get(record.verdict, "none")
    if record.verdict == "UNSOUND" and record.severity != "material":
        level = "warning"
    name = brief(record.accountant, 200)
    return {
        "ruleId": record.verdict,
        "ruleIndex": VERDICTS.index(record.verdict),
        "kind": kind,
        "level": level,
        "message": {"text": _literal(brief(f"{record.question}: {headline(record)}", _MOST_TEXT))},
        "locations": [{"logicalLocations": [{"fullyQualifiedName": name, "kind": "module"}]}],
        "partialFingerprints": {"question/v1": _fingerprint(record)},
        "properties": {
            "accountant": name,
            "version": brief(record.version, 200),
            "severity": record.severity,
            "claim": record.shown.claim,
            "truthLower": record.shown.lower,
            "truthUpper": record.shown.upper,
            "reproduction": reproduction.shell(record),
        },
    }


def _literal(text: str) -> str:
    """Plain text of a message: brackets would make a link, braces a placeholder."""
    for sign in "[]":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("{", "{{").replace("}", "}}")


def _fingerprint(record: Record) -> str:
    """The same for the same accountant and question, whatever it answers."""
    asked = (
        record.accountant,
        record.composition,
        record.adjacency,
        record.quantity,
        record.delta,
        record.epsilon,
        *filter(None, (record.order, record.alpha, record.loss)),
    )
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()
