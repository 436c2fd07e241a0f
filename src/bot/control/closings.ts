import type { Clock } from '../../domain/clock.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { NO_STEPS, notionalOf, type Steps, steps } from '../../domain/numbers/grid.ts'
import type { Direction } from '../../domain/orders/side.ts'
import type { Engine } from '../../engine/engine.ts'
import type { LockedCoins } from '../../execution/reconciliation/reconciliation-report.ts'
import type { UnlistedOrder } from '../../execution/tracking/unlisted-trades-error.ts'
import { booksOf } from '../state/books-of.ts'
import { lockedCoinsStatus } from '../text/locked-coins.ts'
import { lockedText } from '../text/log-lines.ts'
import { stepsText } from '../text/steps-text.ts'
import { unlistedText } from '../text/unlisted-text.ts'
import type { OperatorRequest } from './operator-request.ts'

/** Longest wait of an operator for what a command closes, ms of the venue's clock; below the patience of `askBot`. */
const CLOSING_WAIT_MS = 8000

/** Outcome of a close. */
export interface ClosingOutcome {
  /** True if nothing of it is held any more, and no entry of before can fill. */
  readonly isClosed: boolean
  /** Whole sentences. */
  readonly text: string
}

interface Held {
  readonly book: string
  readonly instrument: Instrument
  readonly direction: Direction
  readonly quantity: Steps
}

interface HeldBefore extends Held {
  /** The least that was left of it since: what a strategy opens later is not the command's. */
  left: Steps
  /** Quantity of it that was closed outside the bot since. */
  outside: Steps
}

interface Closing {
  readonly symbol: string | undefined
  readonly before: readonly HeldBefore[]
  /** The latest denial or refusal of a closing order, by symbol, in a sentence. */
  readonly reasons: Map<string, string>
  readonly settle: (outcome: ClosingOutcome) => void
}

/** Parts of the exchange's side that answers tell. */
interface ClosingsExchange {
  /** Orders that have executed what the exchange does not list yet. */
  readonly unlisted: readonly UnlistedOrder[]
  /** Coins of positions that are to be sold and that open orders of others lock. */
  readonly lockedCoins: readonly LockedCoins[]
}

/** Follows what commands of the operator close, until it is closed, given up, or as long as an operator waits. */
export class Closings {
  readonly #engine: Engine
  readonly #clock: Pick<Clock, 'schedule'>
  readonly #exchange: ClosingsExchange
  readonly #open = new Set<Closing>()

  constructor(engine: Engine, clock: Pick<Clock, 'schedule'>, exchange: ClosingsExchange) {
    this.#engine = engine
    this.#clock = clock
    this.#exchange = exchange
  }

  /** Follows a command that is executed right after this call. Never rejects. */
  follow({ symbol }: OperatorRequest): Promise<ClosingOutcome> {
    return new Promise(resolve => {
      const settle = (outcome: ClosingOutcome) => {
        this.#open.delete(closing)
        forget()
        resolve(outcome)
      }
      const closing: Closing = {
        symbol,
        before: this.#heldIn(symbol).map(one => ({ ...one, left: one.quantity, outside: NO_STEPS })),
        reasons: new Map(),
        settle,
      }
      const forget = this.#clock.schedule(CLOSING_WAIT_MS, () => settle(this.#outcomeOf(closing)))
      this.#open.add(closing)
    })
  }

  /** Takes the outputs of an event, and settles what is over. */
  observe(outputs: readonly EngineOutput[]): void {
    if (this.#open.size === 0) return
    for (const closing of this.#open) {
      this.#noteLeft(closing)
      for (const output of outputs) {
        noteReason(closing.reasons, output)
        noteOutside(closing.before, output)
      }
      if (!this.#isGoingOn(closing)) closing.settle(this.#outcomeOf(closing))
    }
  }

  /** Settles everything as it is. */
  end(): void {
    for (const closing of this.#open) closing.settle(this.#outcomeOf(closing))
  }

  #isGoingOn({ symbol }: Closing): boolean {
    const { closing } = this.#engine
    return symbol === undefined ? closing.size > 0 : closing.has(symbol)
  }

  #noteLeft({ before }: Closing): void {
    for (const one of before) {
      const position = this.#engine.ledger.position(one.book)
      const now = position?.direction === one.direction ? position.quantity : NO_STEPS
      one.left = steps(Math.min(one.left, now))
    }
  }

  #heldIn(symbol: string | undefined): readonly Held[] {
    const { ledger } = this.#engine
    return booksOf(this.#engine).flatMap(({ name, instrument }) => {
      const position = ledger.position(name)
      if (position === undefined || (symbol !== undefined && symbol !== instrument.symbol)) return []
      const { direction, quantity } = position
      return [{ book: name, instrument, direction, quantity }]
    })
  }

  #outcomeOf(closing: Closing): ClosingOutcome {
    const { symbol, before, reasons } = closing
    const isGoingOn = this.#isGoingOn(closing)
    const closed = withQuantity(before, one => one.quantity - one.left - one.outside)
    const outside = withQuantity(before, one => one.outside)
    const left = [
      ...before.filter(one => one.left > NO_STEPS).map(one => ({ ...one, quantity: one.left })),
      // An entry of before has filled meanwhile.
      ...this.#heldIn(symbol).filter(
        ({ book, instrument }) =>
          this.#engine.closing.has(instrument.symbol) && !before.some(one => one.book === book),
      ),
    ]
    const unlisted = this.#exchange.unlisted.filter(
      ({ request }) => symbol === undefined || request.symbol === symbol,
    )
    const locked = this.#exchange.lockedCoins.filter(one =>
      left.some(({ instrument }) => instrument.symbol === one.symbol),
    )
    return {
      isClosed: left.length === 0 && !isGoingOn,
      text: [
        ...(before.length === 0 && left.length === 0 && unlisted.length === 0 ? ['Nothing was held.'] : []),
        ...(closed.length === 0 ? [] : [`Closed: ${closed.map(heldText).join(', ')}.`]),
        ...(outside.length === 0
          ? []
          : [
              `Not on the account any more, and booked as closed outside the bot: ${outside.map(heldText).join(', ')}.`,
            ]),
        ...left.map(one => this.#leftText(one, reasons.get(one.instrument.symbol))),
        ...locked.map(one => lockedText(lockedCoinsStatus(one))),
        ...this.#remaindersTexts(left),
        ...unlistedTexts(unlisted, this.#engine.closing),
        ...(isGoingOn && left.length === 0 && unlisted.length === 0
          ? ['The exchange has not confirmed yet that all entries are canceled.']
          : []),
        ...(isGoingOn || left.length > 0 ? ['Look again with "npm run -s bot -- status".'] : []),
      ].join(' '),
    }
  }

  /** Remainders of several strategies on one instrument that the exchange takes only together, one sentence for each instrument. */
  #remaindersTexts(left: readonly Held[]): readonly string[] {
    const { ledger, closing } = this.#engine
    const texts: string[] = []
    for (const { instrument, direction } of new Map(left.map(one => [one.instrument, one])).values()) {
      const { symbol, minQuantity, minNotional } = instrument
      const parts = left.filter(one => one.instrument === instrument && one.direction === direction)
      const quantity = steps(parts.reduce((sum, one) => sum + one.quantity, 0))
      const mark = ledger.markOf(symbol)
      const isSmall = (size: Steps) =>
        size < minQuantity || mark === undefined || notionalOf(instrument, mark, size) < minNotional
      if (parts.length < 2 || closing.has(symbol) || !parts.every(one => isSmall(one.quantity))) continue
      if (isSmall(quantity)) continue
      texts.push(
        `Each is less than the smallest order, and together they are not: ${direction === 'long' ? 'sell' : 'buy back'} ${stepsText(instrument, quantity)} of ${symbol} at the exchange by hand, which this bot books.`,
      )
    }
    return texts
  }

  #leftText(held: Held, reason: string | undefined): string {
    const why = reason === undefined ? '' : ` ${/[.!?]$/.test(reason) ? reason : `${reason}.`}`
    return this.#engine.closing.has(held.instrument.symbol)
      ? `Still being closed: ${heldText(held)}.${why}`
      : `NOT closed: ${heldText(held)}.${why}`
  }
}

/** Orders whose trades are not listed yet, and what becomes of that; empty without such orders. */
function unlistedTexts(unlisted: readonly UnlistedOrder[], closing: ReadonlySet<string>): readonly string[] {
  const of = (isExit: boolean) =>
    unlisted.filter(({ request }) => request.reduceOnly === isExit).map(unlistedText)
  const [entries, exits] = [of(false), of(true)]
  const isClosing = unlisted.every(({ request }) => closing.has(request.symbol))
  const then = isClosing
    ? 'This is closed once its trades are listed.'
    : 'This is booked once its trades are listed.'
  const late = 'at the exchange, which does not list the trades yet'
  return [
    ...(entries.length === 0 ? [] : [`Executed ${late}: ${entries.join('; ')}. ${then}`]),
    ...(exits.length === 0
      ? []
      : [
          `Closed ${late}: ${exits.join('; ')}. The position counts as open until then; do not close it by hand as well.`,
        ]),
  ]
}

/** Positions with another quantity, where that is one. */
function withQuantity(held: readonly HeldBefore[], of: (one: HeldBefore) => number): readonly Held[] {
  return held.filter(one => of(one) > 0).map(one => ({ ...one, quantity: steps(of(one)) }))
}

function noteOutside(before: readonly HeldBefore[], output: EngineOutput): void {
  if (output.type !== 'positionLiquidated') return
  const { book, quantity } = output.liquidation
  for (const one of before) if (one.book === book) one.outside = steps(one.outside + quantity)
}

function noteReason(reasons: Map<string, string>, output: EngineOutput): void {
  if (output.type === 'denied' && output.denial.intent.purpose === 'operator')
    reasons.set(output.denial.intent.symbol, output.denial.message)
  if (output.type !== 'orderChanged') return
  const { request, status, reason } = output.order
  if (request.purpose === 'operator' && status !== 'filled' && reason !== undefined)
    reasons.set(request.symbol, reason)
}

/** `LONG 836 contracts of BTC/USDT`. */
function heldText({ book, instrument, direction, quantity }: Held): string {
  const size = stepsText(instrument, quantity)
  return `${direction.toUpperCase()} ${size} of ${book}`
}
