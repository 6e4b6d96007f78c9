r"""RAPPOR: a value's Bloom filter, each bit with noise (Erlingsson, Pihur, Korolova 2014).

h hash functions set h bits of the filter. A permanent response keeps a bit with probability 1 − f and else
puts 1 or 0 in its place, equally likely; a report has a 1 with probability q where the permanent bit is 1,
and with probability p where it is 0. So of one report, a bit of the filter that is 1 is reported as 1 with
probability :math:`q^* = f(p + q)/2 + (1 - f)q`, one that is 0 with :math:`p^* = f(p + q)/2 + (1 - f)p`.

**Pair.** Two values differ in at most h bits that are 1 for the first alone, and h for the second alone; all
other bits tell nothing. One bit of each kind: :math:`(q^*(1 - p^*), p^*(1 - q^*), \text{rest})` against
:math:`(p^*(1 - q^*), q^*(1 - p^*), \text{rest})`, as 1 and 0 in both have equal probabilities. Bits are
independent: h such pairs. Attained by values that share no bit; fewer bits of the one kind or the other are a
post-processing. Without hashing, h = 1 and f = 0: unary encoding (Wang, Blocki, Li, Jha 2017), symmetric for
q = 1 − p. The permanent response itself, which any number of reports can show: p = 0 and q = 1.
"""

from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.mechanism import Composition
from pldverify.numbers.exact import Number, count, probability


def rappor(f: Number, p: Number, q: Number, hashes: Number = 1) -> Composition:
    """One report of a value whose Bloom filter has ``hashes`` bits, under a value that is replaced.

    Args:
        f: how often the permanent response puts a random bit in the place of a bit; 0 for none.
        p, q: how often a report has a 1 where the permanent bit is 0, and where it is 1.
        hashes: bits that a value sets, at most.

    Raises InvalidInput unless f, p and q are in [0, 1], rational, and hashes is an integer from 1 to 10**6.

    The permanent response of f = 1/2 with two hashes has ε = 4 ln 3:

    >>> float(pv.epsilon(pv.rappor(f="1/2", p=0, q=1, hashes=2), delta=0))
    4.39444915467...
    """
    noise, low, high = (probability(value, name) for value, name in ((f, "f"), (p, "p"), (q, "q")))
    zero, one = (noise * (low + high) / 2 + (1 - noise) * bit for bit in (low, high))
    seen, unseen = one * (1 - zero), zero * (1 - one)
    rest = 1 - seen - unseen
    pair = FinitePair([seen, unseen, rest], [unseen, seen, rest])
    return Composition.of((pair, count(hashes, "hashes", cap=10**6)))
