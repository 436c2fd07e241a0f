import { bookNames } from '../../src/domain/book-names.ts'
import type { MarketsBacktestOptions } from '../run/backtest-options.ts'
import type { Resumable } from '../run/resumable.ts'
import { resumableBacktest } from '../run/run-backtest.ts'
import { type RecordEntry, recordedStrategy } from './recorded-strategy.ts'
import type { RunRecord } from './run-record.ts'

/**
 * Runs a backtest of several markets and records all of it in one order, with pauses. An error ends the record, and is part
 * of it.
 */
export function* recordMarkets(backtest: MarketsBacktestOptions): Resumable<RunRecord> {
  const moments: number[] = []
  const entries: RecordEntry[] = []
  const names = marketNames(backtest)
  const markets = backtest.markets.map((market, index) => {
    const shared = { entries, row: () => moments.length, market: names[index] ?? '' }
    return { ...market, strategy: recordedStrategy(market.strategy, { shared }).strategy }
  })
  const onClosed = (time: number) => void moments.push(time)
  try {
    const result = yield* resumableBacktest({ ...backtest, markets, onClosed })
    return { entries, moments, klinesSeen: moments.length, result, error: undefined }
  } catch (error) {
    return { entries, moments, klinesSeen: moments.length, result: undefined, error }
  }
}

/** `sma-cross on BTC/USDT 1h`, with its book where several trade the symbol. */
function marketNames({ markets }: MarketsBacktestOptions): readonly string[] {
  const books = bookNames(markets.map(({ instrument: { symbol }, strategy }) => ({ symbol, strategy })))
  return markets.map(({ strategy, instrument: { symbol }, interval }, index) => {
    const book = books[index]
    return `${strategy.name} on ${symbol} ${interval}${book === symbol ? '' : ` (${book})`}`
  })
}
