"""NautilusTrader: a strategy that is shown kline by kline, market orders filled at the next open."""

from decimal import Decimal
from importlib.metadata import version

from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.backtest.models import FillModel
from nautilus_trader.config import LoggingConfig, StrategyConfig
from nautilus_trader.indicators.averages import SimpleMovingAverage
from nautilus_trader.model.currencies import BTC, USDT
from nautilus_trader.model.data import BarType
from nautilus_trader.model.enums import AccountType, OmsType, OrderSide
from nautilus_trader.model.identifiers import InstrumentId, Symbol, Venue
from nautilus_trader.model.instruments import CurrencyPair
from nautilus_trader.model.objects import Money, Price, Quantity
from nautilus_trader.persistence.wranglers import BarDataWrangler
from nautilus_trader.trading.strategy import Strategy

from measured import CASES, FEE_RATE, asked, klines_of, report

path, case = asked()
cash, fraction, fast_klines, slow_klines = CASES[case]
VENUE = Venue("SIM")
instrument = CurrencyPair(
    instrument_id=InstrumentId(Symbol("BTCUSDT"), VENUE),
    raw_symbol=Symbol("BTCUSDT"),
    base_currency=BTC,
    quote_currency=USDT,
    price_precision=2,
    size_precision=5,
    price_increment=Price(0.01, 2),
    size_increment=Quantity(0.00001, 5),
    maker_fee=Decimal(str(FEE_RATE)),
    taker_fee=Decimal(str(FEE_RATE)),
    ts_event=0,
    ts_init=0,
)
bar_type = BarType.from_str("BTCUSDT.SIM-1-MINUTE-LAST-EXTERNAL")


class SmaCross(Strategy):
    def __init__(self):
        super().__init__(StrategyConfig())
        self.fast = SimpleMovingAverage(fast_klines)
        self.slow = SimpleMovingAverage(slow_klines)
        self.was_above = None
        self.held = 0.0

    def on_start(self):
        self.register_indicator_for_bars(bar_type, self.fast)
        self.register_indicator_for_bars(bar_type, self.slow)
        self.subscribe_bars(bar_type)

    def on_bar(self, bar):
        if not self.indicators_initialized():
            return
        is_above = self.fast.value > self.slow.value
        crossed = self.was_above is not None and is_above != self.was_above
        self.was_above = is_above
        if not crossed:
            return
        if is_above and self.held == 0:
            # Flat, so the equity is the free quote.
            free = self.portfolio.account(VENUE).balance_free(USDT).as_double()
            quantity = int(free * fraction / bar.close.as_double() * 1e5) / 1e5
            self.held = quantity
            self.submit(OrderSide.BUY, quantity)
        elif not is_above and self.held > 0:
            self.submit(OrderSide.SELL, self.held)
            self.held = 0.0

    def submit(self, side, quantity):
        self.submit_order(
            self.order_factory.market(instrument.id, side, Quantity(quantity, 5))
        )


engine = BacktestEngine(BacktestEngineConfig(logging=LoggingConfig(bypass_logging=True), run_analysis=False))
engine.add_venue(
    venue=VENUE,
    oms_type=OmsType.NETTING,
    account_type=AccountType.CASH,
    starting_balances=[Money(cash, USDT), Money(10, BTC)],
    fill_model=FillModel(),
)
engine.add_instrument(instrument)
klines = klines_of(path).rename(columns=str.lower)
klines.index = klines.index.tz_localize("UTC")
engine.add_data(BarDataWrangler(bar_type, instrument).process(klines))
engine.add_strategy(SmaCross())


def run():
    engine.run()
    fills = engine.cache.orders_closed()
    account = engine.cache.account_for_venue(VENUE)
    base = account.balance_total(BTC).as_double() - 10
    return len(fills), account.balance_total(USDT).as_double() + base * float(klines["close"].iloc[-1])


report(version("nautilus_trader"), run)
