"""``pldverify check ACCOUNTANT... --grid quick``: a sweep that can be taken up again."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from pldverify.cli.asked_as import with_references
from pldverify.cli.budgets import with_budgets
from pldverify.cli.options import at_most, option, together
from pldverify.errors import InvalidInput
from pldverify.numbers.exact import count

if TYPE_CHECKING:
    from pldverify.accountants.accountant import Accountant
    from pldverify.cli.reports import Outputs
    from pldverify.sweeps.cell import Cell
    from pldverify.sweeps.place import Place
    from pldverify.sweeps.session import Session
    from pldverify.sweeps.store import FindingJSON

_MOST_JOBS = 1024
"""Processes that settle a sweep."""

sweep_options = together(
    option("--grid GRID", "Many questions: quick, standard, full, or a .toml or .json file.", click.STRING),
    option(
        "--store FILE.sqlite",
        "Keep findings of a --grid there, and go on from what it has.",
        click.Path(dir_okay=False),
    ),
    option("--jobs N", "Processes that settle a --grid; by default 1.", at_most(_MOST_JOBS)),
    option(
        "--scheduler URL",
        "Settle a --grid on the Dask cluster of that scheduler, such as tcp://host:8786.",
        click.STRING,
    ),
)


@dataclass(frozen=True)
class Where:
    """Where a sweep is kept, and where it runs."""

    store: str | None
    jobs: Fraction | None
    scheduler: str | None

    def place(self) -> "Place":
        """Raises InvalidInput, MissingLibrary."""
        if self.scheduler is not None:
            if self.jobs is not None:
                raise InvalidInput("--jobs must stand without --scheduler, which has its own workers")
            from pldverify.sweeps.cluster import Cluster

            return Cluster(self.scheduler)
        from pldverify.sweeps.local import Local

        return Local(1 if self.jobs is None else count(self.jobs, "jobs"))


def check_grid(
    subjects: Sequence["Accountant"],
    name: str,
    where: Where,
    timeout: float,
    memory: int,
    outputs: "Outputs",
    budgets: int = 0,
) -> list["FindingJSON"]:
    """Sweep, and print what was found, also after Ctrl-C. Raises InvalidInput, MissingLibrary."""
    from pldverify.cli.sweep_output import print_sweep
    from pldverify.sweeps.grids import grid, most
    from pldverify.sweeps.session import Session
    from pldverify.sweeps.store import Store

    queries = grid(name)
    with Store(where.store) as store, where.place() as place:
        session = Session(subjects, queries, store, most=most(name), timeout=timeout, memory=memory)
        try:
            _run(session, place)
        finally:
            documents = with_budgets(with_references(session.findings(), subjects), subjects, budgets)
            outputs.write(documents, lambda: print_sweep(session))
        return session.findings()


def _run(session: "Session", place: "Place") -> None:
    """Settle what is left, and show how far it is."""
    from pldverify.cli.progress import progress

    done = session.before
    with progress(session.total) as tell:

        def began(cell: "Cell") -> None:
            tell(done, str(cell), session.left(place.room()))

        for _ in session.run(place, began):
            done += 1
        tell(done, "done")
