import type { Transfer, TransferAccount } from '../account/transfer.ts'
import type { Withdrawal } from '../account/withdrawal.ts'
import { pageRange } from '../ranges/page-range.ts'
import { MS_PER_DAY, type ServerNow, sixMonthsBefore } from '../ranges/range-time.ts'
import { type Range, type RangeOptions, untilAborted } from '../ranges/until-aborted.ts'
import type { AccountCalls } from './account-calls.ts'

/** Range of withdrawals; times in ms UTC, both included. */
interface WithdrawalsRange extends RangeOptions {
  /** The currency on its chain; default: all. */
  readonly asset?: string
  /** Default: 90 days ago. */
  readonly from?: number
  /** Default: now. */
  readonly to?: number
}

/** Range of transfers; times in ms UTC, both included. */
interface TransfersRange extends RangeOptions {
  readonly from: TransferAccount
  readonly to: TransferAccount
  /** Default: all. */
  readonly asset?: string
  /** Default: 6 months ago, the earliest time that the exchange keeps. */
  readonly startTime?: number
  /** Default: now. */
  readonly endTime?: number
}

/** Complete account lists, read page by page; order, resuming and errors as in `SpotRanges`. */
export interface AccountRanges {
  /**
   * Withdrawals, 90 days of them in memory at a time. At least two calls of weight 100 for every 90 days with
   * withdrawals.
   */
  allWithdrawals(range?: WithdrawalsRange): Range<Withdrawal>
  /** Transfers between two accounts, 30 days of them in memory at a time. */
  allTransfers(range: TransfersRange): Range<Transfer>
}

const WITHDRAWALS_WINDOW_MS = 90 * MS_PER_DAY
const TRANSFERS_WINDOW_MS = 30 * MS_PER_DAY
/** Most transfers in an answer (supplement, section 5). */
const TRANSFERS_LIMIT = 100

/** Range methods over the calls that read single pages. */
export function accountRanges(
  callsFor: (options: RangeOptions) => AccountCalls,
  now: ServerNow,
): AccountRanges {
  return {
    allWithdrawals: (range = {}) => untilAborted(withdrawalRange(callsFor(range), range, now), range.signal),
    allTransfers: range => untilAborted(transferRange(callsFor(range), range, now), range.signal),
  }
}

async function* withdrawalRange(
  { withdrawals }: AccountCalls,
  { asset, from, to }: WithdrawalsRange,
  now: ServerNow,
): Range<Withdrawal> {
  const latest = to ?? (await now())
  yield* pageRange({
    what: 'withdrawals',
    from: from ?? latest - WITHDRAWALS_WINDOW_MS,
    to: latest,
    windowMs: WITHDRAWALS_WINDOW_MS,
    read: async (startTime, endTime, page) => {
      const read = await withdrawals({ startTime, endTime, page, ...(asset !== undefined && { asset }) })
      return { items: read.withdrawals, count: read.count }
    },
    positionOf: ({ time, id }) => ({ time, id }),
    nameOf: ({ id }) => id,
  })
}

async function* transferRange(
  { transfers }: AccountCalls,
  { signal: _, startTime, endTime, ...accounts }: TransfersRange,
  now: ServerNow,
): Range<Transfer> {
  const latest = endTime ?? (await now())
  yield* pageRange({
    what: 'transfers',
    from: startTime ?? sixMonthsBefore(await now()),
    to: latest,
    windowMs: TRANSFERS_WINDOW_MS,
    read: async (startTime, endTime, page) => ({
      items: await transfers({ ...accounts, startTime, endTime, page, limit: TRANSFERS_LIMIT }),
    }),
    positionOf: ({ time, transferId }) => ({ time, id: transferId }),
    nameOf: ({ transferId }) => transferId,
  })
}
