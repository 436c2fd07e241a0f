"""What the scripts of this folder share: the klines, two cases, and what a run cost."""

import json
import resource
import sys
import time

import numpy
import pandas

# Cash, part of the equity that an entry is worth, and klines of the fast and the slow average.
CASES = {
    "many": (100_000.0, 0.01, 10, 30),
    "few": (10_000.0, 0.95, 200, 1000),
}
FEE_RATE = 0.001


def klines_of(path: str) -> pandas.DataFrame:
    """Open time (ms UTC), open, high, low, close and volume of each kline."""
    rows = numpy.fromfile(path, dtype="<f8").reshape(-1, 6)
    frame = pandas.DataFrame(rows[:, 1:], columns=["Open", "High", "Low", "Close", "Volume"])
    frame.index = pandas.to_datetime(rows[:, 0].astype("int64"), unit="ms")
    return frame


def report(version: str, run) -> None:
    """Runs a case, and prints what it cost and what it came to; `run` returns fills and worth at the end."""
    before = time.process_time()
    fills, worth = run()
    seconds = time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"version": version, "seconds": seconds, "fills": int(fills), "worth": float(worth), "peakKb": peak}))


def asked():
    """The file of klines and the name of the case, as the command line gives them."""
    return sys.argv[1], sys.argv[2]
