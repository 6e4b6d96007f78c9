"""Whether a curve that is drawn as a box a step holds a point."""

import re


def between_steps(path: str, x: float, y: float) -> bool:
    """Whether (x, y) is between the upper and the lower steps of the path, but for rounding."""
    here, level, highs, lows = 0.0, 0.0, list[float](), list[float]()
    for command, number in re.findall(r"([MVH])([\d.]+)", path):
        if command == "V":
            level = float(number)
        else:
            if command == "H" and min(here, float(number)) <= x <= max(here, float(number)):
                (highs if float(number) > here else lows).append(level)
            here = float(number)
    return bool(highs and lows) and min(highs) - 0.02 <= y <= max(lows) + 0.02
