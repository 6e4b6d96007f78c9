import re

import pytest
from jinja2 import TemplateNotFound, UndefinedError

from pldverify.certificate.figure import BOX as CERTIFICATE
from pldverify.report.figure import BOX as REPORT
from pldverify.web_page import Box, Tick, digest, environment


def test_a_template_escapes_and_misses_nothing(tmp_path) -> None:
    (tmp_path / "page.html").write_text("{{ text }}{% if more %}{{ missing }}{% endif %}", "utf-8")
    page = environment(tmp_path).get_template("page.html")
    assert page.render(text="<b>\"&'", more=False) == "&lt;b&gt;&#34;&amp;&#39;"
    with pytest.raises(UndefinedError):
        page.render(text="", more=True)
    with pytest.raises(TemplateNotFound):
        environment(tmp_path).get_template("../page.html")


def test_what_would_steer_a_reader_is_visible(tmp_path) -> None:
    """A bidirectional override is an escape; lines stay, and so does what a file of the package has."""
    (tmp_path / "page.html").write_text("{{ text }}{{ file|safe }}{{ number }}", "utf-8")
    page = environment(tmp_path).get_template("page.html")
    assert page.render(text="a\u202eb\n<", file="\u00a0<", number=2) == "a\\u202eb\n&lt;\u00a0<2"


def test_a_policy_tells_scripts_apart() -> None:
    assert digest("") == "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"  # of nothing: FIPS 180-4
    assert digest("a") != digest("b")


@pytest.mark.parametrize("box", [CERTIFICATE, REPORT, Box(10, 10, 1, 2, 3, 4)])
def test_axes_stand_inside_and_labels_are_escaped(box: Box, tmp_path) -> None:
    (tmp_path / "page.html").write_text(
        "{% import 'axes.html' as drawing %}{{ drawing.axes(box, xs, ys) }}", "utf-8"
    )
    shares = (0.0, 0.25, 1.0)
    xs, ys = [Tick(box.across(s), "<x>") for s in shares], [Tick(box.up(s), "1") for s in shares]
    text = environment(tmp_path).get_template("page.html").render(box=box, xs=xs, ys=ys)
    assert text.count("<path") == 6 and text.count("&lt;x&gt;") == 3 and "<x>" not in text
    assert [tick.at for tick in xs] == sorted(tick.at for tick in xs)
    assert [tick.at for tick in ys] == sorted((tick.at for tick in ys), reverse=True), "more is higher"
    for x, y in re.findall(r'd="M([\d.]+) ([\d.]+)', text):
        assert box.left <= float(x) <= box.end <= box.width and box.top <= float(y) <= box.floor <= box.height
