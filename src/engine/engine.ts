import type { EngineEvent, Filled, OrderUpdated } from '../domain/engine-event.ts'
import type { EngineOutput } from '../domain/engine-output.ts'
import { priceOf, roundToTicks } from '../domain/grid.ts'
import type { Kline } from '../domain/kline.ts'
import { type KlineCursor, KlineRow, type KlineSeries } from '../domain/kline-series.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { StrategyError } from '../strategy/strategy-error.ts'
import { Desk } from './desk.ts'
import type { EngineOptions } from './engine-options.ts'

/** What closing klines one after another came to. */
export interface ClosedKlines {
  /** The row after the last that was closed. */
  readonly next: number
  /** What followed from that last one; from those before it followed nothing. */
  readonly outputs: readonly EngineOutput[]
}

const NOTHING: readonly EngineOutput[] = []

/**
 * Events in, commands out: synchronous, deterministic, without a clock. The same events in the same order always
 * give the same outputs, live and in a backtest.
 */
export class Engine {
  readonly ledger: Ledger
  readonly #desks: ReadonlyMap<string, Desk>
  readonly #sharesAccount: boolean
  /** Most events are about the instrument of the event before. */
  #latestDesk: Desk | undefined

  /** Throws `UsageError` for parameters that a strategy cannot use, `InvariantError` for two desks on one instrument. */
  constructor(options: EngineOptions) {
    this.ledger = options.ledger
    const desks = options.desks.map(desk => new Desk(options, desk))
    this.#desks = new Map(desks.map(desk => [desk.symbol, desk]))
    this.#sharesAccount = desks.length > 1
    if (this.#desks.size < desks.length) {
      throw new InvariantError('Two strategies trade one instrument, but a position belongs to one strategy.')
    }
  }

  /** Klines to see on an instrument before the first decision on it. */
  warmUpOf(symbol: string): number {
    return this.#desk(symbol).warmUp
  }

  /**
   * Tells the indicators on an instrument which klines will be closed next (rows `from` to `to - 1`), so that they can
   * compute them in one go. A replay may say so for speed; nothing that follows from an event changes by it.
   */
  announce(symbol: string, klines: KlineSeries, from: number, to: number): void {
    this.#desk(symbol).announce(klines, from, to)
  }

  /** Takes one event and returns what follows from it: commands to carry out, notices to report. */
  process(event: EngineEvent): readonly EngineOutput[] {
    switch (event.type) {
      case 'klineClosed':
        return this.#closeKline(event.symbol, event.kline)
      case 'historySeen':
        this.#mark(event.symbol, event.kline)
        this.#desk(event.symbol).seeHistory(event.kline)
        return NOTHING
      case 'filled':
        return this.#fill(event)
      case 'orderUpdated':
        return this.#update(event)
      case 'balancesReported':
        for (const [asset, amount] of event.balances) this.ledger.setBalance(asset, amount)
        return NOTHING
      case 'openingSeen': {
        const price = priceOf(this.ledger.instrument(event.symbol), event.price)
        return this.#desk(event.symbol).seeOpening(price, event.time)
      }
      case 'flattenRequested': {
        const out: EngineOutput[] = []
        this.#desk(event.symbol).flatten(event.purpose, event.time, out)
        return out
      }
    }
  }

  /**
   * Closes the klines of the rows `from` to `to - 1`, each as `process` would, up to the first that leads to something.
   * A replay whose orders all rest elsewhere goes through quiet stretches in this one loop.
   */
  closeKlines(symbol: string, klines: KlineSeries, from: number, to: number): ClosedKlines {
    const desk = this.#desk(symbol)
    const cursor: KlineCursor = { klines, next: from }
    let outputs = NOTHING
    while (cursor.next < to && outputs.length === 0) {
      outputs =
        this.#sharesAccount || !desk.isDeciding
          ? this.#closeKline(symbol, new KlineRow(klines, cursor.next++))
          : this.#closeDecided(desk, cursor, to)
    }
    return { next: cursor.next, outputs }
  }

  #closeDecided(desk: Desk, cursor: KlineCursor, to: number): readonly EngineOutput[] {
    try {
      return desk.closeKlines(cursor, to) ?? NOTHING
    } catch (error) {
      const out: EngineOutput[] = []
      this.#disable(desk, error, out)
      return out
    }
  }

  #closeKline(symbol: string, kline: Kline): readonly EngineOutput[] {
    this.#mark(symbol, kline)
    const desk = this.#desk(symbol)
    try {
      return desk.closeKline(kline) ?? NOTHING
    } catch (error) {
      const out: EngineOutput[] = []
      this.#disable(desk, error, out)
      return out
    }
  }

  /** Shows other desks what an instrument is worth now, for they share the account; a lone desk marks its own when it asks. */
  #mark(symbol: string, kline: Kline): void {
    if (!this.#sharesAccount) return
    const instrument = this.ledger.instrument(symbol)
    this.ledger.mark(instrument, roundToTicks(instrument, kline.close, 'nearest'))
  }

  #fill({ fill }: Filled): readonly EngineOutput[] {
    const booking = this.ledger.book(fill)
    if (booking === undefined) return NOTHING
    const out: EngineOutput[] = [{ type: 'fillBooked', fill, order: booking.order }]
    for (const roundTrip of booking.roundTrips) out.push({ type: 'roundTripClosed', roundTrip })
    const desk = this.#desk(fill.symbol)
    try {
      desk.afterFill(fill, booking.order, out)
    } catch (error) {
      this.#disable(desk, error, out)
    }
    return out
  }

  #update({ clientOrderId, event, exchangeOrderId, reason, time }: OrderUpdated): readonly EngineOutput[] {
    const order = this.ledger.orders.update(clientOrderId, event, { exchangeOrderId, reason })
    const out: EngineOutput[] = [{ type: 'orderChanged', order, time }]
    const desk = this.#desk(order.request.symbol)
    try {
      desk.afterUpdate(order, time, out)
    } catch (error) {
      this.#disable(desk, error, out)
    }
    return out
  }

  /** A strategy that threw decides nothing more; anything else that was thrown goes on up. */
  #disable(desk: Desk, error: unknown, out: EngineOutput[]): void {
    if (!(error instanceof StrategyError)) throw error
    out.push({ type: 'strategyFailed', symbol: desk.symbol, error })
    desk.disable(out)
  }

  #desk(symbol: string): Desk {
    if (this.#latestDesk?.symbol === symbol) return this.#latestDesk
    const desk = this.#desks.get(symbol)
    if (desk === undefined) throw new InvariantError(`No strategy trades ${symbol}.`)
    this.#latestDesk = desk
    return desk
  }
}
