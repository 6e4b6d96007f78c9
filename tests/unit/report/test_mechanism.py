"""Shapes and parameters are read from the text of a composition alone."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pldverify as pv
from pldverify.report.mechanism import parameters, shape, value_of


@pytest.mark.parametrize(
    ("composition", "shown"),
    [
        ("gaussian(sigma=2, sensitivity=3)", "gaussian"),
        ("10 * poisson(gaussian(sigma=1), q=0.1)", "poisson(gaussian)"),
        ("gaussian(sigma=1) + 3 * laplace(b=2)", "gaussian + laplace"),
        ("10 * gaussian(sigma=4) + 20 * gaussian(sigma=8)", "gaussian, several"),
        ("a(x=1) + b(x=1) + c(x=1) + d(x=1)", "4 mechanisms"),
        ("<b>no mechanism</b>", "<b>no mechanism</b>"),
    ],
)
def test_shapes(composition: str, shown: str) -> None:
    assert shape(composition) == shown


def test_built_in_compositions_have_a_shape_and_their_steps() -> None:
    for query in pv.Grid.builtin():
        text, parts = str(query.composition), query.composition.parts
        assert parameters(text)["k"] == sum(times for _, times in parts), text
        assert "=" not in shape(text) and "*" not in shape(text)


@pytest.mark.parametrize(
    ("composition", "found"),
    [
        ("14062 * poisson(gaussian(sigma=1.1), q=8/1875)", {"k": 14062, "sigma": 1.1, "q": 8 / 1875}),
        ("10 * gaussian(sigma=4) + 20 * gaussian(sigma=8)", {"k": 30}),
        ("pure_dp(epsilon=1e-3)", {"k": 1, "epsilon": 1e-3}),
        ("gaussian(sigma=1e999)", {"k": 1}),
        ("gaussian(sigma=ln(3))", {"k": 1}),
    ],
)
def test_parameters(composition: str, found: dict[str, float]) -> None:
    assert parameters(composition) == pytest.approx(found, abs=0)


@given(st.text(st.sampled_from("gaussian(sigma=1,)+ *09.e-/<>é\n")))
def test_any_text_is_read(text: str) -> None:
    assert len(shape(text)) <= max(60, len(text))
    assert all(math.isfinite(value) for value in parameters(text).values())


@pytest.mark.parametrize("text", ["1/0", "1e/2", "inf/1", "", "-", "9" * 400 + "/1"])
def test_what_is_no_number(text: str) -> None:
    assert math.isnan(value_of(text))
