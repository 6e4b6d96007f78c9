"""What the testers of DP-Auditorium that need no training say of bits.

    PYTHON auditorium_asked.py FOLDER TESTER EPSILON < samples.jsonl > bounds.jsonl

FOLDER holds the package ``dp_auditorium``, of whose files only those of the tester are loaded: the package
itself loads TensorFlow and Vizier. A line ``{"first", "second", "failure"}`` in: two lists of bits, or for
each the number of ones and of all; a line with a bound on δ at that ε out.
"""

import json
import sys
from types import ModuleType

import numpy as np


def loaded(folder):
    """The tester's classes, without the ``__init__`` of their packages."""
    for name in ("dp_auditorium", "dp_auditorium.testers"):
        sys.modules[name] = package = ModuleType(name)
        package.__path__ = [f"{folder}/{name.replace('.', '/')}"]
    from dp_auditorium.configs import privacy_property, property_tester_config
    from dp_auditorium.testers import histogram_tester, mmd_tester

    return privacy_property, property_tester_config, histogram_tester, mmd_tester


def made(folder, tester, epsilon):
    properties, configs, histogram, mmd = loaded(folder)
    asked = properties.ApproximateDp(epsilon=epsilon, delta=0.0)
    if tester == "mmd":
        return mmd.MMDPropertyTester(configs.MMDPropertyTesterConfig(configs.Kernel.KERNEL_RBF, 10.0, asked))
    config = configs.HistogramPropertyTesterConfig(True, 2, 0, 1, asked, tester == "histogram, original")
    return histogram.HistogramTester(config)


def samples(said):
    if isinstance(said, list):
        return np.array(said)
    return np.array([1] * said["ones"] + [0] * (said["all"] - said["ones"]))


if __name__ == "__main__":
    folder, tester, epsilon = sys.argv[1:]
    ask = made(folder, tester, float(epsilon))
    for line in sys.stdin:
        row = json.loads(line)
        bound = ask.estimate_lower_bound(samples(row["first"]), samples(row["second"]), row["failure"])
        print(json.dumps(float(bound)))
