"""What was run, in plain words, for a reader who knows neither the field nor this package."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms import (
    BallsAndBins,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    PureDP,
    SampledWithoutReplacement,
    SampledWithReplacement,
    ShuffledBatches,
    TruncatedPoisson,
)
from pldverify.mechanisms.batches import SCHEMES, Sampling
from pldverify.mechanisms.hidden_batch import HiddenBatch
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.presentation import told

Exact = Fraction | Irrational


@dataclass(frozen=True)
class Told:
    """What is known of a run beside its composition.

    Attributes:
        run: how it was trained, a sentence; empty where that was not said.
        records: of the data set; None where that was not said.
        unit: what one record is, as it was said.
        subject: lines that say whose claim it is.
        file: the name of the certificate's file.
        ran: whether it was run, and not another account of it.
        audits: the name of a page of audits beside; empty where there is none.
    """

    run: str = ""
    records: Fraction | None = None
    unit: str = ""
    subject: tuple[str, ...] = ()
    file: str = "certificate.json"
    ran: bool = True
    audits: str = ""


NOTHING = Told()
"""Nothing but the composition."""


def training(
    composition: Composition,
    *,
    batch_size: Exact | None = None,
    dataset_size: Exact | None = None,
    epochs: Exact | None = None,
    steps: Exact | None = None,
    sampling: Sampling | None = "poisson",
    participations: Exact | None = None,
    cycle_length: Exact | None = None,
    max_batch: Exact | None = None,
) -> str:
    """A sentence about a run of which these are known.

    >>> from pldverify.certificate.plain import training
    >>> run = {"batch_size": Fraction(100), "dataset_size": Fraction(6000), "epochs": Fraction(3)}
    >>> training(pv.dp_sgd(noise_multiplier=1, **run), **run)
    'Trained for 3 epochs (180 steps) on 6,000 records, in Poisson batches of 100 on average.'
    """
    if all(mechanism == PureDP(0) for mechanism, _ in composition.parts):
        return "Nothing was run: no step, or on no record."
    if steps is None and sampling in _STEP_BY_STEP:
        steps = Fraction(composition.steps)
    taken = "" if steps is None else plural(steps, "step")
    passes = "" if epochs is None else plural(epochs, "epoch")
    said = f"Trained for {f'{passes} ({taken})' if passes and taken else passes or taken}"
    said += "" if dataset_size is None else f" on {plural(dataset_size, 'record')}"
    if batch_size is not None and sampling is not None:
        said += f", in {SCHEMES[sampling].sized.format(figure(batch_size))}"
    details = {
        ", cut at random to at most {}": max_batch,
        ", drawn in turn from {} known groups of the records": cycle_length,
        ", each record in {} of them, drawn at random": participations,
    }
    return said + "".join(text.format(figure(x)) for text, x in details.items() if x is not None) + "."


_STEP_BY_STEP = {None, "poisson", "truncated-poisson", "fixed", "fixed-with-replacement"}
"""Schemes in whose compositions each mechanism is a step; None of all records."""


def steps(composition: Composition) -> list[tuple[str, str]]:
    """Of each part a sentence, empty where there is none for its mechanism, and the mechanism.

    >>> from pldverify.certificate.plain import steps
    >>> steps(5 * pv.PoissonSubsampled(pv.Laplace(b=2), q="0.1"))[0][0][:64]
    '5 times: Laplace noise, of a scale of 2 times what one record co'
    """
    return [
        (_often(m, k) + said + "." if (said := _said(m)) else "", f"{k} * {m}") for m, k in composition.parts
    ]


def _often(mechanism: Mechanism, times: int) -> str:
    if isinstance(mechanism, HiddenBatch):
        return f"{plural(times, 'epoch')}: "
    return "Once: " if times == 1 else f"{times:,} times: "


def _said(mechanism: Mechanism) -> str:
    """How a mechanism is run; empty where there are no words for it."""
    sum_of = "the sum of a batch: "
    match mechanism:
        case Gaussian() | Laplace():
            return f"{_noise(mechanism)} is added to a sum over all records"
        case PoissonSubsampled():
            drawn = (
                f"each record is in it with probability {_share(mechanism.q)}, independently of all others"
            )
        case TruncatedPoisson():
            n, most = mechanism.dataset_size, mechanism.max_batch
            drawn = (
                f"each of {n:,} records is in it with probability {figure(mechanism.q)}, and of more than "
            )
            drawn += f"{most:,} so many, drawn at random, are kept"
        case SampledWithoutReplacement():
            drawn = f"a share {_share(mechanism.q)} of the records, drawn without replacement"
        case SampledWithReplacement():
            drawn = f"{plural(mechanism.m, 'draw')} with replacement from {plural(mechanism.n, 'record')}"
        case ShuffledBatches():
            order = "a random order of the records"
            order += ", drawn once for all epochs," if mechanism.persistent else ""
            sum_of = "the sum of "
            drawn = f"each of the {mechanism.batches:,} batches that {order} is cut into"
            if mechanism.dropped:
                drawn += f", a share {figure(mechanism.dropped)} of it being left over"
        case BallsAndBins():
            sum_of = "the sum of "
            drawn = f"each of {mechanism.batches:,} batches, and every record is put into one of "
            drawn += "these at random"
            if mechanism.participations > 1:
                drawn += ". What was run tells no more: each record in as many of all steps, drawn together"
        case _:
            return ""
    noise = _noise(mechanism.base)
    return f"{noise} is added to {sum_of}{drawn}" if noise else ""


def _share(q: Exact) -> str:
    """A probability, and about which decimal it is, where it is given by a fraction."""
    said = figure(q)
    return f"{said} (about {float(q):.3g})" if isinstance(q, Fraction) and "/" in said else said


def _noise(mechanism: Mechanism) -> str:
    match mechanism:
        case Gaussian():
            ratio = _ratio(mechanism.sigma, mechanism.sensitivity)
            return f"Gaussian noise, of a standard deviation of {ratio},"
        case Laplace():
            return f"Laplace noise, of a scale of {_ratio(mechanism.b, mechanism.sensitivity)},"
    return ""


def _ratio(scale: Exact, sensitivity: Exact) -> str:
    if isinstance(scale, Fraction) and isinstance(sensitivity, Fraction):
        ratio = figure(scale / sensitivity)
        return f"{ratio} times what one record contributes at most (in DP-SGD: the clipping norm)"
    return f"{figure(scale)}, where one record contributes at most {figure(sensitivity)}"


def plural(value: Exact | int, noun: str) -> str:
    """A number of things."""
    return f"{figure(value)} {noun}{'' if value == 1 else 's'}"


def figure(value: Exact | int) -> str:
    """A number for people: thousands apart; a double that was meant, in the digits that tell it.

    >>> from pldverify.certificate.plain import figure
    >>> figure(Fraction(60_000)), figure(Fraction("1.1")), figure(Fraction(1.1)), figure(Fraction(1, 60))
    ('60,000', '1.1', '1.1 (as a double)', '1/60')
    >>> figure(Fraction(1e-5))
    '1e-5 (as a double)'
    """
    if isinstance(value, Irrational):
        return value.text
    if value.denominator == 1:
        return f"{int(value):,}"
    return told(value)
