"""Built-in queries, DP-SGD and the basic mechanisms, that ``check`` asks an accountant: ``builtin.txt``.

DP-SGD cells span sigma from 0.5 to 10, q from 1e-4 to 0.5, 1 to 10**5 steps and δ from 1e-5 to 1e-10; some
are settings that people have trained with or reported bugs for. All are under add-or-remove. Accountants of
noise, of Rényi divergences and of type II errors have some of their own.
"""

from collections.abc import Iterable
from pathlib import Path

from pldverify.mechanisms.query import Query
from pldverify.questions.written import queries, sections

_FILE = Path(__file__).with_name("builtin.txt")


def builtin_queries(asks: Iterable[type[Query]] = (Query,)) -> list[Query]:
    """The built-in queries of these classes, those that have some: 42 for ε and δ, some 15 of the others.

    >>> from pldverify.sweeps.builtin_queries import builtin_queries
    >>> {query.quantity for query in builtin_queries([pv.NoiseQuery])}
    {'noise'}
    """
    written = dict(sections(_FILE))
    return [query for kind in asks for query in queries(written.get(kind.__name__, ""))]
