import type { Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { IncompleteRangeError } from '../ranges/incomplete-range-error.ts'
import { KLINES_LIMIT, klineRange } from '../ranges/kline-range.ts'
import type { ServerNow } from '../ranges/range-time.ts'
import { checkOrder } from '../ranges/time-range.ts'
import type { Range } from '../ranges/until-aborted.ts'
import type { FuturesMarketCalls } from './futures-market-calls.ts'

/** Range of futures klines; times in ms UTC, both included. */
interface FuturesKlineRange {
  readonly contractName: string
  readonly interval: Interval
  readonly from: number
  readonly to?: number
}

/**
 * Reads the latest klines if they reach back far enough; otherwise reads by time, and throws if the answers
 * show that the host ignores times.
 */
export async function* futuresKlineRange(
  { contractName, interval, from, to }: FuturesKlineRange,
  now: ServerNow,
  klines: FuturesMarketCalls['klines'],
): Range<Kline> {
  const what = 'futures klines'
  const end = to ?? (await now())
  checkOrder(from, end)
  const latest = await klines({ contractName, interval, limit: KLINES_LIMIT })
  const [first] = latest
  if (latest.length < KLINES_LIMIT || first === undefined || first.openTime <= from) {
    yield* latest.filter(({ openTime }) => openTime >= from && openTime <= end)
    return
  }
  const read = async (startTime: number, endTime: number, limit: number) => {
    const read = await klines({ contractName, interval, limit, startTime, endTime })
    if (read.every(({ openTime }) => openTime >= startTime && openTime <= endTime)) return read
    throw new IncompleteRangeError(
      what,
      `the exchange ignores times for ${contractName} and returns klines since ${first.openTime} only; begin the range there.`,
    )
  }
  yield* klineRange({ what, interval, from, to: end, now, read })
}
