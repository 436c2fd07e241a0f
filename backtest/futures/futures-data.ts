import { utcText } from '../../src/domain/market-data/civil-date.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import type { FundingRates } from './funding-rates.ts'

/** Data of a contract for a backtest on a futures account, besides its klines. */
export interface FuturesData {
  /** Without them, no funding is paid. */
  readonly funding?: FundingRates | undefined
  /**
   * Klines of the mark price, with the open times of the traded klines (of `detail`, if given). Without them
   * the traded prices serve as mark prices.
   */
  readonly mark?: KlineColumns | undefined
}

/** Throws `UsageError` unless there is a kline of the mark price for every kline that is traded on. */
export function checkMark({ mark }: FuturesData, traded: KlineColumns): void {
  if (mark === undefined) return
  let row = 0
  for (const openTime of traded.openTime) {
    while ((mark.openTime[row] ?? Number.POSITIVE_INFINITY) < openTime) row++
    if (mark.openTime[row] === openTime) continue
    throw new UsageError(
      `The klines of the mark price have none at ${utcText(openTime)}; they must have one for every kline that is traded on. Get it, or leave the mark price out.`,
    )
  }
}
