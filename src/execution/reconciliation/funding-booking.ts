import { sideBook } from '../../domain/book-names.ts'
import type { FundingPayment } from '../../domain/events/funding-payment.ts'
import {
  type Amount,
  amountAtExchange,
  divide,
  negate,
  type Rate,
  rateOf,
  ZERO,
} from '../../domain/numbers/amount.ts'
import { NO_STEPS, notionalOf, ticks } from '../../domain/numbers/grid.ts'
import type { Direction } from '../../domain/orders/side.ts'
import { isNotOffered } from '../../exchange/errors/call-not-offered-error.ts'
import { LATE_LISTING_MS } from '../sent-requests.ts'
import type { AccountTransaction } from './account-transactions.ts'
import { type FuturesReads, type HeldContract, isNamed } from './futures-account.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'

export interface FundingBookingOptions extends Pick<ReconcilerOptions, 'ledger' | 'sentRequests' | 'emit'> {
  readonly reads: FuturesReads
  readonly contracts: readonly HeldContract[]
}

/**
 * Refusals in a row after which an exchange counts as one without a list of transactions, where it has given that list before: the
 * network in front of it may refuse a call as well.
 */
const REFUSALS_AFTER_LISTS = 20

/** Reads the transactions of a futures account, and books the funding of our positions, each payment once. */
export class FundingBooking {
  readonly #options: FundingBookingOptions
  #isListed = true
  #wasRead = false
  #refusals = 0

  constructor(options: FundingBookingOptions) {
    this.#options = options
  }

  /** False once the exchange turned out to list no transactions. */
  get isListed(): boolean {
    return this.#isListed
  }

  /**
   * Books new funding payments; returns all transactions since `LATE_LISTING_MS` before ledger and account
   * last agreed, oldest first; none if the exchange does not list them.
   */
  async look(): Promise<readonly AccountTransaction[]> {
    if (!this.#isListed) return []
    const { sentRequests } = this.#options
    const { since, until } = sentRequests.transactionsSeen ?? { since: 0, until: 0 }
    const found = await this.#readIfListed(Math.max(since, until - LATE_LISTING_MS))
    for (const transaction of found) {
      const { contract, type, id, time } = transaction
      if (contract === undefined || type !== 'fundingFee' || time < since || sentRequests.hasFunding(id))
        continue
      this.#options.emit({ type: 'fundingPaid', payment: await this.#paymentOf(transaction, contract) })
    }
    return found
  }

  async #readIfListed(from: number): Promise<readonly AccountTransaction[]> {
    try {
      const found = await this.#read(from)
      this.#wasRead = true
      this.#refusals = 0
      return found
    } catch (error) {
      if (!isNotOffered(error)) throw error
      this.#refusals++
      if (this.#wasRead && this.#refusals < REFUSALS_AFTER_LISTS) throw error
      this.#isListed = false
      return []
    }
  }

  async #read(from: number): Promise<readonly AccountTransaction[]> {
    const { reads, contracts } = this.#options
    const found: AccountTransaction[] = []
    for (const coin of new Set(contracts.map(({ quote }) => quote))) {
      for await (const transaction of reads.allTransactions({ marginCoin: coin, from })) {
        const contract = contracts.find(
          known => known.quote === coin && isNamed(known, transaction.contractDisplayName),
        )
        found.push({ ...transaction, coin, contract })
      }
    }
    return found
  }

  async #paymentOf(transaction: AccountTransaction, contract: HeldContract): Promise<FundingPayment> {
    const { instrument, contractName } = contract
    const { ledger, reads } = this.#options
    const { symbol } = instrument
    const last = rateOf((await reads.indexPrice({ contractName })).lastFundingRate)
    const amount = negate(amountAtExchange(transaction.amount))
    const direction = this.#payerOf(contract, { amount, time: transaction.time }, last)
    const book = sideBook(instrument, direction)
    const price = ledger.markPriceOf(symbol) ?? ticks(0)
    const held = ledger.contracts.heldAt(book, transaction.time)
    const worth = notionalOf(instrument, price, held?.quantity ?? NO_STEPS)
    const rate = likelyRate(direction === 'long' ? amount : negate(amount), worth, last)
    return { id: transaction.id, symbol, book, amount, rate, price, time: transaction.time }
  }

  /**
   * The position that a funding payment belongs to. The exchange does not name it, so if both sides are held,
   * it is the payer at the last rate.
   */
  #payerOf(
    { instrument }: HeldContract,
    { amount, time }: Pick<FundingPayment, 'amount' | 'time'>,
    lastRate: Rate,
  ): Direction {
    const { contracts } = this.#options.ledger
    const isHeld = (direction: Direction) =>
      contracts.heldAt(sideBook(instrument, direction), time)?.direction === direction
    if (!isHeld('short')) return 'long'
    if (!isHeld('long')) return 'short'
    return lastRate < 0n === amount < ZERO ? 'long' : 'short'
  }
}

/**
 * A payment was at the last rate if it differs by at most one part in so many; one seen late was at an older
 * rate.
 */
const ALIKE = 50n

/** The last rate if it roughly matches the payment per notional; otherwise that ratio. */
function likelyRate(amount: Amount, worth: Amount, last: Rate): Rate {
  if (worth === ZERO) return last
  const paid = divide(amount, worth) as bigint as Rate // an amount as a share of another
  const difference = paid - last
  return (difference < 0n ? -difference : difference) * ALIKE <= (last < 0n ? -last : last) ? last : paid
}
