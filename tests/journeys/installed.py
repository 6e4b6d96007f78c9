"""The package as its users get it: a wheel, built from the sdist, installed in a new environment."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 1_800  # seconds; ends only what hangs
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
"""What would let the new environment see another one."""


@dataclass(frozen=True)
class Installed:
    """Files that were built, and the environment that the wheel is installed in, beside an empty folder."""

    sdist: Path
    wheel: Path
    environment: Path
    folder: Path

    def run(self, *command: str, code: int = 0) -> str:
        """What a command of the environment prints; fails with all of its output for another exit code."""
        done = execute([str(self.environment / "bin" / command[0]), *command[1:]], self.folder)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def pldverify(self, *arguments: str, code: int = 0) -> str:
        return self.run("pldverify", *arguments, code=code)

    def python(self, source: str) -> str:
        return self.run("python", "-c", source)


def execute(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command that sees no other environment."""
    clean = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    clean |= {"PLDVERIFY_CACHE_DIR": str(folder / "cache"), "MPLBACKEND": "agg"}
    return subprocess.run(
        command, cwd=folder, env=clean, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE
    )


def succeed(command: list[str], folder: Path) -> None:
    done = execute(command, folder)
    assert done.returncode == 0, done.stdout + done.stderr


def install(folder: Path) -> Installed:
    """Build both files with the tools of the extra ``test``; install the wheel, with ``plot``, and pytest."""
    succeed(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder / "dist"), str(ROOT)], folder
    )
    (sdist,), (wheel,) = (folder / "dist").glob("*.tar.gz"), (folder / "dist").glob("*.whl")
    environment = folder / "environment"
    succeed([sys.executable, "-m", "venv", str(environment)], folder)
    pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    succeed([*pip, f"{wheel}[plot]", "pytest"], folder)
    (folder / "empty").mkdir()
    return Installed(sdist, wheel, environment, folder / "empty")
