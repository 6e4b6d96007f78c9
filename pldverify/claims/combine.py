"""From verdicts on readings to the verdict on a claim."""

from collections.abc import Sequence

from pldverify.certificate.certify import Ruling as Verdict
from pldverify.claims.cases import Role


def together(first: Verdict, second: Verdict) -> Verdict:
    """Of two statements that must both hold.

    >>> together("CERTIFIED", "UNDECIDED"), together("UNDECIDED", "REFUTED")
    ('UNDECIDED', 'REFUTED')
    """
    words: tuple[Verdict, ...] = ("REFUTED", "UNDECIDED", "CONDITIONAL")
    return next((word for word in words if word in (first, second)), "CERTIFIED")


def overall(readings: Sequence[tuple[Role, Verdict]]) -> Verdict:
    """Of all that a claim may mean, literally.

    Where it is known what was run, that decides, unless it leaves the claim open or refutes it while an
    assumption that differs certifies it: then it is CONDITIONAL. Where it is not known, all that may be meant
    must agree.

    >>> overall([("run", "REFUTED"), ("accounted", "CERTIFIED")]), overall([("run", "CERTIFIED")])
    ('CONDITIONAL', 'CERTIFIED')
    >>> overall([("run", "UNDECIDED"), ("accounted", "REFUTED")])
    'UNDECIDED'
    >>> overall([("possible", "REFUTED"), ("possible", "REFUTED")])
    'REFUTED'
    """
    run = [verdict for role, verdict in readings if role == "run"]
    others = [verdict for role, verdict in readings if role != "run"]
    known = run or [verdict for role, verdict in readings if role != "accounted"]
    if known and len(set(known)) == 1 and known[0] in ("CERTIFIED", "CONDITIONAL"):
        return known[0]
    if "CERTIFIED" in [*known, *others] or "CONDITIONAL" in known:
        return "CONDITIONAL"
    return "REFUTED" if known and set(known) == {"REFUTED"} else "UNDECIDED"
