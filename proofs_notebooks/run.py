"""Run the notebooks and keep what they print and draw, or compare that with what is kept.

    python -m proofs_notebooks.run [NAME …]           # run and write
    python -m proofs_notebooks.run --check [NAME …]   # run and compare; exit code 1 if something differs

From the root of the repository; needs the extra ``nightly``. What is kept is small and the same on every
machine: no times, no paths, no versions, pictures at the size of a web page (``matplotlibrc`` stands beside
the notebooks, where matplotlib looks for it). Two runs agree if the words are the same and the numbers agree
as far as doubles promise: an engine may prove more digits, a transform may round otherwise. What floats say
and nothing proves stands after ``≈`` and may move by a unit of the last digit shown: a notebook shows digits
that the kernels of every processor share, and in the place of noise what bounds it. A picture must be there.
"""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import nbformat

HERE = Path(__file__).parent
HOURS = dict.fromkeys(("timeout", "startup_timeout", "iopub_timeout"), 3600)
"""Seconds; they end only what hangs."""
SAME, NOISE = 1e-6, 1e-12
"""Numbers agree to ``SAME``, relative. Two that are both below ``NOISE``, where a double's rounding shows,
agree within a factor of 1000.
"""
NUMBER = re.compile(r"(?P<floats>≈ ?)?(?<![\w.])(?P<text>[-−+]?\d+(?:[_,]\d{3})*(?:\.\d+)?(?:e[-−+]?\d+)?)")
RADIUS = re.compile(r"± ?\S+|\+/- ?[\d.e+-]+")
RICH = ("text/html", "text/latex", "text/markdown")
"""What a page shows; text beside them would be kept twice."""


def notebooks(names: list[str]) -> list[Path]:
    """The notebooks of these names; all of them without one."""
    return [HERE / f"{name}.ipynb" for name in names] or sorted(HERE.glob("*.ipynb"))


def executed(path: Path) -> Any:
    """The notebook, run from start to end in an empty cache."""
    import nbclient  # here: the gate has no kernel, and asks for all else of this file

    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as cache:
        ours = [str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PLDVERIFY_CACHE_DIR": cache, "PYTHONPATH": os.pathsep.join(ours)}
        environment.pop("MPLBACKEND", None)  # the kernel's own, which keeps pictures
        client = nbclient.NotebookClient(
            notebook,
            **HOURS,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": str(HERE)}},
        )
        client.execute(env=environment)
    return tidy(notebook)


def tidy(notebook: Any) -> Any:
    """Without what differs from machine to machine, and without text that a page does not show."""
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if any(kind in data for kind in (*RICH, "image/png")):
                data.pop("text/plain", None)
            output.pop("metadata", None)
            if output.output_type in ("display_data", "execute_result"):
                output.metadata = nbformat.from_dict({})
    return notebook


def shown(output: Any) -> tuple[str, str]:
    """(kind, text) of an output; a picture has no text."""
    if output.output_type == "stream":
        return output.name, output.text
    data = output.get("data", {})
    kinds = [kind for kind in ("image/png", *RICH, "text/plain") if kind in data]
    kind = kinds[0] if kinds else output.output_type
    return kind, "" if kind == "image/png" else re.sub(r"<[^>]*>", "", str(data.get(kind, "")))


def parts(text: str) -> tuple[list[str], list[tuple[float, float]]]:
    """Words, and numbers with what they may move by; radii, frames of tables and the width of columns don't
    count.
    """
    text = re.sub(r"[─━┏┳┓┃┡╇┩│└┴┘├┼┤]", " ", RADIUS.sub("±", text))
    numbers = []
    for found in NUMBER.finditer(text):
        number = Decimal(re.sub("[_,]", "", found["text"]).replace("−", "-"))
        unit = Decimal(1).scaleb(int(number.as_tuple().exponent)) if found["floats"] else 0
        numbers.append((float(number), float(unit)))
    return NUMBER.sub(lambda found: "≈ #" if found["floats"] else "#", text).split(), numbers


def agree(a: float, b: float, unit: float = 0.0) -> bool:
    largest, smallest = max(abs(a), abs(b)), min(abs(a), abs(b))
    allowed = max(SAME * largest, 1.001 * unit)
    return abs(a - b) <= allowed or (largest <= NOISE and largest <= 1000 * smallest)


def differences(kept: Any, fresh: Any) -> Iterator[str]:
    """What a fresh run shows otherwise, one line each."""
    for number, (old, new) in enumerate(zip(kept.cells, fresh.cells, strict=True)):
        before = [shown(output) for output in old.get("outputs", ())]
        now = [shown(output) for output in new.get("outputs", ())]
        if [kind for kind, _ in before] != [kind for kind, _ in now]:
            yield f"cell {number} shows {[kind for kind, _ in now]}, kept {[kind for kind, _ in before]}"
            continue
        for (_, left), (_, right) in zip(before, now, strict=True):
            (words, values), (new_words, new_values) = parts(left), parts(right)
            if words != new_words or len(values) != len(new_values):
                yield f"cell {number} says otherwise: {right[:200]!r}, kept {left[:200]!r}"
            for (a, unit), (b, new_unit) in zip(values, new_values, strict=False):
                if not agree(a, b, max(unit, new_unit)):
                    yield f"cell {number} shows {b}, kept {a}"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="of a notebook, without .ipynb")
    parser.add_argument("--check", action="store_true", help="compare with what is kept, write nothing")
    options = parser.parse_args(arguments)
    failures = 0
    for path in notebooks(options.names):
        fresh = executed(path)
        if options.check:
            found = list(differences(nbformat.read(path, as_version=4), fresh))
            failures += bool(found)
            print("\n".join([f"{path.stem}: {'differs' if found else 'as kept'}", *found]), flush=True)
        else:
            nbformat.write(fresh, path)
            print(f"{path.stem}: {path.stat().st_size // 1024} KiB", flush=True)
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
