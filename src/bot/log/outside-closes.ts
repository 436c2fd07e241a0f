import type { Liquidation } from '../../domain/events/liquidation.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { priceText, type Steps, steps, ticks } from '../../domain/numbers/grid.ts'
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

/** Closes of a book that lie so near to each other are shown as one, ms: mostly the fills of one order. */
const ONE_CLOSE_MS = 1000

/** A close as it is noted. */
interface Noted extends Pick<OutsideClose, 'symbol' | 'book' | 'direction' | 'by'> {
  readonly instrument: Instrument
  readonly quantity: Steps
  /** Sum of price × quantity, in ticks × steps. */
  readonly worth: bigint
  /** ms UTC. */
  readonly time: number
}

/** The closes outside the bot of this run that its status shows: the ten latest, of the last 24 hours. */
export class OutsideCloses {
  #closes: readonly Noted[] = []

  /** `time`: of the close, ms UTC. */
  note(
    { symbol, book, direction, quantity, price, by }: Liquidation,
    instrument: Instrument,
    time: number,
  ): void {
    if (by === undefined) return
    const worth = BigInt(price) * BigInt(quantity)
    const close: Noted = { symbol, book, direction, by, instrument, quantity, worth, time }
    const last = this.#closes.at(-1)
    this.#closes =
      last !== undefined && isOneWith(last, close)
        ? [...this.#closes.slice(0, -1), together(last, close)]
        : [...this.#closes, close].slice(-MOST_SHOWN)
  }

  /** Those to show at a time, ms UTC, oldest first. */
  shownAt(time: number): readonly OutsideClose[] {
    return this.#closes.filter(one => time - one.time < SHOWN_MS).map(shown)
  }
}

function isOneWith(left: Noted, right: Noted): boolean {
  const isNear = Math.abs(left.time - right.time) < ONE_CLOSE_MS
  return isNear && left.book === right.book && left.direction === right.direction && left.by === right.by
}

function together(left: Noted, right: Noted): Noted {
  const quantity = steps(left.quantity + right.quantity)
  return { ...left, quantity, worth: left.worth + right.worth, time: Math.max(left.time, right.time) }
}

/** At the average price, rounded to a tick. */
function shown({ symbol, book, direction, by, instrument, quantity, worth, time }: Noted): OutsideClose {
  const price = ticks(Math.round(Number(worth) / quantity))
  const size = stepsText(instrument, quantity)
  return { symbol, book, direction, size, price: priceText(instrument, price), time: utcText(time), by }
}
