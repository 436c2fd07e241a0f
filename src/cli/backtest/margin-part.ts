import type { BacktestReport } from '../../../backtest/report/backtest-report.ts'
import type { BacktestResult } from '../../../backtest/run-backtest.ts'
import { type Amount, add, ZERO } from '../../domain/amount.ts'
import type { BacktestInput } from '../backtest-input.ts'

/** Quote paid for funding in all, less what was received; `undefined` where there were no rates. */
export function fundingOf({ futures }: BacktestInput, { funding }: BacktestResult): Amount | undefined {
  if (futures?.funding === undefined) return undefined
  return funding.reduce((sum, { amount }) => add(sum, amount), ZERO)
}

/** What a report tells of a futures account; nothing of others. */
export function marginPart(
  { instrument, futures = {} }: BacktestInput,
  { margin, funding, liquidations }: BacktestResult,
): Pick<BacktestReport, 'margin' | 'funding'> {
  if (instrument.futures === undefined || margin === undefined) return {}
  const { leverage, marginMode, positionMode } = instrument.futures
  return {
    margin: {
      ...{ leverage, marginMode, positionMode, ...margin, liquidations },
      mark: futures.mark === undefined ? 'tradedKlines' : 'markKlines',
      funding: futures.funding?.type ?? 'none',
    },
    ...(futures.funding !== undefined && { funding }),
  }
}
