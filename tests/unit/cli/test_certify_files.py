"""certify FILE...: exit codes, files that are written, what stays after Ctrl-C."""

import csv
import io
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from markdown_it import MarkdownIt

from pldverify.certificate import curve
from pldverify.certificate.document import load
from pldverify.claims import many
from pldverify.cli import main
from pldverify.cli.exits import Exit
from tests.unit.claims.claims import HOSTILE, RUN
from tests.unit.cli.conftest import Shell

ROW: dict[str, Any] = {
    "id": "one",
    "epsilon": "1",
    "delta": "1e-6",
    "adjacency": "add-or-remove",
    "phase": [RUN],
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["certify", *arguments])


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def written(*rows: dict[str, Any], name: str = "claims.json") -> str:
        path = tmp_path / name
        path.write_text(json.dumps({"schema": "pldverify-claims/1", "claim": rows}), "utf-8")
        return str(path)

    return written


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([ROW], 0),
        ([ROW, {**ROW, "id": "two", "epsilon": "0.5"}, {"id": "bad"}], 1),
        ([ROW, {"id": "bad"}], 2),
        ([ROW, {**ROW, "id": "two", "phase": []}], 3),
    ],
)
def test_the_worst_verdict_is_the_exit_code(write: Any, rows: list[dict[str, Any]], code: int) -> None:
    result = run(write(*rows))
    assert result.exit_code == code, result.output
    assert "CERTIFIED: one: ε ≤ 1 at δ = 1e-6" in result.stdout
    assert ("claim bad: " in result.stderr) == ({"id": "bad"} in rows)


def test_everything_is_written(write: Any, tmp_path: Path) -> None:
    files = {name: str(tmp_path / f"out.{name}") for name in ("html", "csv", "markdown")}
    options = [word for name, file in files.items() for word in (f"--{name}", file)]
    result = run(write(ROW), write(ROW, name="more.json"), *options, "--out", str(tmp_path / "new" / "out"))
    assert result.exit_code == 0, result.output
    assert "2 claims: 2 CERTIFIED" in result.stdout
    assert all("CERTIFIED" in Path(file).read_text("utf-8") for file in files.values())
    for name in ("claims", "more"):  # both have a claim of that id
        certificate = load((tmp_path / "new" / "out" / f"{name}.one.json").read_text("utf-8"))
        assert (certificate.verdict, certificate.claim.epsilon) == ("CERTIFIED", "1")


def test_each_claim_has_a_page_in_a_folder(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curve, "COARSE", 2)  # what is drawn is not asked here
    folder = tmp_path / "pages"
    shuffled = {"sampling": "shuffled", "accounted_as": "poisson", "steps": None, "epochs": 1}
    run_as = {key: value for key, value in {**ROW["phase"][0], **shuffled}.items() if value is not None}
    both = {**ROW, "id": "Index", "epsilon": "4", "phase": [run_as]}
    result = run(write(ROW, both), "--html", f"{folder}/")
    assert result.exit_code in (1, 3), result.output
    index = (folder / "index.html").read_text("utf-8")
    linked = re.findall(r'<a href="([^"]*)">', index)
    assert linked[:2] == ["one.html", "Index-2.html"] and len(set(linked)) == len(linked)
    for page in linked:
        assert "<svg" in (folder / page).read_text("utf-8")


def test_json_is_one_document(write: Any) -> None:
    found = json.loads(run(write(ROW, {"id": "bad"}), "--json").stdout)
    assert [each["verdict"] for each in found["rulings"]] == ["CERTIFIED"]
    assert found["not_judged"][0]["id"] == "bad"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--delta", "1e-5"], "--delta must stand with EXPR"),
        (["--sigma", "1"], "--noise-multiplier must stand with EXPR"),
        (["--html", "/nowhere/page.html"], "--html must be a file that can be written"),
        (["--html", ""], "--html must be a file that can be written"),
        (["--jobs", "0"], "jobs must be > 0"),
        (["nothing.toml"], "nothing.toml can't be read"),
    ],
)
def test_mistakes_are_told_before_anything_is_judged(write: Any, more: list[str], told: str) -> None:
    result = run(write(ROW), *more)
    assert result.exit_code == 2 and told in result.stderr


@pytest.mark.parametrize("option", ["--csv", "--html", "--markdown"])
def test_claims_are_not_overwritten(write: Any, tmp_path: Path, option: str) -> None:
    file = write(ROW)
    before = Path(file).read_bytes()
    result = run(file, option, str(tmp_path / ".." / tmp_path.name / Path(file).name))
    assert result.exit_code == 2 and "another file than the claims" in result.stderr
    assert Path(file).read_bytes() == before


def test_names_of_files_may_be_long_and_no_utf8(write: Any, tmp_path: Path) -> None:
    long = write(ROW, name="l" * 240 + ".json")
    strange = tmp_path / os.fsdecode(b"\xff.json")
    strange.write_bytes(Path(long).read_bytes())
    options = ["--out", f"{tmp_path}/out", "--html", f"{tmp_path}/out/", "--csv", f"{tmp_path}/t.csv"]
    result = run(long, str(strange), *options)
    assert result.exit_code == 0, result.output
    pages = sorted(path.name for path in (tmp_path / "out").glob("*.html"))
    assert pages == ["_.one.html", "index.html", f"{'l' * 80}.one.html"]


def test_an_expression_has_no_table() -> None:
    result = run("gaussian(1)", "--delta", "1e-5", "--epsilon", "5", "--csv", "x")
    assert result.exit_code == 2 and "must stand with claims files" in result.stderr


def test_what_was_judged_stays_after_ctrl_c(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = many.judged

    def interrupted(rows: Any, place: Any = None) -> Iterator[Any]:
        yield next(whole(rows, place))
        raise KeyboardInterrupt

    monkeypatch.setattr(many, "judged", interrupted)
    table = tmp_path / "table.csv"
    result = run(write(ROW, {**ROW, "id": "two"}), "--csv", str(table))
    assert result.exit_code == 130
    assert "1 claim: 1 CERTIFIED" in result.stdout
    assert len(table.read_text("utf-8").splitlines()) == 2


def test_no_text_of_a_file_steers_a_terminal_or_becomes_a_link_or_a_formula(
    write: Any, tmp_path: Path
) -> None:
    """Notes went raw to terminal, Markdown and CSV; and what is wrong with a claim to the terminal."""
    texts = [text for text in HOSTILE if text != "\ud800"]
    rows = [{**ROW, "id": f"c{i}", "note": text, "phase": []} for i, text in enumerate(texts)]
    rows += [{**ROW, "id": f"d{i}", "source": {"title": text}, "phase": []} for i, text in enumerate(texts)]
    rows += [{**ROW, "id": f"e{i} {text}"} for i, text in enumerate(texts)]
    rows += [{**ROW, "id": f"f{i}", "adjacency": text} for i, text in enumerate(texts)]
    files = {name: tmp_path / f"out.{name}" for name in ("html", "csv", "markdown")}
    options = [word for name, file in files.items() for word in (f"--{name}", str(file))]
    file = write(*rows, name="\x1b[2J[x](http:x).json")
    for more in ([], ["--json"]):
        result = run(file, "--explain", *options, *more)
        assert result.exit_code == 2, result.output
        assert all(line.isprintable() for line in result.output.split("\n"))
    assert len(json.loads(result.stdout)["rulings"]) >= 2 * len(texts)
    for cells in csv.reader(io.StringIO(files["csv"].read_text("utf-8"), newline="")):
        assert not any(cell.startswith((*"=+-@＝＋－＠ ", "\t")) or not cell.isprintable() for cell in cells)
    page = files["markdown"].read_text("utf-8")
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(page)
    inline = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in inline} <= {"text", "code_inline", "softbreak"}
    plain = "".join(child.content for child in inline if child.type == "text")
    assert not any(mark in plain for mark in ("www.", "://", "@", "\x1b"))
    assert not re.search(r"<(img|script|a href=.h)|\x1b|\u202e", files["html"].read_text("utf-8"))


@pytest.mark.parametrize("as_json", ["", "--json"])
def test_files_are_whole_before_a_verdict_is_read(
    shell: Shell, write: Any, tmp_path: Path, as_json: str
) -> None:
    """``certify … --out x | head -1`` printed CERTIFIED and wrote no file."""
    one = f"certify 'laplace(b=1)' --delta 0 --epsilon 1 --out {tmp_path}/one.json --html {tmp_path}/one.html"
    many = f"certify {write(ROW)} --out {tmp_path}/many --csv {tmp_path}/many.csv"
    for command in (one, many):
        assert shell(f"pldverify {command} {as_json} | true").returncode == 141
    for name in ("one.json", "many/one.json"):
        assert load((tmp_path / name).read_text("utf-8")).verdict == "CERTIFIED"
    assert "CERTIFIED" in (tmp_path / "one.html").read_text("utf-8")
    assert "CERTIFIED" in (tmp_path / "many.csv").read_text("utf-8")


def test_a_file_that_can_not_be_written_is_told_before_anything_is_ruled(tmp_path: Path) -> None:
    for out in (tmp_path / "no" / "one.json", tmp_path / "file" / "one.json"):
        (tmp_path / "file").write_text("", "utf-8")
        result = run("laplace(b=1)", "--delta", "0", "--epsilon", "1", "--out", str(out))
        assert result.exit_code == 2 and result.stdout == "" and "--out" in result.stderr


def test_a_verdict_is_told_where_its_file_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: str, content: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pldverify.cli.output.put", full)
    result = run("laplace(b=1)", "--delta", "0", "--epsilon", "1", "--out", str(tmp_path / "one.json"))
    assert result.exit_code == Exit.NOT_WRITTEN and result.stdout.startswith("CERTIFIED")
    assert "No space" in result.stderr


def test_a_folder_takes_a_certificate_and_a_page(tmp_path: Path) -> None:
    folder = f"{tmp_path}/new/"
    assert (
        run("laplace(b=1)", "--delta", "0", "--epsilon", "1", "--out", folder, "--html", folder).exit_code
        == 0
    )
    assert load((tmp_path / "new" / "certificate.json").read_text("utf-8")).verdict == "CERTIFIED"
    assert "pldverify recheck certificate.json" in (tmp_path / "new" / "index.html").read_text("utf-8")
