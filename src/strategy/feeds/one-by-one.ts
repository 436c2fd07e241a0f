import { type KlineCursor, KlineRow } from '../../domain/market-data/kline-series.ts'
import type { Signals } from '../signals.ts'
import type { StrategyRun } from '../strategy-run.ts'

/**
 * `onKlines` for a run that has only `update` and `onKline`: calls both for each row before `to`, up to the
 * first with signals.
 */
export function oneByOne(
  run: Pick<StrategyRun, 'update' | 'onKline'>,
  cursor: KlineCursor,
  to: number,
): Signals<string> {
  let signals: Signals<string>
  while (signals === undefined && cursor.next < to) {
    const kline = new KlineRow(cursor.klines, cursor.next++)
    run.update(kline)
    signals = run.onKline(kline)
  }
  return signals
}
