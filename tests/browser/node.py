"""The checker of the page in Node, without a browser: what is asked of single functions of it."""

import json
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

Ask = Callable[..., Any]
READ = """{
  const { runInThisContext } = require("vm"), { readFileSync } = require("fs");
  for (const path of process.argv.slice(1)) runInThisContext(readFileSync(path, "utf-8"));
  require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const [asked, ...given] = JSON.parse(line);
    let told;
    try {
      told = { found: runInThisContext(`(${asked})`)(...given) ?? null };
    } catch (error) {
      told = { error: `${error.stack}` };
    }
    process.stdout.write(JSON.stringify(told) + "\\n");
  });
}"""
"""Evaluates files, and then an expression a line among all that they define."""
SECONDS = 20
"""Of processor time: it only ends what hangs."""


def executable() -> str:
    """Node, the system's or the one that drives browsers. Skips the test where there is none."""
    found = shutil.which("node")
    if found is None:
        playwright = pytest.importorskip("playwright")
        found = str(Path(playwright.__file__).parent / "driver" / "node")
    return found


class Thrown(Exception):
    """What was asked of Node throws, or Node ended before it answered."""


@contextmanager
def asking(*paths: str | Path) -> Iterator[Ask]:
    """``ask(expression, *arguments)`` among all that these files define. It raises Thrown."""
    command = [executable(), "--max-old-space-size=1500", "-e", READ, *map(str, paths)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)),
    ) as node:
        assert node.stdin and node.stdout
        given, told = node.stdin, node.stdout

        def ask(expression: str, *arguments: Any) -> Any:
            try:
                given.write(json.dumps([expression, *arguments]).encode() + b"\n")
                given.flush()
                line = told.readline()
            except OSError:
                line = b""
            answer = json.loads(line) if line else {"error": "Node ended"}
            if "error" in answer:
                raise Thrown(answer["error"])
            return answer["found"]

        try:
            yield ask
        finally:
            os.killpg(node.pid, signal.SIGKILL)
            with suppress(OSError):
                given.close()
