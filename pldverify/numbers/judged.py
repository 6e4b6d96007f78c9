"""Judged: what holds a verdict. It shows itself as rows of text, and is neither true nor false."""

from typing import NoReturn

from pldverify.errors import NoTruthValue
from pldverify.numbers.markup import html, latex
from pldverify.numbers.word import Word


class Judged:
    """Base of a finding and of a certificate.

    ``str`` and notebooks show :meth:`rows`; ``bool()`` raises NoTruthValue, a TypeError, as an object that is
    always true would pass every ``assert``.
    """

    verdict: Word

    def rows(self) -> list[tuple[str, str]]:
        """What it says, by name; the verdict first, and why."""
        raise NotImplementedError

    def __bool__(self) -> NoReturn:
        name = type(self).__name__.lower()
        raise NoTruthValue(
            f"a {name} is neither true nor false: write {name}.verdict == {self.verdict.favourable!r} "
            f"(it is {self.verdict!r})"
        )

    def __str__(self) -> str:
        rows = self.rows()
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{width}}  {text}" for name, text in rows)

    def __repr__(self) -> str:
        """The rows in one line: a test runner that cuts it keeps the verdict and the reason."""
        (_, verdict), *others = self.rows()
        return f"{type(self).__name__}({', '.join([verdict, *(f'{name}: {text}' for name, text in others)])})"

    def _repr_html_(self) -> str:
        return html(self.rows())

    def _repr_latex_(self) -> str:
        return latex(self.rows())
