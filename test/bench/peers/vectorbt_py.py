"""vectorbt: arrays of entries and exits, a market order at the open after each crossing."""

from importlib.metadata import version

import vectorbt

from measured import CASES, FEE_RATE, asked, klines_of, report

path, case = asked()
cash, fraction, fast_klines, slow_klines = CASES[case]
klines = klines_of(path)


def run():
    fast = vectorbt.MA.run(klines.Close, fast_klines)
    slow = vectorbt.MA.run(klines.Close, slow_klines)
    portfolio = vectorbt.Portfolio.from_signals(
        klines.Close,
        entries=fast.ma_crossed_above(slow).vbt.fshift(1),
        exits=fast.ma_crossed_below(slow).vbt.fshift(1),
        price=klines.Open,
        # vectorbt sizes by the free cash, which is the equity while nothing is held.
        size=fraction,
        size_type="percent",
        init_cash=cash,
        fees=FEE_RATE,
        freq="1min",
    )
    return portfolio.orders.count(), portfolio.final_value()


# The first run compiles; users wait for it once in a machine's life, for numba keeps it.
run()
report(version("vectorbt"), run)
