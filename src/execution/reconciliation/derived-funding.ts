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
/** A single settlement differs by at most a tenth from the last rate at the mark price that was seen last. */
const TOLERANCE = 10n
/** Several settlements, each at another rate, together pay at most so many times the last rate each. */
const LARGEST_RATE_CHANGE = 3n

/** A position at a settlement. */
interface SettledPosition {
  readonly contract: HeldContract
  readonly book: string
  readonly price: Ticks
  /** Notional at that price; of a short negative. */
  readonly worth: Amount
}

/** Expected funding of one position at the latest settlement. */
interface ExpectedPayment extends Omit<SettledPosition, 'worth'> {
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
  /** Positions at the last look before the latest full hour. */
  #held: readonly SettledPosition[] | undefined
  #expected: readonly ExpectedPayment[] = []

  constructor(options: FundingBookingOptions) {
    this.#options = options
    this.#agreedAt = options.sentRequests.transactionsSeen?.until
  }

  /** Reads the last funding rates if a settlement may have changed the wallet; `now` is in ms UTC. */
  async look(now: number): Promise<void> {
    this.#agreedAt ??= now
    this.#expected = []
    if (this.#held === undefined || this.#settlements(now) === 0) this.#held = this.#positions()
    if (this.#settlements(now) === 0) return
    const expected: ExpectedPayment[] = []
    for (const position of this.#held) expected.push(await this.#expectedOf(position))
    this.#expected = expected
  }

  /** Ledger and account agree at a time, ms UTC. */
  agree(time: number): void {
    this.#agreedAt = time
  }

  /**
   * The payments that explain the excess of a wallet over the ledger by `now`, ms UTC; none if funding does not
   * explain it. Halted symbols pay none: the exchange may not hold what the ledger does.
   */
  paymentsFor(
    coin: string,
    excess: Amount,
    now: number,
    halted: Pick<ReadonlySet<string>, 'has'>,
  ): readonly FundingPayment[] {
    const { sentRequests } = this.#options
    const time = Math.floor(now / HOUR) * HOUR
    const due = this.#expected.filter(
      ({ contract, book }) =>
        contract.quote === coin &&
        !halted.has(contract.instrument.symbol) &&
        !sentRequests.hasFunding(idOf(book, time)),
    )
    if (!isLikely(negate(excess), due, this.#settlements(now))) return []
    const parts = partsOf(negate(excess), due)
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

  #positions(): readonly SettledPosition[] {
    const { ledger, contracts } = this.#options
    return contracts.flatMap(contract => {
      const { instrument } = contract
      const price = ledger.markPriceOf(instrument.symbol)
      const books = new Set((['long', 'short'] as const).map(side => sideBook(instrument, side)))
      return [...books].flatMap(book => {
        const position = ledger.contracts.of(book)
        if (price === undefined || position === undefined) return []
        const worth = notionalOf(instrument, price, position.quantity)
        return [{ contract, book, price, worth: position.direction === 'long' ? worth : negate(worth) }]
      })
    })
  }

  async #expectedOf({ worth, ...position }: SettledPosition): Promise<ExpectedPayment> {
    const { contractName } = position.contract
    const rate = rateOf((await this.#options.reads.indexPrice({ contractName })).lastFundingRate)
    return { ...position, rate, amount: times(worth, rate) }
  }
}

/** True if an amount paid may be so many settlements of the expected payments each. */
function isLikely(paid: Amount, due: readonly ExpectedPayment[], settlements: number): boolean {
  const [whole, gross] = [sumOf(due), grossOf(due)]
  if (gross === ZERO) return false
  if (settlements === 1) return absolute(subtract(paid, whole)) * TOLERANCE <= gross
  const isOneWay = absolute(whole) === gross
  if (isOneWay && paid < ZERO !== whole < ZERO) return false
  return absolute(paid) <= gross * LARGEST_RATE_CHANGE * BigInt(settlements)
}

/** The expected payments, made to add up to an amount paid: each takes its share of the difference. */
function partsOf(paid: Amount, due: readonly ExpectedPayment[]): readonly Amount[] {
  const [difference, gross] = [subtract(paid, sumOf(due)), grossOf(due)]
  const parts = due
    .slice(0, -1)
    .map(({ amount }) => add(amount, ((difference * absolute(amount)) / gross) as Amount)) // an amount × a share
  // The last one takes what rounding leaves.
  return [...parts, subtract(paid, parts.reduce(add, ZERO))]
}

function sumOf(due: readonly ExpectedPayment[]): Amount {
  return due.map(({ amount }) => amount).reduce(add, ZERO)
}

function grossOf(due: readonly ExpectedPayment[]): Amount {
  return due.map(({ amount }) => absolute(amount)).reduce(add, ZERO)
}

function idOf(book: string, time: number): string {
  return `derived-${book}-${time}`
}
