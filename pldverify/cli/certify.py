"""``pldverify certify EXPR --delta D --epsilon E``, ``pldverify certify FILE…``: is a budget true?"""

import errno
import os
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pldverify.cli import options, run
from pldverify.cli.answer import echo_json
from pldverify.cli.certify_files import Files, are_files, certify_files, file_options
from pldverify.cli.exits import Exit
from pldverify.cli.options import option
from pldverify.cli.output import echo, save, writing
from pldverify.cli.words import Expression
from pldverify.errors import InvalidInput
from pldverify.mechanisms.batches import SIZES
from pldverify.mechanisms.group import group_size
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import show

if TYPE_CHECKING:
    from pldverify.certificate.plain import Told
    from pldverify.rulings.certify import Certificate
    from pldverify.values.verdict import Relation

_EXITS = {
    "CERTIFIED": Exit.SOUND,
    "REFUTED": Exit.REFUTED,
    "CONDITIONAL": Exit.UNDECIDED,
    "UNDECIDED": Exit.UNDECIDED,
}
_RELATIONS: "dict[str, Relation]" = {"<=": "<=", "≤": "<=", ">=": ">=", "≥": ">=", "==": "=", "=": "="}


@click.command()
@click.argument("asked", type=Expression(), metavar="[EXPR | FILE...]", nargs=-1)
@run.flags
@option("--delta D", "Between 0 and 1; for EXPR.", options.NUMBER)
@option(
    "--epsilon E",
    'For EXPR: ε of the reported budget, in nats, ≥ 0; ">= 6.9" and "= 6.91" are claims, too.',
    click.STRING,
)
@option(
    "--out FILE|DIR",
    "Write the certificate there, as JSON that `pldverify recheck` decides again; of FILE... to DIR.",
    click.Path(writable=True),
)
@option(
    "--sign KEY",
    "Sign what --out writes with this private key (ed25519, PEM), in a DSSE envelope.",
    options.OLD_FILE,
    name="key",
)
@option(
    "--coq FILE",
    "Of finite pairs, (ε, δ)-DP, noise and Poisson samples: write the claim there as a theorem of Coq.",
    click.Path(writable=True, dir_okay=False),
)
@file_options
@options.how
@options.engine
def certify(
    asked: tuple[str, ...],
    delta: options.Exact | None,
    epsilon: str | None,
    out: str | None,
    key: str | None,
    coq: str | None,
    adjacency: Adjacency | None,
    digits: int | None,
    engine: str | None,
    as_json: bool,
    explain: bool,
    html: str | None,
    csv: str | None,
    markdown: str | None,
    jobs: Fraction | None,
    **flags: Any,
) -> None:
    """Certify or refute that EXPR is (ε, δ)-DP, or every claim of claims files (TOML, JSON, CSV).

    The claim is judged to the last digit: "= 6.91" says that the true ε is exactly 6.91. A claim of a file is
    read with the rounding of its number, too.
    """
    if are_files(asked):
        given = {"--delta": delta, "--epsilon": epsilon, "--adjacency": adjacency, "--digits": digits}
        given |= {"--engine": engine, "--sign": key, "--coq": coq}
        given |= {run.flag(name): value for name, value in flags.items()}
        raise click.exceptions.Exit(
            certify_files(asked, Files(out, html, csv, markdown, jobs), as_json, explain, given)
        )
    from pldverify.rulings.certify import certify as rule
    from pldverify.rulings.certify import narrowed

    pages = Files(None, html, csv, markdown, jobs)
    options.stand_with("claims files", csv=csv, jobs=jobs)
    pages.check()
    file = None if out is None else _place(out)
    if len(asked) > 1:
        raise InvalidInput(f"EXPR must be one argument, got {len(asked)}; files end in .toml, .json or .csv")
    for name, value in (("delta", delta), ("epsilon", epsilon)):
        if value is None:
            context = click.get_current_context()
            param = next(each for each in context.command.params if each.name == name)
            raise click.MissingParameter(ctx=context, param=param)
    composition = run.read(asked[0] if asked else None, flags)
    assert composition is not None and delta is not None and epsilon is not None
    if key is not None and out is None:
        raise InvalidInput("--sign must come with --out, the file that is to be signed")
    relation, number = _claim(epsilon)
    query = Query(composition, delta=delta, adjacency=adjacency)
    certificate = rule(query, number, relation=relation, digits=digits, engine=engine)
    if digits is None and engine is None:
        certificate = narrowed(certificate)
    try:  # first the files: who reads the verdict may leave
        if file is not None:
            _write(certificate, file, key)
        if coq is not None:
            _write_coq(certificate, coq)
        pages.write_pages(certificate, _told(composition, flags, file))
    finally:
        if as_json:
            echo_json(certificate.to_json())
        else:
            _print(certificate, explain)
    raise click.exceptions.Exit(_EXITS[certificate.verdict])


def _place(out: str) -> str:
    """The file of a certificate, in a folder if that is given; a mistake is told before anything is ruled.
    Raises InvalidInput.
    """
    folder = out.endswith(("/", os.sep)) or Path(out).is_dir()
    file = Path(out) / "certificate.json" if folder else Path(out)
    with writing("--out", out):
        if folder:
            Path(out).mkdir(parents=True, exist_ok=True)
        if not file.absolute().parent.is_dir() or file.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    return str(file)


def _told(composition: Composition, flags: Mapping[str, Any], file: str | None) -> "Told":
    """What the flags of a run say of it."""
    from pldverify.certificate.plain import NOTHING, Told, training

    if flags.get("noise_multiplier") is None:
        return Told(file=Path(file or NOTHING.file).name)
    flagged = ((name, flags.get(name)) for name in ("sampling", *SIZES))
    said: dict[str, Any] = {name: value for name, value in flagged if value is not None}
    records = said.get("dataset_size")
    return Told(
        training(composition, **said),
        records if isinstance(records, Fraction) else None,
        file=Path(file or NOTHING.file).name,
    )


def _write(certificate: "Certificate", path: str, key: str | None) -> None:
    """The certificate's document, signed if there is a key. Raises InvalidInput where it can't be written."""
    from pldverify.certificate.issue import document

    content = document(certificate).text()
    if key is not None:
        from pldverify.certificate.sign import sign

        content = sign(document(certificate), Path(key).read_bytes())
    save("--out", path, content)


def _write_coq(certificate: "Certificate", path: str) -> None:
    """Raises InvalidInput where the kernel has no such statement, or the file can't be written."""
    from pldverify.certificate.coq import claim

    save("--coq", path, claim(certificate))


def _claim(text: str) -> "tuple[Relation, options.Exact]":
    """What is claimed of the true ε, and the number."""
    found = next((sign for sign in _RELATIONS if text.strip().startswith(sign)), "")
    return _RELATIONS.get(found, "<="), options.number(text.strip().removeprefix(found), "epsilon")


def _print(certificate: "Certificate", explain: bool) -> None:
    from pldverify.rulings.soundness import CAUSES
    from pldverify.values.verdict import SIGNS

    query, truth = certificate.query, certificate.truth
    sign = SIGNS[certificate.relation]
    delta = show(query.delta or Fraction(0))
    why = ""
    if certificate.verdict == "UNDECIDED" and certificate.cause in CAUSES:
        why = f" ({CAUSES[certificate.cause]})"
    echo(f"{certificate.verdict}{why}: ε {sign} {show(certificate.epsilon)} at δ = {delta}")
    records = group_size(query.composition)
    unit = f", one record being a group of up to {records:,} records" if records > 1 else ""
    echo(f"of {query.composition}, {query.adjacency}{unit}")
    if truth is not None:
        echo(" ".join(certificate.shown))
        echo(truth.proof())
    if certificate.reason:
        echo(certificate.reason)
    if truth is not None and explain:
        echo("\n".join(truth.details()))
