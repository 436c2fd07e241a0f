import type { Instrument } from '../../domain/instrument.ts'
import { amountOf, type Rate, rateOf } from '../../domain/numbers/amount.ts'
import { type Grid, NO_STEPS, roundedDown, roundToTicks, steps, ticksOf } from '../../domain/numbers/grid.ts'
import type { BookSnapshot } from '../../matching/observation.ts'
import { minuteOf, snapshotOf, type ToldBook, tradeOf } from '../../matching/told-market.ts'
import { type LiveOrderBooking, LiveOrders } from '../live/live-orders.ts'
import type { LiveRules } from '../live/live-rules.ts'
import type { MarketObservation, ToldDay, ToldRules } from '../live/market-observation.ts'
import type { TapeSummary } from '../prices/day-window.ts'
import type { Print } from '../prices/print.ts'
import type { SimulatedSpotOrder } from './spot-order.ts'

/** Reports of a host about a pair, as plain data. */
export interface LivePairState {
  readonly shown: BookSnapshot | undefined
  readonly day: ToldDay | undefined
  readonly last: string | undefined
  readonly listedGrid: LivePair['listedGrid']
  readonly rules: Pick<Instrument, 'minPrice' | 'minQuantity' | 'minNotional' | 'fees'>
}

/** Reports of a host about a pair, and the orders of users on it. */
export class LivePair {
  readonly orders: LiveOrders<SimulatedSpotOrder>
  /** The grid by which the host lists the pair now; orders are taken on that of the start only. */
  listedGrid: Pick<Grid, 'pricePrecision' | 'quantityPrecision'>
  /** The latest book. */
  shown: BookSnapshot | undefined
  readonly #instrument: Instrument
  #day: ToldDay | undefined
  #isFirstPrice = false
  /** Price of the latest trade, or of a day told since. */
  #last: string | undefined

  constructor(instrument: Instrument, rules: LiveRules, booking: LiveOrderBooking<SimulatedSpotOrder>) {
    this.#instrument = instrument
    const { pricePrecision, quantityPrecision } = instrument
    this.listedGrid = { pricePrecision, quantityPrecision }
    this.orders = new LiveOrders(instrument.symbol, instrument, rules, booking)
  }

  /** The host's 24 hours; `undefined` before it told them. */
  get day(): TapeSummary | undefined {
    if (this.#day === undefined) return undefined
    const { time, open, high, low, last: told, volume, amount } = this.#day
    const last = this.#last ?? told
    const price = (text: string) => roundToTicks(this.#instrument, Number(text), 'nearest')
    return {
      ...{ time, open: price(open), high: price(high), low: price(low), last: price(last) },
      volume: steps(roundedDown(Number(volume) * 10 ** this.#instrument.quantityPrecision)),
      amount: amountOf(amount),
    }
  }

  /** True while the host lists the grid of the start. */
  get hasFirstGrid(): boolean {
    const { pricePrecision, quantityPrecision } = this.#instrument
    const listed = this.listedGrid
    return listed.pricePrecision === pricePrecision && listed.quantityPrecision === quantityPrecision
  }

  /** The reports, but not the orders. */
  dump(): LivePairState {
    const { minPrice, minQuantity, minNotional, fees } = this.#instrument
    const rules = { minPrice, minQuantity, minNotional, fees }
    return { shown: this.shown, day: this.#day, last: this.#last, listedGrid: this.listedGrid, rules }
  }

  /** Restores a dump of the same pair. */
  restore({ shown, day, last, listedGrid, rules }: LivePairState): void {
    this.shown = shown
    this.#day = day
    this.#last = last
    this.listedGrid = listedGrid
    Object.assign(this.#instrument, rules)
  }

  /** Takes the order book of an observation, for readers. */
  show(book: ToldBook): void {
    this.shown = snapshotOf(this.#instrument, book)
  }

  /** Takes an observation, known at `now` (ms UTC). */
  observe(observation: MarketObservation, now: number): void {
    if (observation.kind === 'day') this.#day = observation.day
    const hadPrice = this.#last !== undefined
    if (observation.kind === 'day') this.#last = observation.day.last
    if (observation.kind === 'trades') this.#last = observation.trades.at(-1)?.price ?? this.#last
    this.#isFirstPrice = !hadPrice && this.#last !== undefined
    this.orders.observe(observation, now)
    if (observation.kind === 'rules') this.#relist(observation.rules)
  }

  /** Trades as prints; of the minutes of a gap their extremes, which may have triggered stops; a first price of the day. */
  *printsIn(observation: MarketObservation, now: number): Generator<Print> {
    const grid = this.#instrument
    switch (observation.kind) {
      case 'trades':
        for (const trade of observation.trades) yield tradeOf(grid, trade)
        break
      case 'gap':
        for (const minute of observation.minutes.map(told => minuteOf(grid, told)))
          for (const price of [minute.low, minute.high])
            yield { time: now, price, quantity: NO_STEPS, side: 'sell' }
        break
      case 'day':
        if (this.#isFirstPrice && this.day !== undefined)
          yield { time: now, price: this.day.last, quantity: NO_STEPS, side: 'buy' }
    }
  }

  #relist({ pricePrecision, quantityPrecision, ...rules }: ToldRules): void {
    const instrument = this.#instrument
    const before = this.listedGrid
    this.listedGrid = {
      pricePrecision: pricePrecision ?? before.pricePrecision,
      quantityPrecision: quantityPrecision ?? before.quantityPrecision,
    }
    if (!this.hasFirstGrid) return
    const { minPrice, minQuantity, minNotional, makerFeeRate, takerFeeRate } = rules
    const rate = (text: string | undefined, before: Rate) => (text === undefined ? before : rateOf(text))
    const { fees } = instrument
    // The instrument keeps its identity, by which orders belong to it.
    Object.assign(instrument, {
      ...(minPrice !== undefined && { minPrice: ticksOf(instrument, minPrice) }),
      ...(minQuantity !== undefined && {
        minQuantity: steps(roundedDown(Number(minQuantity) * 10 ** instrument.quantityPrecision)),
      }),
      ...(minNotional !== undefined && { minNotional: amountOf(minNotional) }),
      fees: { ...fees, maker: rate(makerFeeRate, fees.maker), taker: rate(takerFeeRate, fees.taker) },
    })
  }
}
