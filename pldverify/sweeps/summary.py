"""Summary: what a sweep found of each accountant, from findings in JSON."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from pldverify.mechanisms.query import PROBABILITIES
from pldverify.numbers.json import size
from pldverify.rulings.severity import RELATIVE
from pldverify.sweeps.store import FindingJSON

_DECIDED = ("SOUND", "UNSOUND")


@dataclass(frozen=True)
class Summary:
    """One accountant.

    Attributes:
        accountant: its name.
        versions: that it said, one unless its process died before it could.
        findings: all of them.
    """

    accountant: str
    versions: tuple[str, ...]
    findings: tuple[FindingJSON, ...]

    @property
    def verdicts(self) -> Counter[str]:
        """How often each."""
        return Counter(each["verdict"] for each in self.findings)

    @property
    def answered(self) -> int:
        """Claims that promise something; an estimate without an error promises nothing."""
        claims = [each for each in self.findings if each["claim"] is not None]
        return sum(each["cause"] != "NO PROMISE" for each in claims)

    @property
    def decided(self) -> int:
        """How many of them are SOUND or UNSOUND."""
        return sum(each["verdict"] in _DECIDED for each in self.findings)

    @property
    def tightness(self) -> tuple[float, float] | None:
        """What SOUND bounds give away in ε at least: the median, and the most; None if that is not known."""
        known = [size(each["tightness"], each["tightness_float"]) for each in self.findings]
        slack = [value for value in known if value is not None]
        return (median(slack), max(slack)) if slack else None

    @property
    def seconds(self) -> float:
        """Of the accountant, a claim, in the mean."""
        claims = [each["seconds"] for each in self.findings if each["claim"] is not None]
        return sum(claims) / len(claims) if claims else 0.0

    @property
    def unsound(self) -> list[FindingJSON]:
        """Worst first: material ones, then by how much of the true value they miss."""
        wrong = [each for each in self.findings if each["verdict"] == "UNSOUND"]
        return sorted(wrong, key=lambda each: (each["severity"] != "material", -_share(each)))

    @property
    def impossible(self) -> list[FindingJSON]:
        """Negative numbers, and probabilities above 1, whatever they are as bounds."""
        said = [each for each in self.findings if each["claim_float"] is not None]
        return [
            each
            for each in said
            if each["claim_float"] < 0 or (each["quantity"] in PROBABILITIES and each["claim_float"] > 1)
        ]

    def reasons(self) -> Iterator[tuple[str, str, int, FindingJSON]]:
        """(verdict, kind of reason, how often, the first) of all that is neither SOUND nor UNSOUND."""
        groups: dict[tuple[str, str], list[FindingJSON]] = {}
        for each in self.findings:
            if each["verdict"] not in _DECIDED:
                groups.setdefault((each["verdict"], each["cause"] or ""), []).append(each)
        for (verdict, cause), members in sorted(groups.items()):
            yield verdict, cause, len(members), members[0]


def summaries(findings: Iterable[FindingJSON]) -> list[Summary]:
    """One for each accountant, in the order in which they come."""
    groups: dict[str, list[FindingJSON]] = {}
    for each in findings:
        groups.setdefault(each["accountant"], []).append(each)
    return [
        Summary(name, tuple(dict.fromkeys(each["version"] for each in group)), tuple(group))
        for name, group in groups.items()
    ]


def is_rounding(finding: FindingJSON) -> bool:
    """Whether the claim is within 1e-9 of the true value, on whatever side, as far as that is known."""
    if finding["severity"] == "rounding-level":
        return True
    slack, truth = finding["slack_float"], finding["lower_float"]
    return slack is not None and truth is not None and truth > 0 and slack <= RELATIVE * truth


def _share(finding: FindingJSON) -> float:
    """By what part of the true value the claim is wrong at least."""
    excess, truth = size(finding["excess"], finding["excess_float"]), finding["upper_float"]
    if excess is None or excess == math.inf:
        return excess or 0.0
    return excess / truth if truth else 0.0
