import { type Amount, add, amountAtExchange, negate, ZERO } from '../../domain/numbers/amount.ts'
import type { FuturesTransaction } from '../../exchange/futures/futures-transaction.ts'
import type { SentRequests, TransactionsSeen } from '../sent-requests.ts'
import type { HeldContract } from './futures-account.ts'

export interface AccountTransactionsOptions {
  readonly sentRequests: SentRequests
  /** Records durably which transactions were processed. */
  readonly onTransactionsSeen: (seen: TransactionsSeen) => void
}

/** A close of contracts as reported by an exchange. */
export interface ReportedClose {
  readonly id: string
  /** ms UTC. */
  readonly time: number
  /** Its proceeds, in quote. */
  readonly brought: Amount
}

/** A fee that the exchange took for closed contracts. */
export interface ReportedFee {
  /** ms UTC. */
  readonly time: number
  /** In quote. */
  readonly paid: Amount
}

/** A change of the futures balance, with the traded contract that it concerns, if any. */
export interface AccountTransaction extends FuturesTransaction {
  readonly coin: string
  readonly contract: HeldContract | undefined
}

/** Largest lag between the lists of an exchange, ms: what one shows, all show after it. */
export const LAG_MS = 2000

/** Longest interval between records of the processed transactions, ms. */
const NOTED_EVERY_MS = 600_000

/** Kinds of transactions caused by own fills and funding. */
const OF_TRADING: ReadonlySet<AccountTransaction['type']> = new Set([
  'openingFee',
  'closingFee',
  'closingPnl',
  'lossShare',
  'fundingFee',
])

/** Kinds that show a close. */
const OF_CLOSING: ReadonlySet<AccountTransaction['type']> = new Set(['closingFee', 'closingPnl', 'lossShare'])

/** The latest listed transactions of a futures account, and those new since ledger and account agreed. */
export class AccountTransactions {
  readonly #options: AccountTransactionsOptions
  #listed: readonly AccountTransaction[] = []
  /** Ids of the transactions that the last agreement certainly includes. */
  #settled: ReadonlySet<string> | undefined

  constructor(options: AccountTransactionsOptions) {
    this.#options = options
  }

  /** Updates the listed transactions, oldest first. */
  list(found: readonly AccountTransaction[]): void {
    const { until = 0, moved = [] } = this.#options.sentRequests.transactionsSeen ?? {}
    this.#settled ??= new Set([
      ...moved,
      ...found.filter(one => isOfTrading(one) && one.time < until - LAG_MS).map(({ id }) => id),
    ])
    this.#listed = found
  }

  /**
   * Marks ledger and account, read at `readAt` (ms UTC), as agreeing on all listed transactions; but on those of the
   * last moments, which the account may not show yet, only after a settlement of differences. Recorded
   * periodically, after a settlement, and if unrecorded transfers are listed.
   */
  agree(readAt: number, isSettled: boolean): void {
    const included = this.#listed.filter(
      ({ id, time }) => isSettled || time <= readAt - LAG_MS || this.#settled?.has(id),
    )
    this.#settled = new Set(included.map(({ id }) => id))
    const { sentRequests, onTransactionsSeen } = this.#options
    const seen = sentRequests.transactionsSeen
    const since = seen?.since ?? readAt
    const moved = included.filter(one => !isOfTrading(one)).map(({ id }) => id)
    const isDue = readAt - (seen?.until ?? 0) >= NOTED_EVERY_MS
    const isNew = moved.some(id => !seen?.moved.includes(id))
    if (isSettled || isDue || isNew)
      onTransactionsSeen({ type: 'transactionsSeen', since, until: readAt, moved })
  }

  /** True if contracts were closed since the last agreement. */
  wasClosed(contract: HeldContract): boolean {
    return this.#forcedClosesOf(contract).length > 0
  }

  /** True if the exchange covered a loss on a contract since the last agreement, which it does in a liquidation. */
  wasLossCovered(contract: HeldContract): boolean {
    return this.#forcedClosesOf(contract).some(
      ({ type, amount }) => type === 'lossShare' && amount.greaterThan(0),
    )
  }

  /**
   * The latest close of a contract since the last agreement with a time (ms UTC) that `isMeant` accepts, or
   * else the latest of all.
   */
  closingOf(contract: HeldContract, isMeant: (time: number) => boolean): ReportedClose | undefined {
    const closings = this.#forcedClosesOf(contract)
    const last = closings.findLast(({ time }) => isMeant(time)) ?? closings.at(-1)
    if (last === undefined) return undefined
    const { id, time } = last
    const amounts = closings.filter(one => one.time === time).map(({ amount }) => amountAtExchange(amount))
    return { id, time, brought: amounts.reduce(add, ZERO) }
  }

  /** Proceeds of all closes of a contract since the last agreement. */
  closesOf(contract: HeldContract): Amount {
    return this.#forcedClosesOf(contract)
      .map(({ amount }) => amountAtExchange(amount))
      .reduce(add, ZERO)
  }

  /** Fees of all closes of a contract since the last agreement. */
  closingFeesOf(contract: HeldContract): readonly ReportedFee[] {
    return this.#forcedClosesOf(contract)
      .filter(({ type }) => type === 'closingFee')
      .map(({ time, amount }) => ({ time, paid: negate(amountAtExchange(amount)) }))
  }

  #forcedClosesOf(contract: HeldContract): readonly AccountTransaction[] {
    return this.#fresh.filter(({ type, contract: own }) => own === contract && OF_CLOSING.has(type))
  }

  /**
   * Total of a coin's transactions since the last agreement outside own trading: transfers and foreign
   * trades.
   */
  movedIn(coin: string): Amount {
    return this.#fresh
      .filter(one => one.coin === coin && !isOfTrading(one))
      .reduce((sum, { amount }) => add(sum, amountAtExchange(amount)), ZERO)
  }

  get #fresh(): readonly AccountTransaction[] {
    return this.#listed.filter(({ id }) => !this.#settled?.has(id))
  }
}

/** True for a transaction caused by own trading, or by the exchange on our positions. */
function isOfTrading({ contract, type }: AccountTransaction): boolean {
  return contract !== undefined && OF_TRADING.has(type)
}
