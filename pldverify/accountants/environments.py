"""Environments: libraries that can't be installed beside others, each in a virtual environment of its own.

They stand in ``$XDG_DATA_HOME/pldverify/environments`` or, where that is not set, in
``~/.local/share/pldverify/environments``, a folder for each library. An environment holds the library and
what it requires, and nothing of ours. It is built beside its place and moved there when it is complete.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from pldverify.errors import InvalidInput, MissingLibrary
from pldverify.named import one_line

_PIP = ("-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--quiet")
_PATIENCE = 300
"""Seconds for an environment to import its library."""
_PYTORCH = ("--index-url", "https://download.pytorch.org/whl/cpu")


@dataclass(frozen=True)
class Recipe:
    """How a library is installed: arguments of one run of pip after another, and the module that it has."""

    module: str
    steps: tuple[tuple[str, ...], ...]


RECIPES = {
    # its Fourier accountant calls what scipy 1.10 removed
    "autodp": Recipe("autodp.transformer_zoo", (("autodp==0.2.3.1", "scipy<1.10"),)),
    # it imports what scikit-learn 1.9 removed
    "diffprivlib": Recipe("diffprivlib", (("diffprivlib==0.6.6", "scikit-learn<1.9"),)),
    "flwr": Recipe("flwr.supercore.privacy_accounting.rdp_accountant", (("flwr[dp]==1.42.0",),)),
    "fourier-accountant": Recipe("fourier_accountant", (("fourier-accountant==0.12.11",),)),
    "gdpnum": Recipe("gdpnum", (("gdpnum==0.1.2",),)),
    "jax-privacy": Recipe("jax_privacy", (("jax-privacy==2.0.0",),)),
    # what has the Gaussian mechanism is apart; it takes a Python whose dataclasses are mended, such as 3.13
    "opake-accounting": Recipe(
        "opake.dpsgd.accounting",
        ((*_PYTORCH, "torch==2.13.0"), ("opake-accounting==0.16.1", "opake-dpsgd==0.16.1")),
    ),
    # without this order pip takes the build of torch for graphics cards, which is several times as large
    "opacus": Recipe("opacus", ((*_PYTORCH, "torch==2.13.0"), ("opacus==1.6.0",))),
    "opendp": Recipe("opendp", (("opendp==0.16.0",),)),
    "pld-accounting": Recipe("PLD_accounting", (("pld-accounting==2.0",),)),
    # what it draws with, and does not ask for
    "random-allocation": Recipe("random_allocation", (("random-allocation==1.0.5", "pandas", "seaborn"),)),
    "riskcal": Recipe("riskcal", (("riskcal==1.5.1",),)),
    "tmlt-core": Recipe("tmlt.core.measurements.composition", (("tmlt-core==0.20.0",),)),
    # it asks for dp-accounting 0.4.3, which is older than numpy 2; TensorFlow 2.16 broke its estimators
    "tensorflow-privacy": Recipe(
        "tensorflow_privacy", (("tensorflow-privacy==0.9.0", "numpy<2", "tensorflow<2.16"),)
    ),
}
"""Distributions that have an environment."""


@dataclass(frozen=True)
class Environment:
    """One that exists."""

    name: str
    path: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.path / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def version(self) -> str:
        """The version of the library, "none" if it is not there."""
        places = [str(place) for place in self.path.glob("[Ll]ib/**/site-packages")]
        return next((found.version for found in metadata.distributions(name=self.name, path=places)), "none")

    @property
    def size(self) -> int:
        """Bytes on disk."""
        files = (Path(folder, name) for folder, _, names in os.walk(self.path) for name in names)
        return sum(file.lstat().st_size for file in files)

    def broken(self) -> str | None:
        """Why the library can't be imported there; None if it can."""
        try:
            self._run(f"import {RECIPES[self.name].module}")
        except MissingLibrary as error:
            return str(error)
        return None

    def state(self) -> dict[str, str | int | None]:
        """Name, version, python, bytes, and why it is broken (None: the library can be imported there)."""
        try:
            python = self._run("import platform; print(platform.python_version())")
        except MissingLibrary:
            python = "none"
        return {
            "name": self.name,
            "version": self.version,
            "python": python,
            "bytes": self.size,
            "broken": self.broken(),
        }

    def _run(self, code: str) -> str:
        command = [str(self.python), "-I", "-c", code]
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PATIENCE
            )
        except OSError as error:
            raise MissingLibrary(f"{self.python} does not run: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            raise MissingLibrary(f"it does not answer in {_PATIENCE} s") from None
        if done.returncode:
            raise MissingLibrary(_last_line(done.stderr) or f"exit code {done.returncode}")
        return done.stdout.strip()


def root() -> Path:
    """The folder that environments stand in."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "pldverify" / "environments"


def environments() -> list[Environment]:
    """Those that exist, by name."""
    return [Environment(name, root() / name) for name in sorted(RECIPES) if (root() / name).is_dir()]


def find(name: str) -> Environment:
    """The environment of a library. Raises MissingLibrary, which says how to make it."""
    environment = Environment(name, root() / name)
    if environment.python.exists():
        return environment
    if environment.path.exists():
        raise MissingLibrary(
            f"the environment of {name} is broken, {environment.python} does not run: "
            f"pldverify env remove {name}, then pldverify env add {name}"
        )
    raise MissingLibrary(
        f"the library {name} is not installed: pldverify env add {name}, or pip install {name} here"
    )


def add(name: str, python: str = sys.executable) -> Environment:
    """Make the environment of a library with the interpreter ``python``; pip needs a network for it.

    Raises InvalidInput for an unknown name and where the environment exists, MissingLibrary where it cannot
    be made: it says what venv or pip said.
    """
    recipe, environment = _recipe(name), Environment(name, root() / name)
    if environment.path.exists():
        raise InvalidInput(f"the environment of {name} exists: pldverify env remove {name} removes it")
    root().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{name}.", dir=root(), ignore_cleanup_errors=True) as folder:
        made = Environment(name, Path(folder) / name)
        _call(f"an environment for {name} can't be made", [python, "-m", "venv", str(made.path)])
        for step in recipe.steps:
            _call(f"{name} can't be installed", [str(made.python), *_PIP, *step])
        broken = made.broken()
        if broken is not None:
            raise MissingLibrary(f"{name} was installed, but can't be imported: {broken}")
        try:
            made.path.rename(environment.path)
        except OSError:  # somebody else was quicker
            raise InvalidInput(f"the environment of {name} exists by now") from None
    return environment


def remove(name: str) -> None:
    """Remove the environment of a library, a broken one too. Raises InvalidInput where there is none."""
    _recipe(name)
    path = root() / name
    if not path.exists():
        raise InvalidInput(f"there is no environment of {name} at {path}")
    shutil.rmtree(path)


def _recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise InvalidInput(f"environment must be one of {', '.join(sorted(RECIPES))}, got {name!r}")
    return RECIPES[name]


def _call(what: str, command: list[str]) -> None:
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except OSError as error:
        raise MissingLibrary(f"{what}: {command[0]}: {error.strerror}") from None
    if done.returncode:
        raise MissingLibrary(f"{what}: {reason(done.stderr or done.stdout)}")


def reason(text: str) -> str:
    """Why pip or venv failed, of all that they wrote: their last line, or that there is no network."""
    if "connection broken by" in text or "Failed to establish a new connection" in text:
        return f"pip can't reach its index, is there a network? {_last_line(text)}"
    return _last_line(text)


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return one_line(lines[-1]) if lines else ""
