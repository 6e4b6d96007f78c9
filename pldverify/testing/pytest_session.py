"""PytestSession: what the options of the pytest plugin ask for, loaded where one is given."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pldverify.errors import InvalidInput
from pldverify.rulings.finding import Finding
from pldverify.testing.checks.check import Result
from pldverify.testing.checks.run import CheckTest
from pldverify.testing.record import recorded

_NOTES = "pldverify"
"""The attribute of a test's report, a text that pytest-xdist carries to the process that writes."""


class PytestSession:
    """Hooks of a run of pytest with options of ours.

    Attributes:
        level: what checks ask, whatever the tests say; None: as they say.
        report: the file that findings go to, or None.
        golden: pinned answers.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.level: Any = config.getoption("pldverify_level")
        self.golden: list[str] = config.getoption("pldverify_golden")
        name = config.getoption("pldverify_report")
        self.report = None if name is None else _report_file(name)
        self._writes = not hasattr(config, "workerinput")  # not in a worker of pytest-xdist
        self._notes: dict[str, list[dict[str, Any]]] = {}
        for file in self.golden:
            if not Path(file).is_file():
                raise pytest.UsageError(f"--pldverify-golden must be a file that is there, got {file}")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Checks get their level; every golden file is a test."""
        for item in items:
            for value in getattr(getattr(item, "callspec", None), "params", {}).values():
                if self.level is not None and isinstance(value, CheckTest):
                    value.ask_at(self.level)
        items += [
            GoldenItem.from_parent(session, name=file, nodeid=f"golden::{file}") for file in self.golden
        ]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """What a test notes is kept, until its report is made."""
        with recorded() as noted:
            yield
        setattr(item, _NOTES, noted)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        """The notes go with the report of the call."""
        made = yield
        if call.when == "call" and self.report is not None:
            noted = getattr(item, _NOTES, [])
            plain = [_plain(item.nodeid, thing) for thing in noted]
            setattr(made.get_result(), _NOTES, json.dumps(plain))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Notes of this process, or of a worker's."""
        if found := getattr(report, _NOTES, None):
            self._notes[report.nodeid] = json.loads(found)

    def pytest_sessionfinish(self) -> None:
        """Write the report."""
        if self.report is None or not self._writes:
            return
        notes = [each for test in sorted(self._notes) for each in self._notes[test]]
        findings = [note["finding"] for note in notes if "finding" in note]
        known = {json.dumps(finding, sort_keys=True): finding for finding in findings}  # each once
        checks = [note["check"] for note in notes if "check" in note]
        self.report.parent.mkdir(parents=True, exist_ok=True)
        self.report.write_text(_written(self.report, list(known.values()), checks), "utf-8")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say where the report is."""
        if self.report is not None:
            terminalreporter.write_line(f"pldverify: the findings are in {self.report}")


class GoldenItem(pytest.Item):
    """A golden file as a test: it fails where an answer has moved, and says which way."""

    def runtest(self) -> None:
        """Ask again what was pinned."""
        from pldverify.testing.golden import moves
        from pldverify.testing.golden_file import read

        if found := moves(read(Path(self.name))):
            raise Moved("\n".join(str(move) for move in found))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The moves, or what is wrong with the file, alone; all else as it is."""
        if isinstance(excinfo.value, Moved | InvalidInput):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        """What stands above a failure."""
        return self.name, None, f"golden answers: {self.name}"


class Moved(Exception):
    """Answers are not those that were pinned."""


def _report_file(name: str) -> Path:
    file = Path(name)
    if file.suffix not in (".html", ".json"):
        raise pytest.UsageError(f"--pldverify-report must end in .html or .json, got {name}")
    return file


def _plain(test: str, thing: object) -> dict[str, Any]:
    if isinstance(thing, Finding):
        return {"finding": thing.to_json()}
    assert isinstance(thing, Result)  # nothing else is noted
    return {"check": {"test": test, **thing.to_json()}}


def _written(file: Path, findings: list[Any], checks: list[Any]) -> str:
    if file.suffix == ".json":
        document = {"findings": findings, "checks": checks}
        return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    from pldverify import report

    return report.html(findings, checks)
