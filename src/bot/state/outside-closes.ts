import { rulesOf } from '../../domain/account-rules.ts'
import type { Notice } from '../../domain/events/engine-output.ts'
import type { Liquidation } from '../../domain/events/liquidation.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { type Amount, add, amountToText, ZERO } from '../../domain/numbers/amount.ts'
import { priceText, type Steps, steps, ticks } from '../../domain/numbers/grid.ts'
import { isForcedClose } from '../../domain/orders/order-intent.ts'
import type { Direction } from '../../domain/orders/side.ts'
import type { RoundTrip } from '../../domain/round-trip.ts'
import { stepsText } from '../text/steps-text.ts'

/** A close of a position, or of a part of one, by the exchange, by an order that is not of this bot, or for an unknown reason. */
export interface OutsideClose {
  readonly symbol: string
  readonly book: string
  readonly direction: Direction
  /** With its unit: `0.4 BTC`. */
  readonly size: string
  /** Quote per base, as text. */
  readonly price: string
  /** True where nothing tells what it brought: it counts as closed at `price`. */
  readonly isPriceAssumed: boolean
  /** UTC. */
  readonly time: string
  /** `exchange`: a liquidation; `others`: by an order that is not of this bot; `unknown`: nothing proves by which. */
  readonly by: 'exchange' | 'others' | 'unknown'
  /** Profit after fees of the round trips that it ended, as text. */
  readonly pnl: string
  /** Asset of `price` and `pnl`. */
  readonly quote: string
}

/** Longest time for which a close is shown, ms. */
const SHOWN_MS = 24 * 3_600_000

/** Number of closes that are shown. */
const MOST_SHOWN = 10

/** Closes of a book that lie so near to each other are shown as one, ms: mostly the fills of one order. */
const ONE_CLOSE_MS = 1000

/** A close as it is noted, plain data. */
interface Noted extends Pick<OutsideClose, 'symbol' | 'book' | 'direction' | 'by'> {
  readonly instrument: Instrument
  readonly quantity: Steps
  /** Sum of price × quantity, in ticks × steps. */
  readonly worth: bigint
  readonly pnl: Amount
  /** ms UTC. */
  readonly time: number
}

/**
 * True for a close whose price is assumed. Contracts pay what they bring into the wallet, so that their price is derived from
 * that where no trade tells it.
 */
export function isPriceAssumed({ by }: Pick<Liquidation, 'by'>, instrument: Instrument): boolean {
  return by === 'unknown' && !rulesOf(instrument).holdsContracts
}

/** Closes as plain data. */
export interface OutsideClosesState {
  readonly closes: readonly Noted[]
  /** Times of those before, ms UTC. */
  readonly earlier: readonly number[]
}

/** The liquidations and closes outside the bot that its status shows: the ten latest of the last 24 hours, and how many more there were. */
export class OutsideCloses {
  #closes: readonly Noted[] = []
  /** Times of those before, ms UTC. */
  #earlier: readonly number[] = []

  /** Plain data to go on from. */
  get state(): OutsideClosesState {
    return { closes: this.#closes, earlier: this.#earlier }
  }

  /** Goes on from a state; journals of before it was kept have none. */
  restore(state: OutsideClosesState | undefined): void {
    this.#closes = state?.closes ?? []
    this.#earlier = state?.earlier ?? []
  }

  /** Takes a notice of the engine. */
  observe(notice: Notice, instrumentOf: (symbol: string) => Instrument): void {
    if (notice.type === 'positionLiquidated')
      this.#note(notice.liquidation, instrumentOf(notice.liquidation.symbol), notice.time)
    else if (notice.type === 'roundTripClosed' && isForcedClose(notice.roundTrip.exitReason))
      this.#earn(notice.roundTrip)
  }

  /** `time`: of the close, ms UTC. */
  #note(
    { symbol, book, direction, quantity, price, by: closer }: Liquidation,
    instrument: Instrument,
    time: number,
  ): void {
    const by = closer ?? 'exchange'
    const worth = BigInt(price) * BigInt(quantity)
    const close: Noted = { symbol, book, direction, by, instrument, quantity, worth, pnl: ZERO, time }
    const last = this.#closes.at(-1)
    const closes =
      last !== undefined && isOneWith(last, close)
        ? [...this.#closes.slice(0, -1), together(last, close)]
        : [...this.#closes, close]
    const left = closes.slice(0, -MOST_SHOWN).map(one => one.time)
    this.#earlier = [...this.#earlier, ...left].filter(one => isShownAt(one, time))
    this.#closes = closes.slice(-MOST_SHOWN)
  }

  /** Takes a round trip that the latest close of its book ended. */
  #earn({ book, pnl }: RoundTrip): void {
    const ended = this.#closes.findLast(one => one.book === book)
    this.#closes = this.#closes.map(one => (one === ended ? { ...one, pnl: add(one.pnl, pnl) } : one))
  }

  /** Those to show at a time, ms UTC, oldest first. */
  shownAt(time: number): readonly OutsideClose[] {
    return this.#closes.filter(one => isShownAt(one.time, time)).map(shown)
  }

  /** Number of those before them in the 24 hours before a time, ms UTC. */
  moreAt(time: number): number {
    return this.#earlier.filter(one => isShownAt(one, time)).length
  }
}

function isShownAt(closedAt: number, time: number): boolean {
  return time - closedAt < SHOWN_MS
}

function isOneWith(left: Noted, right: Noted): boolean {
  const isNear = Math.abs(left.time - right.time) < ONE_CLOSE_MS
  return isNear && left.book === right.book && left.direction === right.direction && left.by === right.by
}

function together(left: Noted, right: Noted): Noted {
  const quantity = steps(left.quantity + right.quantity)
  const [worth, pnl] = [left.worth + right.worth, add(left.pnl, right.pnl)]
  return { ...left, quantity, worth, pnl, time: Math.max(left.time, right.time) }
}

/** At the average price, rounded to a tick. */
function shown({ symbol, book, direction, by, instrument, quantity, worth, pnl, time }: Noted): OutsideClose {
  const price = ticks(Math.round(Number(worth) / quantity))
  const size = stepsText(instrument, quantity)
  return {
    ...{ symbol, book, direction, size, by },
    price: priceText(instrument, price),
    isPriceAssumed: by !== 'exchange' && isPriceAssumed({ by }, instrument),
    ...{ pnl: amountToText(pnl), quote: instrument.quote },
    time: utcText(time),
  }
}
