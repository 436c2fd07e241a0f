import { sideBook } from '../../domain/book-names.ts'
import type { FundingPayment } from '../../domain/events/funding-payment.ts'
import {
  type Amount,
  absolute,
  add,
  negate,
  type Rate,
  rateOf,
  subtract,
  times,
  ZERO,
} from '../../domain/numbers/amount.ts'
import { notionalOf, type Ticks } from '../../domain/numbers/grid.ts'
import type { FundingBookingOptions } from './funding-booking.ts'
import type { HeldContract } from './futures-account.ts'

/** Exchanges of the interface settle funding at full hours UTC. */
const HOUR = 3_600_000
/** Until this long after a full hour, its settlement may not be in the wallet yet, ms. */
const SETTLED_AFTER_MS = 5 * 60_000
/** A single settlement differs by at most a tenth from the last rate at the present mark price. */
const TOLERANCE = 10n
/** Several settlements, each at another rate, together pay at most so many times the last rate each. */
const LARGEST_RATE_CHANGE = 3n

/** Expected funding of one position at the latest settlement. */
interface ExpectedPayment {
  readonly contract: HeldContract
  readonly book: string
  readonly price: Ticks
  readonly rate: Rate
  /** Quote paid if positive, received if negative. */
  readonly amount: Amount
}

/**
 * Derives funding where the exchange lists no transactions: a change of the wallet across a full hour that matches
 * what the held positions pay at the last funding rate. The amount is that of the wallet; the rate and the split among
 * several positions are estimates.
 */
export class DerivedFunding {
  readonly #options: FundingBookingOptions
  #agreedAt: number | undefined
  #expected: readonly ExpectedPayment[] = []

  constructor(options: FundingBookingOptions) {
    this.#options = options
    this.#agreedAt = options.sentRequests.transactionsSeen?.until
  }

  /** Reads the last funding rates if a settlement may have changed the wallet; `now` is in ms UTC. */
  async look(now: number): Promise<void> {
    this.#agreedAt ??= now
    this.#expected = []
    if (this.#settlements(now) === 0) return
    const expected: ExpectedPayment[] = []
    for (const contract of this.#options.contracts) expected.push(...(await this.#expectedOf(contract, now)))
    this.#expected = expected
  }

  /** Ledger and account agree at a time, ms UTC. */
  agree(time: number): void {
    this.#agreedAt = time
  }

  /**
   * The payments that explain the excess of a wallet over the ledger by `now`, ms UTC; none if funding does not
   * explain it.
   */
  paymentsFor(coin: string, excess: Amount, now: number): readonly FundingPayment[] {
    const { sentRequests } = this.#options
    const time = Math.floor(now / HOUR) * HOUR
    const due = this.#expected.filter(
      ({ contract, book }) => contract.quote === coin && !sentRequests.hasFunding(idOf(book, time)),
    )
    const whole = due.map(({ amount }) => amount).reduce(add, ZERO)
    if (!isLikely(negate(excess), whole, this.#settlements(now))) return []
    const parts = partsOf(negate(excess), due, whole)
    return due.map(({ contract, book, rate, price }, index) => {
      const id = idOf(book, time)
      const { symbol } = contract.instrument
      return { id, symbol, book, amount: parts[index] ?? ZERO, rate, price, time, derived: true }
    })
  }

  /** Number of full hours whose settlement may have come since ledger and account agreed. */
  #settlements(now: number): number {
    return Math.floor(now / HOUR) - Math.floor(((this.#agreedAt ?? now) - SETTLED_AFTER_MS) / HOUR)
  }

  async #expectedOf(contract: HeldContract, now: number): Promise<readonly ExpectedPayment[]> {
    const { ledger, reads } = this.#options
    const { instrument, contractName } = contract
    const price = ledger.markPriceOf(instrument.symbol)
    const books = new Set((['long', 'short'] as const).map(side => sideBook(instrument, side)))
    const held = [...books].flatMap(book => {
      const position = ledger.contracts.heldAt(book, Math.floor(now / HOUR) * HOUR)
      return position === undefined ? [] : [{ book, position }]
    })
    if (price === undefined || held.length === 0) return []
    const rate = rateOf((await reads.indexPrice({ contractName })).lastFundingRate)
    return held.map(({ book, position: { direction, quantity } }) => {
      const paidByLong = times(notionalOf(instrument, price, quantity), rate)
      return { contract, book, price, rate, amount: direction === 'long' ? paidByLong : negate(paidByLong) }
    })
  }
}

/** True if an amount paid may be so many settlements of an expected amount each. */
function isLikely(paid: Amount, expected: Amount, settlements: number): boolean {
  if (expected === ZERO || paid < ZERO !== expected < ZERO) return false
  const [size, likely] = [absolute(paid), absolute(expected)]
  if (settlements === 1) return absolute(subtract(size, likely)) * TOLERANCE <= likely
  return size <= likely * LARGEST_RATE_CHANGE * BigInt(settlements)
}

/** An amount in the proportion of the expected payments; the last one takes what rounding leaves. */
function partsOf(paid: Amount, due: readonly ExpectedPayment[], whole: Amount): readonly Amount[] {
  const parts = due.slice(0, -1).map(({ amount }) => ((paid * amount) / whole) as Amount) // an amount × a share
  return [...parts, subtract(paid, parts.reduce(add, ZERO))]
}

function idOf(book: string, time: number): string {
  return `derived-${book}-${time}`
}
