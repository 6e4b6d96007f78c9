"""Built-in queries, DP-SGD and the basic mechanisms, that ``check`` asks an accountant.

DP-SGD cells span sigma from 0.5 to 10, q from 1e-4 to 0.5, 1 to 10**5 steps and δ from 1e-5 to 1e-10; some
are settings that people have trained with or reported bugs for. All are under add-or-remove. Accountants of
noise, of Rényi divergences and of type II errors have some of their own.
"""

from collections.abc import Iterable

from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.questions.written import queries

_BUILTIN = """
1000 * poisson(gaussian(0.5), q=0.001) | delta 1e-5
10000 * poisson(gaussian(0.6), q=0.004) | delta 1e-6
2000 * poisson(gaussian(0.7), q=0.01) | delta 1e-5
100000 * poisson(gaussian(0.8), q=0.0001) | delta 1e-6
4900 * poisson(gaussian(0.9), q=256/100000) | delta 1e-5
10000 * poisson(gaussian(1), q=0.01) | delta 1e-6 1e-10
poisson(gaussian(1), q=0.001) | delta 1e-6
{k} * poisson(gaussian(1), q=0.1) | k 1 10 | delta 1e-5
500 * poisson(gaussian(1), q=0.2) | delta 1e-5
14062 * poisson(gaussian(1.1), q=256/60000) | delta 1e-5
15000 * poisson(gaussian(1.3), q=1/250) | delta 1e-5
1000 * poisson(gaussian(1.5), q=0.05) | delta 1e-8
500 * poisson(gaussian(2), q=0.02) | delta 1e-6
100 * poisson(gaussian(2), q=0.5) | delta 1e-5
3000 * poisson(gaussian(3), q=0.1) | delta 1e-7
10000 * poisson(gaussian(4), q=0.00033) | delta 1e-10
1000 * poisson(gaussian(5), q=0.3) | delta 1e-9
100000 * poisson(gaussian(8), q=0.05) | delta 1e-8
1000 * poisson(gaussian(10), q=0.5) | delta 1e-10
100 * poisson(gaussian(10), q=0.01) | delta 1e-5
10000 * poisson(gaussian(1), q=0.01) | epsilon 6.90735948
500 * poisson(gaussian(2), q=0.02) | epsilon 1
1000 * poisson(gaussian(0.8), q=0.01) | epsilon 2
10000 * poisson(gaussian(5), q=0.1) | epsilon 0.5
poisson(gaussian(1), q=0.1) | epsilon 1
gaussian(1) | delta 1e-5
gaussian(0.5) | delta 1e-10
gaussian(2, sensitivity=3) | delta 1e-6
100 * gaussian(10) | delta 1e-6
1000 * gaussian(50) | delta 1e-8
gaussian(1) | epsilon 1
10 * gaussian(4) + 20 * gaussian(8) | delta 1e-5
laplace(1) | delta 1e-5
laplace(0.5) | epsilon 1
100 * laplace(10) | delta 1e-6
1000 * laplace(40) | delta 1e-8
{k} * randomized_response(0.75) | k 1 10 | delta 1e-5
100 * randomized_response(0.55) | delta 1e-6
randomized_response(0.9) | epsilon 1
"""


_NOISE = """
gaussian(1); laplace(1) | goal 1,1e-5 8,1e-10 0.1,1e-6
100 * gaussian(1); 100 * laplace(1) | goal 1,1e-6
poisson(gaussian(1), q=0.1) | goal 1,1e-5
500 * poisson(gaussian(1), q=0.02); 15000 * poisson(gaussian(1), q=1/250) | goal 1,1e-6 8,1e-5
10000 * poisson(gaussian(1), q=0.01) | goal 3,1e-6
"""
_RENYI = """
gaussian(2); 10 * laplace(2) | order 2 32
poisson(gaussian(1), q=0.1); 1000 * poisson(gaussian(1), q=0.01) | order 1.5 2 8 32 256
"""
_TRADE_OFF = """
gaussian(1); 100 * laplace(10); 1000 * poisson(gaussian(1), q=0.01) | alpha 0.01 0.05 0.5
"""
_OF_CLASS = {Query: _BUILTIN, NoiseQuery: _NOISE, RenyiQuery: _RENYI, TradeOffQuery: _TRADE_OFF}


def builtin_queries(asks: Iterable[type[Query]] = (Query,)) -> list[Query]:
    """The built-in queries of these classes, those that have some: 42 for ε and δ, some 15 of the others.

    >>> from pldverify.sweeps.builtin_queries import builtin_queries
    >>> {query.quantity for query in builtin_queries([pv.NoiseQuery])}
    {'noise'}
    """
    return [query for kind in asks for query in queries(_OF_CLASS.get(kind, ""))]
