import { type Amount, add, amountOf, ZERO } from '../../domain/numbers/amount.ts'
import type { FuturesTransaction } from '../../exchange/futures/futures-transaction.ts'
import type { SentRequests, TransactionsSeen } from '../sent-requests.ts'
import type { HeldContract } from './futures-account.ts'

/** What a futures account's transactions are kept with. */
export interface AccountTransactionsOptions {
  readonly sentRequests: SentRequests
  /** Notes for good what of the transactions was seen. */
  readonly onTransactionsSeen: (seen: TransactionsSeen) => void
}

/** A closing of contracts as an exchange tells it. */
export interface ReportedClose {
  readonly id: string
  /** ms UTC. */
  readonly time: number
  /** What it brought, in quote. */
  readonly brought: Amount
}

/** A change of the futures balance, and the contract of ours it is about, if it is about one. */
export interface AccountTransaction extends FuturesTransaction {
  readonly coin: string
  readonly contract: HeldContract | undefined
}

/** How long what was seen may go without a note, ms. */
const NOTED_EVERY_MS = 600_000

/** Kinds of transactions that fills and funding of ours come to. */
const OF_TRADING: ReadonlySet<AccountTransaction['type']> = new Set([
  'openingFee',
  'closingFee',
  'closingPnl',
  'lossShare',
  'fundingFee',
])

/** Those that show that something was closed. */
const OF_CLOSING: ReadonlySet<AccountTransaction['type']> = new Set(['closingFee', 'closingPnl', 'lossShare'])

/** The transactions of a futures account as they were listed last, and which of them are new since ledger and account agreed. */
export class AccountTransactions {
  readonly #options: AccountTransactionsOptions
  #listed: readonly AccountTransaction[] = []
  /** Those that what was agreed on includes. */
  #settled: ReadonlySet<string> | undefined

  constructor(options: AccountTransactionsOptions) {
    this.#options = options
  }

  /** Takes what is listed now, oldest first. */
  list(found: readonly AccountTransaction[]): void {
    const { until = 0, moved = [] } = this.#options.sentRequests.transactionsSeen ?? {}
    this.#settled ??= new Set([
      ...moved,
      ...found.filter(one => isOfTrading(one) && one.time < until).map(({ id }) => id),
    ])
    this.#listed = found
  }

  /**
   * Ledger and account, read at `readAt` (ms UTC), agree on all that is listed; that is noted every now and then, where
   * something had to be settled, and where money was moved that the ledger has had from the beginning.
   */
  agree(readAt: number, isSettled: boolean): void {
    this.#settled = new Set(this.#listed.map(({ id }) => id))
    const { sentRequests, onTransactionsSeen } = this.#options
    const seen = sentRequests.transactionsSeen
    const since = seen?.since ?? readAt
    const moved = this.#listed.filter(one => !isOfTrading(one)).map(({ id }) => id)
    const isDue = readAt - (seen?.until ?? 0) >= NOTED_EVERY_MS
    const isNew = moved.some(id => !seen?.moved.includes(id))
    if (isSettled || isDue || isNew)
      onTransactionsSeen({ type: 'transactionsSeen', since, until: readAt, moved })
  }

  /** Whether something of a contract was closed since they agreed. */
  wasClosed(contract: HeldContract): boolean {
    return this.#forcedClosesOf(contract).length > 0
  }

  /** The latest closing of a contract since they agreed whose time (ms UTC) is meant, or else the latest of all. */
  closingOf(contract: HeldContract, isMeant: (time: number) => boolean): ReportedClose | undefined {
    const closings = this.#forcedClosesOf(contract)
    const last = closings.findLast(({ time }) => isMeant(time)) ?? closings.at(-1)
    if (last === undefined) return undefined
    const { id, time } = last
    const amounts = closings.filter(one => one.time === time).map(({ amount }) => amountOf(amount))
    return { id, time, brought: amounts.reduce(add, ZERO) }
  }

  #forcedClosesOf(contract: HeldContract): readonly AccountTransaction[] {
    return this.#fresh.filter(({ type, contract: own }) => own === contract && OF_CLOSING.has(type))
  }

  /** What of a coin's transactions since they agreed has nothing to do with our trading: money moved, and what others trade. */
  movedIn(coin: string): Amount {
    return this.#fresh
      .filter(one => one.coin === coin && !isOfTrading(one))
      .reduce((sum, { amount }) => add(sum, amountOf(amount)), ZERO)
  }

  get #fresh(): readonly AccountTransaction[] {
    return this.#listed.filter(({ id }) => !this.#settled?.has(id))
  }
}

/** Whether a transaction is what our own trading comes to, or the exchange's with our positions. */
function isOfTrading({ contract, type }: AccountTransaction): boolean {
  return contract !== undefined && OF_TRADING.has(type)
}
