"""Rulings as one HTML page: no network, no script, everything escaped."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pldverify.claims.tables import cells, sentence, source, summary
from pldverify.foreign import html as escape
from pldverify.rulings.ruling import Ruling
from pldverify.version import __version__

_STYLE = (
    "body{font:16px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;vertical-align:top;"
    "border-bottom:1px solid #ddd}.CERTIFIED{color:#176117}.REFUTED{color:#a11313}.CONDITIONAL{color:#8a5a00}"
    ".UNDECIDED{color:#555}a{color:inherit}small{color:#555}.wide{overflow-x:auto}"
    "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}td,th{border-color:#444}"
    ".CERTIFIED{color:#7ad07a}.REFUTED{color:#ff8f8f}.CONDITIONAL{color:#f0bd6a}.UNDECIDED,small{color:#aaa}}"
    "@media(max-width:40rem){table,tbody,tr,td{display:block}thead,td:empty{display:none}td{border:0;"
    "overflow-wrap:anywhere}tr{border-bottom:1px solid}td[data-label]::before{content:attr(data-label)': '}}"
)
_HEADS = ("claim", "case", "literally", "rounded", "proved")


def html(rulings: Sequence[Ruling], bad: Sequence[str] = (), pages: Mapping[int, str] | None = None) -> str:
    """The page. ``pages``: of a reading, by its ``id()``, a page of its own, to which its case is a link.

    >>> html([], ["<b>"]).count("&lt;b&gt;"), "<script" in html([])
    (1, False)
    """
    body = "".join(_section(ruling, pages or {}) for ruling in rulings)
    wrong = "".join(f"<p>Not judged: {escape(line)}</p>" for line in bad)
    heads = "".join(f"<th>{head}</th>" for head in _HEADS)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width"><title>Reported privacy budgets</title>'
        f"<style>{_STYLE}</style></head><body><h1>Reported privacy budgets</h1><p>{escape(summary(rulings))}."
        f' pldverify {__version__}.</p>{wrong}<div class="wide"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table></div></body></html>\n"
    )


def _section(ruling: Ruling, pages: Mapping[int, str]) -> str:
    rows = cells(ruling)
    linked = [pages.get(id(reading)) for reading in ruling.readings if reading.kind == "literal"] or [None]
    told = [sentence(ruling), ruling.claim.note or "", source(ruling)]
    if ruling.not_stated:
        told.append(f"Not stated: {', '.join(ruling.not_stated)}.")
    about = "".join(f"<br><small>{escape(text)}</small>" for text in told if text)
    first = f'<td rowspan="{len(rows)}"><b>{escape(ruling.claim.id)}</b><br>{escape(ruling.says)}{about}</td>'
    return "".join(
        _row(first if i == 0 else "", row, page)
        for i, (row, page) in enumerate(zip(rows, linked, strict=True))
    )


def _row(first: str, row: dict[str, str], page: str | None) -> str:
    case = escape(row["case"])
    case = f'<a href="{escape(quote(page))}">{case}</a>' if page else case
    words = (
        f'<td data-label="{name}" class="{row[name]}">{row[name]}</td>' for name in ("literally", "rounded")
    )
    truth = escape(row["truth"])
    return f'<tr>{first}<td data-label="case">{case}</td>{"".join(words)}<td>{truth}</td></tr>'
