"""certify --out and recheck: a file between them, and four outcomes."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from pldverify import recheck

Run = Callable[..., Result]
STORED = Path(__file__).parents[2] / "data" / "certificates"


@pytest.mark.parametrize(("claim", "verdict", "code"), [("4.7", "CERTIFIED", 0), ("4.6", "REFUTED", 1)])
def test_what_certify_writes_recheck_confirms(
    run: Run, tmp_path: Path, claim: str, verdict: str, code: int
) -> None:
    path = tmp_path / "cert.json"
    arguments = ("certify", "100 * laplace(b=10)", "--delta", "1e-6", "--epsilon", claim)
    assert run(*arguments, "--out", str(path)).exit_code == code
    assert json.loads(path.read_text("utf-8"))["verdict"] == verdict
    result = run("recheck", str(path))
    assert result.exit_code == 0
    assert result.stdout.startswith(f"CONFIRMED: {verdict}\n")


def test_what_was_edited_is_bad_input(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "cert.json"
    path.write_text((STORED / "laplace-certified.json").read_text("utf-8").replace("4.7", "4.5"), "utf-8")
    result = run("recheck", str(path))
    assert result.exit_code == 2 and "its digest is not that of its content" in result.stderr
    assert run("recheck", str(tmp_path / "nothing.json")).exit_code == 2


@pytest.mark.parametrize(
    "expression",
    [
        "kjh19_substitute(gaussian(sigma=2), q=0.1)",
        "sampled_with_replacement(laplace(b=2), m=2, n=10)",
        "truncated_poisson(gaussian(sigma=2), q=1, dataset_size=100, max_batch=20)",
    ],
)
def test_what_is_beyond_the_checker_is_undecided(run: Run, tmp_path: Path, expression: str) -> None:
    path = tmp_path / "cert.json"
    run("certify", expression, "--delta", "1e-6", "--epsilon", "90", "--out", str(path))
    result = run("recheck", str(path))
    assert result.exit_code == 3 and result.stdout.startswith("UNDECIDED: beyond this checker")


@pytest.mark.parametrize(
    "expression",
    [
        "gdp(mu=sqrt(2))",
        "zcdp(rho=sqrt(2))",
        "shuffled(gaussian(sigma=1), batches=10)",
        "sampled_without_replacement(gaussian(sigma=2), q=0.1)",
        "sampled_with_replacement(gaussian(sigma=2), m=2, n=10)",
        "truncated_poisson(gaussian(sigma=2), q=0.1, dataset_size=100, max_batch=20)",
    ],
)
def test_what_was_beyond_the_checker_is_decided(run: Run, tmp_path: Path, expression: str) -> None:
    path = tmp_path / "cert.json"
    run("certify", expression, "--delta", "1e-6", "--epsilon", "90", "--out", str(path))
    result = run("recheck", str(path))
    assert result.exit_code == 0 and result.stdout.startswith("CONFIRMED: CERTIFIED\n")


def test_a_certificate_that_can_not_be_written_is_bad_input(run: Run, tmp_path: Path) -> None:
    where = str(tmp_path / "no" / "folder.json")
    result = run("certify", "laplace(b=1)", "--delta", "0", "--epsilon", "1", "--out", where)
    assert result.exit_code == 2 and "--out" in result.stderr


def test_it_writes_a_page_that_decides_certificates(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    result = run("recheck", "--page", str(path))
    assert (result.exit_code, result.output) == (0, "")
    page = path.read_text("utf-8")
    assert page.startswith("<!doctype html>") and "default-src &#39;none&#39;" in page
    checker = Path(recheck.__file__).with_suffix(".js").read_bytes()
    assert checker.decode() in page and hashlib.sha256(checker).hexdigest() in page


@pytest.mark.parametrize("arguments", [(), ("CERT", "--page", "PAGE"), ("--page", "PAGE", "--key", "KEY")])
def test_it_needs_a_certificate_or_a_page(run: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    names = {"CERT": str(STORED / "laplace-certified.json"), "PAGE": str(tmp_path / "p"), "KEY": __file__}
    result = run("recheck", *(names.get(each, each) for each in arguments))
    assert result.exit_code == 2 and "needs one of CERT and --page FILE" in result.stderr
    assert not (tmp_path / "p").exists()


def test_a_page_that_can_not_be_written_is_bad_input(run: Run, tmp_path: Path) -> None:
    result = run("recheck", "--page", str(tmp_path / "no" / "page.html"))
    assert result.exit_code == 2 and "--page must be a file that can be written" in result.stderr
