"""backtesting.py: a market order at every crossing, filled at the next open."""

from importlib.metadata import version

import numpy
import pandas
from backtesting import Strategy
from backtesting.lib import FractionalBacktest, crossover

from measured import CASES, FEE_RATE, asked, klines_of, report

path, case = asked()
cash, fraction, fast_klines, slow_klines = CASES[case]
klines = klines_of(path)


def average(values, count):
    return pandas.Series(values).rolling(count).mean()


class SmaCross(Strategy):
    def init(self):
        self.fast = self.I(average, self.data.Close, fast_klines)
        self.slow = self.I(average, self.data.Close, slow_klines)

    def next(self):
        if crossover(self.fast, self.slow):
            if not self.position:
                self.buy(size=fraction)
        elif crossover(self.slow, self.fast) and self.position:
            self.position.close()


backtest = FractionalBacktest(
    klines, SmaCross, cash=cash, commission=FEE_RATE, fractional_unit=1e-5, finalize_trades=False
)


def run():
    result = backtest.run()
    open_trades = len(result["_strategy"].trades)
    return 2 * len(result["_trades"]) + open_trades, result["Equity Final [$]"]


report(version("backtesting"), run)
