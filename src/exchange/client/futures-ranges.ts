import type { Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { EndpointCall } from '../call/endpoint-call.ts'
import type { FuturesHistoryOrder } from '../futures/futures-history-order.ts'
import type { FuturesProfit } from '../futures/futures-profit.ts'
import type { FuturesTrade } from '../futures/futures-trade.ts'
import type { FuturesTransaction } from '../futures/futures-transaction.ts'
import { idRange } from '../ranges/id-range.ts'
import { pageRange } from '../ranges/page-range.ts'
import { MS_PER_DAY, type ServerNow } from '../ranges/range-time.ts'
import { patiently, type Range, type RangeOptions, untilAborted } from '../ranges/until-aborted.ts'
import { type FuturesTransactionQuery, futuresAccountCalls } from './futures-account-calls.ts'
import { futuresKlineRange } from './futures-kline-range.ts'
import { futuresMarketCalls } from './futures-market-calls.ts'
import { futuresLists } from './futures-order-calls.ts'

/** Range of klines; times in ms UTC, both included. */
interface KlinesRange extends RangeOptions {
  readonly contractName: string
  readonly interval: Interval
  readonly from: number
  /** Default: now. */
  readonly to?: number
}

/** Range of orders or trades. */
interface ContractRange extends RangeOptions {
  readonly contractName: string
  /** First id, included; default: the oldest. */
  readonly fromId?: string
}

/** Range of profits; times in ms UTC, both or none (then of all time). */
type ProfitsRange = RangeOptions & {
  /** Default: all contracts. */
  readonly contractName?: string
  /** First id, included; default: the oldest. */
  readonly fromId?: string
} & ({ readonly from: number; readonly to: number } | { readonly from?: undefined; readonly to?: undefined })

/** Range of transactions; times in ms UTC, both included. */
interface TransactionsRange
  extends RangeOptions,
    Omit<FuturesTransactionQuery, 'startTime' | 'endTime' | 'page' | 'limit'> {
  readonly from: number
  /** Default: now. */
  readonly to?: number
}

/** Complete futures lists, read page by page; order, resuming and errors as in `SpotRanges`. */
export interface FuturesRanges {
  /**
   * Klines. The interface document offers only the latest 300. Sibling hosts accept times too: there the
   * range may begin anywhere; on any other host it throws `IncompleteRangeError` if those 300 do not cover
   * it.
   */
  allKlines(range: KlinesRange): Range<Kline>
  /** Orders in any state by id, 500 a call, including those placed meanwhile. */
  allHistoryOrders(range: ContractRange): Range<FuturesHistoryOrder>
  /** Realized profits of positions by id, 500 a call. */
  allHistoryProfits(range?: ProfitsRange): Range<FuturesProfit>
  /** Own trades by id, 500 a call, including those that happen meanwhile. */
  allMyTrades(range: ContractRange): Range<FuturesTrade>
  /** Changes of the balance of a margin coin, 200 a call, 7 days of them in memory at a time. */
  allTransactions(range: TransactionsRange): Range<FuturesTransaction>
}

/** Most entries in an answer (interface section 8; supplement, section 9). */
const [LISTS_LIMIT, TRANSACTIONS_LIMIT] = [500, 200]
const TRANSACTIONS_WINDOW_MS = 7 * MS_PER_DAY

/** Range methods over `call`. */
export function futuresRanges(call: EndpointCall, now: ServerNow): FuturesRanges {
  return {
    allKlines: range => {
      const { klines } = futuresMarketCalls(patiently(call, range))
      return untilAborted(futuresKlineRange(range, now, klines), range.signal)
    },
    allTransactions: range =>
      untilAborted(transactionRange(patiently(call, range), range, now), range.signal),
    ...listRanges(call),
  }
}

function listRanges(
  call: EndpointCall,
): Pick<FuturesRanges, 'allHistoryOrders' | 'allHistoryProfits' | 'allMyTrades'> {
  const orderCalls = (options: RangeOptions) => futuresLists(patiently(call, options))
  return {
    allHistoryOrders: ({ contractName, fromId, signal }) => {
      const read = (page: IdPage) => orderCalls({ signal }).historyOrders({ contractName, ...page })
      const idOf = ({ orderId }: FuturesHistoryOrder) => orderId
      return untilAborted(listRange({ what: 'futures orders', fromId, read, idOf, nameOf: idOf }), signal)
    },
    allHistoryProfits: ({ fromId, signal, from, to, ...query } = {}) => {
      const times = from === undefined || to === undefined ? {} : { startTime: from, endTime: to }
      const read = (page: IdPage) => orderCalls({ signal }).historyProfits({ ...query, ...times, ...page })
      const idOf = ({ id }: FuturesProfit) => id
      return untilAborted(listRange({ what: 'futures profits', fromId, read, idOf, nameOf: idOf }), signal)
    },
    allMyTrades: ({ contractName, fromId, signal }) => {
      const read = (page: IdPage) => orderCalls({ signal }).myTrades({ contractName, ...page })
      const idOf = ({ id }: FuturesTrade) => id
      // A self-trade has two sides.
      const nameOf = ({ id, orderId }: FuturesTrade) => `${id} ${orderId}`
      return untilAborted(listRange({ what: 'own futures trades', fromId, read, idOf, nameOf }), signal)
    },
  }
}

interface IdPage {
  readonly limit: number
  readonly fromId?: string
}

interface IdList<Item> {
  readonly what: string
  readonly fromId: string | undefined
  read(page: IdPage): Promise<readonly Item[]>
  idOf(item: Item): string
  nameOf(item: Item): string
}

function listRange<Item>({ read, ...list }: IdList<Item>): Range<Item> {
  return idRange({
    ...list,
    limit: LISTS_LIMIT,
    read: (id, limit) => read({ limit, ...(id !== undefined && { fromId: id }) }),
  })
}

async function* transactionRange(
  call: EndpointCall,
  { signal: _, from, to, ...query }: TransactionsRange,
  now: ServerNow,
): Range<FuturesTransaction> {
  const { transactions } = futuresAccountCalls(call)
  yield* pageRange({
    what: 'futures transactions',
    from,
    to: to ?? (await now()),
    windowMs: TRANSACTIONS_WINDOW_MS,
    read: async (startTime, endTime, page) => {
      const read = await transactions({ ...query, startTime, endTime, page, limit: TRANSACTIONS_LIMIT })
      return { items: read.transactions, count: read.count }
    },
    positionOf: ({ time, id }) => ({ time, id }),
    nameOf: ({ id }) => id,
  })
}
