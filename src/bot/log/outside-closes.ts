import type { Liquidation } from '../../domain/events/liquidation.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { priceText } from '../../domain/numbers/grid.ts'
import type { Direction } from '../../domain/orders/side.ts'
import { stepsText } from '../text/steps-text.ts'

/** A close of a position, or of a part of one, by an order that is not of this bot, or for an unknown reason. */
export interface OutsideClose {
  readonly symbol: string
  readonly book: string
  readonly direction: Direction
  /** With its unit: `0.4 BTC`. */
  readonly size: string
  /** Quote per base, as text. */
  readonly price: string
  /** UTC. */
  readonly time: string
  /** `others`: by an order that is not of this bot; `unknown`: nothing proves by which. */
  readonly by: 'others' | 'unknown'
}

/** Longest time for which a close is shown, ms. */
const SHOWN_MS = 24 * 3_600_000

/** Number of closes that are shown. */
const MOST_SHOWN = 10

/** The closes outside the bot of this run that its status shows: the ten latest, of the last 24 hours. */
export class OutsideCloses {
  #closes: readonly { readonly close: OutsideClose; readonly time: number }[] = []

  /** `time`: of the close, ms UTC. */
  note(
    { symbol, book, direction, quantity, price, by }: Liquidation,
    instrument: Instrument,
    time: number,
  ): void {
    if (by === undefined) return
    const size = stepsText(instrument, quantity)
    const terms = { size, price: priceText(instrument, price), time: utcText(time), by }
    const close: OutsideClose = { symbol, book, direction, ...terms }
    this.#closes = [...this.#closes, { close, time }].slice(-MOST_SHOWN)
  }

  /** Those to show at a time, ms UTC, oldest first. */
  shownAt(time: number): readonly OutsideClose[] {
    return this.#closes.filter(one => time - one.time < SHOWN_MS).map(({ close }) => close)
  }
}
