import type { Instrument } from '../../domain/instrument.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import { amountToNumber } from '../../domain/numbers/amount.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type {
  LotView,
  MarketView,
  OrderView,
  PlotValues,
  Positions,
  PositionView,
  StrategyView,
} from '../../strategy/strategy-view.ts'
import type { EngineMarketView } from './engine-market-view.ts'
import type { StrategyClock } from './strategy-clock.ts'

/** Everything that one strategy sees of engine and account: its own instrument first, others by role. */
export class EngineStrategyView implements StrategyView {
  readonly instrument: Instrument
  readonly interval: Interval
  readonly markets: Readonly<Record<string, MarketView>>
  readonly #own: EngineMarketView
  readonly #all: readonly EngineMarketView[]
  readonly #clock: StrategyClock
  readonly #ledger: Ledger
  /** Takes plotted values; absent where nobody records. */
  onPlot: ((values: PlotValues) => void) | undefined

  constructor(
    own: EngineMarketView,
    markets: Readonly<Record<string, EngineMarketView>>,
    clock: StrategyClock,
    ledger: Ledger,
  ) {
    this.instrument = own.instrument
    this.interval = clock.interval
    this.markets = markets
    this.#own = own
    this.#all = [own, ...Object.values(markets)]
    this.#clock = clock
    this.#ledger = ledger
  }

  get time(): number {
    return this.#clock.time
  }

  get price(): number {
    return this.#own.price
  }

  get position(): PositionView {
    return this.#own.position
  }

  get positions(): Positions {
    return this.#own.positions
  }

  get lots(): readonly LotView[] {
    return this.#own.lots
  }

  get orders(): readonly OrderView[] {
    return this.#own.orders
  }

  get equity(): number {
    for (const view of this.#all) view.mark()
    return amountToNumber(this.#ledger.equity(this.instrument.quote))
  }

  balance(asset: string): number {
    return this.#own.balance(asset)
  }

  plot(values: PlotValues): void {
    this.onPlot?.(values)
  }
}
