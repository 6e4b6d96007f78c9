"""``pldverify certify FILE…``: every claim of claims files, and tables, pages and certificates of them."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pldverify.cli.answer import echo_json
from pldverify.cli.exits import Exit
from pldverify.cli.options import at_most, option, together
from pldverify.cli.output import echo, save
from pldverify.errors import InvalidInput
from pldverify.numbers.exact import count

if TYPE_CHECKING:
    from pldverify.certificate.plain import Told
    from pldverify.claims.many import Row
    from pldverify.claims.read import BadClaim
    from pldverify.rulings.certify import Certificate
    from pldverify.rulings.ruling import Ruling
    from pldverify.sweeps.local import Local

_ENDINGS = (".toml", ".json", ".csv", ".xlsx", ".yaml", ".yml")
"""Endings of files of claims; YAML is refused with a reason."""
_MOST_JOBS = 64
"""Processes that judge a file of claims."""
_STYLES = {"CERTIFIED": "green", "REFUTED": "red", "CONDITIONAL": "yellow", "UNDECIDED": "yellow"}

file_options = together(
    option(
        "--html PAGE|DIR/",
        "Write the rulings as a page; of EXPR, and of each claim in DIR/, with a plot.",
        click.Path(),
    ),
    option("--csv TABLE", "Those on FILE... as CSV.", click.Path()),
    option("--markdown PAGE", "The page in Markdown.", click.Path()),
    option(
        "--jobs N",
        "Processes for FILE...; by default 1 for a few claims, else as many as there are cores.",
        at_most(_MOST_JOBS),
    ),
)
_FEW = 8
"""Claims that are not worth another process."""


@dataclass(frozen=True)
class Files:
    """Where rulings are written: a folder of certificates, a page, tables; and how many processes judge."""

    out: str | None
    html: str | None
    csv: str | None
    markdown: str | None
    jobs: Fraction | None

    def write_pages(self, certificate: "Certificate", told: "Told") -> None:
        """The pages of one certificate. Raises InvalidInput for what can't be written."""
        if self.html is not None:
            from pldverify.certificate.html_page import html

            page = str(Path(self.html) / "index.html") if self.has_pages else self.html
            save("--html", page, html(certificate, told=told))
        if self.markdown is not None:
            from pldverify.certificate.markdown_page import markdown

            save("--markdown", self.markdown, markdown(certificate, told))

    def processes(self, claims: int) -> int:
        """How many. Raises InvalidInput."""
        if self.jobs is not None:
            return count(self.jobs, "jobs")
        return 1 if claims <= _FEW else min(os.cpu_count() or 1, 8)

    def check(self, paths: Sequence[str] = ()) -> None:
        """A mistake is told before anything is judged, or claims are overwritten. Raises InvalidInput."""
        for name in ("html", "csv", "markdown"):
            file = getattr(self, name)
            if name == "html" and self.has_pages:
                continue
            if file is not None and (Path(file).is_dir() or not Path(file).absolute().parent.is_dir()):
                raise InvalidInput(f"--{name} must be a file that can be written, got --{name}={file}")
            if file is not None and any(Path(file).resolve() == Path(path).resolve() for path in paths):
                raise InvalidInput(f"--{name} must be another file than the claims, got --{name}={file}")
        for name, folder in (("out", self.out), ("html", self.html if self.has_pages else None)):
            if folder is not None:
                try:
                    Path(folder).mkdir(parents=True, exist_ok=True)
                except OSError as error:
                    raise InvalidInput(
                        f"--{name} must be a folder for FILE..., got --{name}={folder}: {error.strerror}"
                    ) from None

    @property
    def has_pages(self) -> bool:
        """Whether the pages go to a folder."""
        page = self.html or ""
        return page.endswith(("/", os.sep)) or (page != "" and Path(page).is_dir())

    def write(
        self, rulings: "Sequence[Ruling]", bad: "Sequence[BadClaim]", place: "Local | None" = None
    ) -> None:
        """Raises InvalidInput for what can't be written."""
        from pldverify.claims.page import html
        from pldverify.claims.tables import csv_table, markdown

        if self.html is not None and not self.has_pages:
            save("--html", self.html, html(rulings, [str(each) for each in bad]))
        if self.csv is not None:
            save("--csv", self.csv, csv_table(rulings))
        if self.markdown is not None:
            save("--markdown", self.markdown, markdown(rulings))
        if self.out is not None:
            from pldverify.certificate.issue import document
            from pldverify.claims.certificates import certificates

            for issued in certificates(rulings):
                path = Path(self.out) / f"{issued.name}.json"
                save("--out", str(path), document(issued.certificate).text())
        if self.html is not None and self.has_pages:  # last, as each takes seconds
            _write_pages(Path(self.html), rulings, bad, place)


def _write_pages(
    folder: Path, rulings: "Sequence[Ruling]", bad: "Sequence[BadClaim]", place: "Local | None"
) -> None:
    """``index.html`` first, then a page for each certificate."""
    from pldverify.claims.certificates import certificates
    from pldverify.claims.many import pages as rendered
    from pldverify.claims.page import html as index
    from pldverify.cli.progress import progress

    made = [issued for issued in certificates(rulings, ["index"]) if issued.reading.kind == "literal"]
    pages = {id(issued.reading): f"{issued.name}.html" for issued in made}
    save("--html", str(folder / "index.html"), index(rulings, [str(each) for each in bad], pages))
    with progress(len(made)) as tell:
        for done, (i, page) in enumerate(rendered(made, place)):
            tell(done, f"{made[i].name}.html")
            save("--html", str(folder / f"{made[i].name}.html"), page)


def are_files(asked: Sequence[str]) -> bool:
    """Whether they are claims files: the first one exists as a file, or ends like one."""
    return bool(asked) and (asked[0].lower().endswith(_ENDINGS) or os.path.isfile(asked[0]))


def certify_files(
    paths: Sequence[str], files: Files, as_json: bool, explain: bool, others: Mapping[str, object]
) -> Exit:
    """Judge every claim, also print and write what was judged before Ctrl-C. Raises InvalidInput."""
    from pldverify.claims.certify_file import apart, rows
    from pldverify.claims.many import processes

    given = [name for name, value in others.items() if value is not None]
    if given:
        raise InvalidInput(f"{given[0]} must stand with EXPR: a claims file says it in each claim")
    files.check(paths)
    all_rows = [row for path in paths for row in rows(path)]
    found: dict[int, Ruling | BadClaim] = {}
    with processes(files.processes(len(all_rows))) as place:
        try:
            _judge(all_rows, place, found)
        finally:
            rulings, bad = apart(found)
            try:  # first the files: who reads the verdicts may leave
                files.write(rulings, bad, place)
            finally:
                if as_json:
                    _echo(rulings, bad)
                else:
                    _print(rulings, bad, explain)
    return _exit(rulings, bad)


def _judge(rows: "Sequence[Row]", place: "Local | None", found: "dict[int, Ruling | BadClaim]") -> None:
    from pldverify.claims.many import judged
    from pldverify.cli.progress import progress

    with progress(len(rows)) as tell:
        tell(0, rows[0][0])
        for i, ruling in judged(rows, place):
            found[i] = ruling
            tell(len(found), rows[i][0])


def _echo(rulings: "Sequence[Ruling]", bad: "Sequence[BadClaim]") -> None:
    wrong = [{"file": each.file, "id": each.claim, "reason": each.reason} for each in bad]
    echo_json({"rulings": [ruling.to_json() for ruling in rulings], "not_judged": wrong})


def _print(rulings: "Sequence[Ruling]", bad: "Sequence[BadClaim]", explain: bool) -> None:
    from pldverify.claims.tables import summary
    from pldverify.cli.console import say

    for ruling in rulings:
        verdict = str(ruling.verdict)
        say(f"{verdict}: {ruling.claim.id}: {ruling.says}", _STYLES[verdict])
        for line in _lines(ruling, explain):
            say(f"  {line}")
    say(summary(rulings) + (f"; {len(bad)} not judged" if bad else ""))
    for each in bad:
        echo(f"Error: {each}", err=True)


def _lines(ruling: "Ruling", explain: bool) -> list[str]:
    """Each meaning, why, with what it would hold; what is not stated where that is asked for."""
    from pldverify.claims.tables import cells

    rows = cells(ruling)
    lines = []
    for row in rows:
        case = f"{row['case']}: {row['literally']}" if len(rows) > 1 else ""
        rounded = f"with rounding {row['rounded']}" if row["rounded"] not in ("", row["literally"]) else ""
        lines.append(", ".join(filter(None, (case, rounded, row["truth"]))))
    lines += [ruling.explanation] if ruling.explanation else []
    lines += [f"would hold with {miss}" for miss in ruling.misses]
    lines += [ruling.claim.note] if ruling.claim.note else []
    if explain:
        lines += [f"{reading.says}: {reading.reason}" for reading in ruling.readings if reading.reason]
    if ruling.not_stated:
        lines.append(f"not stated: {', '.join(ruling.not_stated)}")
    return [line for line in lines if line]


def _exit(rulings: "Sequence[Ruling]", bad: "Sequence[BadClaim]") -> Exit:
    verdicts = {str(ruling.verdict) for ruling in rulings}
    if "REFUTED" in verdicts:
        return Exit.REFUTED
    if bad:
        return Exit.BAD_INPUT
    return Exit.SOUND if verdicts <= {"CERTIFIED"} else Exit.UNDECIDED
