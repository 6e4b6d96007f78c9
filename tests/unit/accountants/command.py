"""A program that speaks the accountant protocol, well or badly: ``python command.py BEHAVIOUR``. It imports
nothing of ours.
"""

import json
import os
import signal
import sys
import time


def say(**message):
    print(json.dumps(message), flush=True)


def five(question):
    say(id=question["id"], kind="claim", value="5.5")


def versioned(question):
    say(id=question["id"], kind="loaded", version="3.1")
    say(
        id=question["id"],
        kind="claim",
        value="11/2",
        direction="upper",
        parameters={"grid": "1e-4"},
        seconds="0.5",
    )


def echoes(question):
    say(id=question["id"], kind="claim", value="5.5", parameters={"asked": json.dumps(question)})


def refuses(question):
    say(id=question["id"], kind="failure", failure="REFUSED", message="only\nGaussians \x1b[2J")


def raises(question):
    say(id=question["id"], kind="failure", failure="RAISED", message="the grid is empty")


def infinite(question):
    say(id=question["id"], kind="claim", value="inf")


def nan(question):
    say(id=question["id"], kind="claim", value="-nan")


def negative(question):
    say(id=question["id"], kind="claim", value="-0.25")


def bare(question):
    say(id=question["id"], kind="claim", value=5.5)


def lower(question):
    say(id=question["id"], kind="claim", value="0.5", direction="lower")


def nested(question):
    print("[" * 300_000, flush=True)


def stale(question):
    say(id="99", kind="claim", value="5.5")


def chatty(question):
    print("loading…", flush=True)


def endless(question):
    while True:
        os.write(1, b" " * 2**20)


def floods_errors(question):
    for _ in range(2**10):
        os.write(2, b"x" * 2**16)
    five(question)


def floods_errors_for_ever(question):
    while True:
        os.write(2, b"x" * 2**16)


def dies(question):
    sys.stderr.write("some line\nlast words\n")
    sys.exit(7)


def is_killed(question):
    os.kill(os.getpid(), signal.SIGKILL)


def closes(question):
    os.close(1)
    time.sleep(600)


def hangs(question):
    time.sleep(600)


def burns(question):
    while True:
        pass


def eats(question):
    bytearray(20 * 2**30)


def forks(question):
    for _ in range(3):
        if os.fork() == 0:
            while True:
                os.write(1, b"x" * 2**16)
    time.sleep(600)


def process(question):
    say(id=question["id"], kind="claim", value=str(os.getpid()))


for line in sys.stdin:
    globals()[sys.argv[1]](json.loads(line))
