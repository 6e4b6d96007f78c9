"""What pages share: templates, those of HTML escaping everything, the digest that lets a script run, and the
axes of their drawings.
"""

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pldverify.foreign import code, code_cell, markdown, visible
from pldverify.version import __version__

_AXES = """\
{% macro axes(box, xs, ys) %}
{% for tick in ys %}
<path class="grid" d="M{{ box.left }} {{ tick.at }}H{{ box.end }}"/><text class="y" x="{{ box.left - 6 }}" \
y="{{ tick.at + 4 }}">{{ tick.label }}</text>
{% endfor %}
{% for tick in xs %}
<path class="grid" d="M{{ tick.at }} {{ box.top }}V{{ box.floor }}"/><text class="x" x="{{ tick.at }}" \
y="{{ box.floor + 16 }}">{{ tick.label }}</text>
{% endfor %}
{% endmacro %}
"""
_PLAIN = (".md", ".v")
"""Endings of templates that are no HTML."""


@cache
def environment(folder: Path) -> Environment:
    """Templates of a folder, and ``axes.html``: everything is visible, and in HTML escaped, a name that is
    missing an error. In Markdown what others wrote passes ``markdown`` or ``code``, in a table ``cell``.
    """
    made = Environment(
        loader=ChoiceLoader([FileSystemLoader(folder), DictLoader({"axes.html": _AXES})]),
        autoescape=lambda name: name is None or not name.endswith(_PLAIN),
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals["version"] = __version__
    made.filters |= {"markdown": markdown, "code": code, "cell": code_cell}
    return made


def filled(beside: str, name: str, /, **context: Any) -> str:
    """The template of this name in the folder ``page`` beside a file."""
    return environment(Path(beside).with_name("page")).get_template(name).render(context)


def _shown(value: object) -> object:
    """What stands in a page: of a text that is no markup, what would steer it is an escape."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def digest(source: str) -> str:
    """A script or style as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


@dataclass(frozen=True)
class Tick:
    """A place on an axis, and its label."""

    at: float
    label: str


@dataclass(frozen=True)
class Box:
    """A drawing of ``width`` by ``height``; its axes leave these margins.

    >>> box = Box(100, 50, left=20, right=10, top=5, bottom=15)
    >>> box.across(0.5), box.up(0.0), box.up(1.0)
    (55.0, 35.0, 5.0)
    """

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int

    @property
    def end(self) -> int:
        """Where the horizontal axis ends."""
        return self.width - self.right

    @property
    def floor(self) -> int:
        """Where the vertical axis starts."""
        return self.height - self.bottom

    def across(self, share: float) -> float:
        """The place of a share of the horizontal axis."""
        return round(self.left + share * (self.end - self.left), 2)

    def up(self, share: float) -> float:
        """The place of a share of the vertical axis; 1 is at the top."""
        return round(self.floor + share * (self.top - self.floor), 2)
