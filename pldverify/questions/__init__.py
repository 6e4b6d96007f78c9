"""Questions: what is asked of accountants and engines, as data; who asks samples it.

``Numbers`` say what a parameter may be, by its usual range and the edges worth asking. ``KINDS`` has a row a
mechanism, with the numbers of each parameter. A ``Family`` is an expression with places, and what may stand
in each; ``written`` reads families from lines of text.

Grids ask all combinations of a family (sweeps, the checks of the testing kit, the regime matrix). All else is
drawn: a ``Source`` answers "a number of these" and "one of these", which is all that a sampler adds. The
hunt, Hypothesis, the hostile sweep and the realistic questions are four sources.
"""
