"""Word: what a verdict says, as text that refuses to be taken for true or false."""

from typing import ClassVar, NoReturn

from pldverify.errors import NoTruthValue


class Word(str):
    """Text in every respect but one: ``bool()`` raises NoTruthValue, a TypeError.

    A non-empty text is true, so ``assert finding.verdict`` would hold whatever the verdict is.

    Attributes:
        favourable: the verdict that is asked for, as the message says.

    >>> verdict = Soundness("UNSOUND")
    >>> verdict == "SOUND", verdict
    (False, 'UNSOUND')
    >>> bool(verdict)
    Traceback (most recent call last):
    pldverify.errors.NoTruthValue: the verdict 'UNSOUND' is neither true nor false: write verdict == 'SOUND'
    """

    __slots__ = ()
    favourable: ClassVar[str]

    def __bool__(self) -> NoReturn:
        raise NoTruthValue(
            f"the verdict {self!r} is neither true nor false: write verdict == {self.favourable!r}"
        )


class Soundness(Word):
    """Of a claim: SOUND, UNSOUND or UNDECIDED."""

    __slots__ = ()
    favourable = "SOUND"


class Certification(Word):
    """Of a reported budget: CERTIFIED, REFUTED, CONDITIONAL or UNDECIDED."""

    __slots__ = ()
    favourable = "CERTIFIED"


class Keeping(Word):
    """Of an error term beside its bound: INSIDE, OUTSIDE, UNDECIDED or NO BOUND."""

    __slots__ = ()
    favourable = "INSIDE"
