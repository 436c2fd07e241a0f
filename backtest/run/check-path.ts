import { UsageError } from '../../src/domain/sluice-error.ts'
import { checkDetail } from '../fills/detail-klines.ts'
import { checkMark } from '../futures/futures-data.ts'
import { checkFillSettings, type FillSettings } from '../models/fill-settings.ts'
import type { BacktestMarket } from './backtest-options.ts'

/** Throws `UsageError` where settings and klines do not fit together. */
export function checkPath(
  fills: FillSettings,
  { detail, klines, interval, futures }: Pick<BacktestMarket, 'detail' | 'klines' | 'interval' | 'futures'>,
): void {
  checkFillSettings(fills)
  if ((fills.path === 'detail') !== (detail !== undefined)) {
    throw new UsageError(
      detail === undefined
        ? 'The path "detail" needs klines of a finer interval; give them, or use path: pessimistic.'
        : `Klines of a finer interval are only for the path "detail", but it is "${fills.path}"; leave one of the two out.`,
    )
  }
  if (detail !== undefined) checkDetail(detail, klines, interval)
  if (futures !== undefined) checkMark(futures, detail?.klines ?? klines)
}
