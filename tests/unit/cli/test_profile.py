"""profile: the points of a curve are those of the single questions, wherever they are written."""

import csv
import json
import struct
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result

import pldverify as pv

Run = Callable[..., Result]
STEPS = "100 * poisson(gaussian(sigma=1), q=0.01)"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        (["--epsilon", "0:1:3"], ["0", "1/2", "1"]),
        (["--epsilon", "1/3", "--epsilon", "2:1:2"], ["1/3", "2", "1"]),
        (["--epsilon", "-1"], ["-1"]),
    ],
)
def test_delta_at_many_points(run: Run, asked: list[str], places: list[str]) -> None:
    document = json.loads(run("profile", STEPS, *asked, "--digits", "8", "--json").stdout)
    assert [Fraction(point["epsilon"]) for point in document["points"]] == list(map(Fraction, places))
    for point in document["points"]:
        single = pv.delta(STEPS, epsilon=point["epsilon"], digits=20)
        assert Fraction(point["lower"]) <= single.upper and single.lower <= Fraction(point["upper"])
        assert Fraction(point["upper"]) - Fraction(point["lower"]) < Fraction(1, 10**8)


def test_epsilon_at_many_points(run: Run) -> None:
    document = json.loads(run("profile", STEPS, "--delta", "1e-5", "--delta", "1%", "--json").stdout)
    assert document["quantity"] == "epsilon"
    assert [point["delta"] for point in document["points"]] == ["1e-5", "0.01"]
    for point in document["points"]:
        single = pv.epsilon(STEPS, delta=point["delta"], digits=14)
        assert Fraction(point["lower"]) <= single.upper and single.lower <= Fraction(point["upper"])


def test_points_that_are_left_out_reach_down_to_small_delta(run: Run) -> None:
    points = json.loads(run("profile", STEPS, "--digits", "3", "--json").stdout)["points"]
    assert len(points) == 11 and points[0]["epsilon"] == "0"
    assert 0 < Fraction(points[-1]["lower"]) <= Fraction(1, 10**12) < Fraction(points[-2]["upper"])
    bounded = json.loads(run("profile", "laplace(b=1)", "--digits", "3", "--json").stdout)["points"]
    assert Fraction(bounded[-1]["epsilon"]) == 1


@pytest.mark.slow
def test_a_table_a_file_and_plots_from_one_call(run: Run) -> None:
    result = run(
        "profile", STEPS, "--epsilon", "0:1:5", "--digits", "6", "--csv", "curve.csv", "--plot", "curve.svg"
    )
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "   ε  δ(ε)" and lines[-1] == f"of {STEPS}, add-or-remove"
    assert [line.split()[0] for line in lines[1:-1]] == ["0", "0.25", "0.5", "0.75", "1"]
    with open("curve.csv", newline="") as file:
        header, *rows = list(csv.reader(file))
    assert header == ["epsilon", "delta_lower", "delta_upper"] and len(rows) == 5
    for epsilon, lower, upper in rows:
        single = pv.delta(STEPS, epsilon=epsilon, digits=30)
        assert Fraction(lower) <= single.upper and single.lower <= Fraction(upper)
        assert Fraction(upper) - Fraction(lower) < Fraction(1, 10**7)
    assert ElementTree.parse("curve.svg").getroot().tag.endswith("svg")


def test_a_picture_of_pixels(run: Run) -> None:
    assert run("profile", STEPS, "--epsilon", "0:1:5", "--plot", "curve.PNG").exit_code == 0
    head = Path("curve.PNG").read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", head[16:24])[0] >= 600


def test_what_only_bounds_is_said(run: Run) -> None:
    whole = "3 * truncated_poisson(gaussian(1), 0.9, 1000, 1)"
    printed = run("profile", whole, "--epsilon", "1", "--digits", "3").stdout
    assert printed.splitlines()[-1].endswith("privacy is at least that good")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--epsilon", "0:1"], "epsilon must be a number or FROM:TO:POINTS such as 0:8:17, got"),
        (["--epsilon", "0:1:0"], "points must be an integer from 1 to 10000, got points=0"),
        (["--epsilon", "0:1:1e9"], "points must be an integer from 1 to 10000, got points="),
        (["--epsilon", "0:b:3"], "epsilon must be a decimal or a fraction"),
        (["--epsilon", "1", "--delta", "0.1"], "--epsilon must stand without --delta"),
        (["--delta", "2"], "delta[0] must be in [0, 1], got delta[0]=2"),
        (["--plot", "curve.gif"], "--plot must be a file that ends in .png or .svg, got --plot curve.gif"),
        (["--delta", "0.1", "--plot", "c.png"], "--plot must be a plot of δ(ε), without --delta"),
        (["--csv", "."], "Invalid value for '--csv'"),
    ],
)
def test_bad_input(run: Run, arguments: list[str], message: str) -> None:
    result = run("profile", "gaussian(1)", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {message}") and result.stderr.count("\n") == 1
