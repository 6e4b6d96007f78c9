"""DP-SGD: compositions of Gaussian mechanisms, Poisson-subsampled or not, as several libraries take them."""

from collections.abc import Iterator

from pldverify.accountants.adapters.doubles import Doubles
from pldverify.accountants.standalone import Call, Steps
from pldverify.errors import NotSupported
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import noise_and_q
from pldverify.mechanisms.query import Query


def step(mechanism: Mechanism, doubles: Doubles, library: str) -> Call:
    """σ per unit of sensitivity, and q, of a Gaussian mechanism (q = 1) or a sampled one.

    Raises NotSupported for any other mechanism.
    """
    known = noise_and_q(mechanism)
    if known is None:
        raise NotSupported(f"{library} knows the Gaussian mechanism alone, not {mechanism}")
    noise, q = known
    return Call("step", {"noise_multiplier": doubles(noise, "noise_multiplier"), "q": doubles(q, "q")})


def is_sampled(query: Query) -> bool:
    """Whether any step of the composition is on a sample."""
    known = (noise_and_q(mechanism) for mechanism, _ in query.composition.parts)
    return any(found is not None and found[1] < 1 for found in known)


def only_one_direction(query: Query, library: str) -> str | None:
    """Why the query is refused by a library that has the direction ``remove`` of sampled mechanisms alone.

    ``remove`` is what it computes and ``add-or-remove`` is what it is used for: both are asked. Mechanisms
    that are not sampled are symmetric, so ``add`` is asked of them.
    """
    if query.adjacency in ("remove", "add-or-remove"):
        return None
    if query.adjacency != "add":
        return f"{library} is asked for adding or removing a record, got {query.adjacency!r}"
    return (
        f"{library} has the direction remove of sampled mechanisms, got 'add'" if is_sampled(query) else None
    )


def both_directions(query: Query, library: str) -> str | None:
    """Why the query is refused by a library that means adding and removing a record together."""
    if query.adjacency == "add-or-remove":
        return None
    return f"{library} is asked for add-or-remove, got {query.adjacency!r}"


def rows(steps: Steps) -> Iterator[tuple[float, float, int]]:
    """(noise multiplier, q, count) of each step."""
    for call, count in steps:
        noise, q = call.arguments["noise_multiplier"], call.arguments["q"]
        assert isinstance(noise, int | float) and isinstance(q, int | float)  # made by step()
        yield noise, q, count
