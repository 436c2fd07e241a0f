"""vectorbt: pairs of averages over all klines at once, with their total return and daily Sharpe ratio."""

import sys
from importlib.metadata import version

import vectorbt

from measured import FEE_RATE, klines_of, report

path, windows, rows = sys.argv[1], [int(window) for window in sys.argv[2].split(",")], int(sys.argv[3])
klines = klines_of(path).iloc[:rows]


def run():
    fast, slow = vectorbt.MA.run_combs(klines.Close, windows, r=2, short_names=["fast", "slow"])
    portfolio = vectorbt.Portfolio.from_signals(
        klines.Close, fast.ma_crossed_above(slow), fast.ma_crossed_below(slow), fees=FEE_RATE, freq="1min"
    )
    portfolio.sharpe_ratio()
    returns = portfolio.total_return()
    return len(returns), returns.max()


# The first run compiles.
run()
report(version("vectorbt"), run)
