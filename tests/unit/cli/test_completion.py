"""The shell's completion, by click's protocol, in a process of its own."""

import subprocess
from collections.abc import Callable

import pytest

from pldverify.cli import words
from pldverify.reference.choice import ENGINES

Shell = Callable[..., subprocess.CompletedProcess[str]]


def completions(shell: Shell, line: str, word: int) -> list[str]:
    """What bash is offered for the word of that number."""
    result = shell(
        "pldverify", _PLDVERIFY_COMPLETE="bash_complete", COMP_WORDS=f"pldverify {line}", COMP_CWORD=str(word)
    )
    assert result.returncode == 0, result.stderr
    return [offer.partition(",")[2] for offer in result.stdout.splitlines() if offer]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("line", "word", "offered"),
    [
        ("certi", 1, ["certify"]),
        ("delta poi", 2, ["poisson("]),
        ("delta 'poisson(gau", 2, ["poisson(gaussian(", "poisson(gaussian_above_threshold("]),
        ("delta '10 * poi", 2, ["10 * poisson("]),
        ("delta '10*gaussian(sigma=1)+discrete_", 2, None),
        ("delta 'gaussian(1)' --engine thr", 4, ["threshold"]),
        ("check gdp/", 2, ["gdp/upper", "gdp/estimate"]),
        ("check gdp zc", 3, ["zcdp("]),
        ("budget 'gaussian(1)' --accountant hetero", 4, None),
        ("delta 'gaussian(1)' --adjacency rep", 4, ["replace-one"]),
        ("delta 'gaussian(1)' --second", 3, ["--second-opinion"]),
        ("derive 'zc", 2, ["zcdp("]),
        ("delta 'mine.py:poi", 2, []),
        ("delta 'nothing", 2, []),
    ],
)
def test_what_is_offered(shell: Shell, line: str, word: int, offered: list[str] | None) -> None:
    several = {
        "delta '10*gaussian(sigma=1)+discrete_": [
            f"10*gaussian(sigma=1)+discrete_{name}(" for name in ("gaussian", "gaussians", "laplace")
        ],
        "budget 'gaussian(1)' --accountant hetero": [
            f"heterogeneous-fourier{variant}" for variant in ("", "/upper", "/lower")
        ],
    }
    assert completions(shell, line, word) == (several[line] if offered is None else offered)


def test_bash_takes_a_completion_with_blanks(shell: Shell) -> None:
    """The script that the start-up file evaluates, run as bash does."""
    result = shell(
        'eval "$(_PLDVERIFY_COMPLETE=bash_source pldverify)"; '
        'COMP_WORDS=(pldverify delta "\'10 * poi"); COMP_CWORD=2; '
        '_pldverify_completion pldverify; printf "%s|" "${COMPREPLY[@]}"'
    )
    assert result.stdout == "10 * poisson(|", result.stderr


def test_the_engines_are_those_of_the_choice() -> None:
    assert tuple(ENGINES) == words.ENGINES
