"""From verdicts on readings to the verdict on a claim."""

from collections.abc import Sequence

from pldverify.rulings.cases import Role
from pldverify.values.verdict import Certification


def together(first: Certification, second: Certification) -> Certification:
    """Of two statements that must both hold.

    >>> together("CERTIFIED", "UNDECIDED"), together("UNDECIDED", "REFUTED")
    ('UNDECIDED', 'REFUTED')
    """
    words: tuple[Certification, ...] = ("REFUTED", "UNDECIDED", "CONDITIONAL")
    return next((word for word in words if word in (first, second)), "CERTIFIED")


def overall(readings: Sequence[tuple[Role, Certification]]) -> Certification:
    """Of all that a claim may mean, literally.

    Where it is known what was run, that decides, unless it leaves the claim open or refutes it while an
    assumption that differs certifies it: then it is CONDITIONAL. Where it is not known, all that may be meant
    must agree. What is not the claim's own reading never refutes it.

    >>> overall([("run", "REFUTED"), ("accounted", "CERTIFIED")]), overall([("run", "CERTIFIED")])
    ('CONDITIONAL', 'CERTIFIED')
    >>> overall([("run", "UNDECIDED"), ("assumed", "REFUTED")])
    'UNDECIDED'
    >>> overall([("possible", "REFUTED"), ("possible", "REFUTED")])
    'REFUTED'
    """
    run = [verdict for role, verdict in readings if role == "run"]
    own = run or [verdict for role, verdict in readings if role == "possible"]
    if own and len(set(own)) == 1 and own[0] in ("CERTIFIED", "CONDITIONAL"):
        return own[0]
    if any(verdict == "CERTIFIED" for _, verdict in readings) or "CONDITIONAL" in own:
        return "CONDITIONAL"
    return "REFUTED" if own and set(own) == {"REFUTED"} else "UNDECIDED"
