import { DAYS_PER_YEAR } from '../../../backtest/metrics/convention.ts'
import { defined, derived } from '../../research/statistics/statistic.ts'
import { totalReturn } from '../../research/walk-forward/daily-record.ts'
import type { JudgeDone } from './judge-run.ts'
import { figureOrReason, oneDecimalPercent } from './report-parts.ts'
import { annualSharpe, statisticsJson } from './walk-forward-report.ts'

/** Heads of the table of buy and hold. */
export const MARKET_HEAD: readonly string[] = ['', 'return', 'Sharpe ratio']

/** Rows of the table of buy and hold: the strategy and the market, over all klines and out of sample. */
export function marketRows({ judged, walkForward, market }: JudgeDone): string[][] {
  return [
    marketRow('best parameters, all klines', judged.dailyReturns),
    marketRow('buy and hold, all klines', market.all.returns),
    marketRow('walk-forward, out of sample', walkForward.stitched.returns),
    marketRow('buy and hold, out of sample', market.tests.returns),
  ]
}

function marketRow(name: string, returns: Float64Array): string[] {
  return [name, oneDecimalPercent(totalReturn(returns)), figureOrReason(annualSharpe(returns))]
}

/** The part of the returns out of sample that the market explains, and the rest, as a sentence. */
export function alphaSentence({ market: { regression } }: JudgeDone): string {
  const { value, reason } = regression
  if (reason !== undefined) return `Beta and alpha out of sample: undefined. ${reason}`
  const alpha = oneDecimalPercent(DAYS_PER_YEAR * value.alpha)
  return `Out of sample its daily returns move as ${oneDecimalPercent(value.beta)} of the market (beta); what that does not explain is ${alpha} a year (alpha).`
}

/** Buy and hold as plain data; alpha is annual. */
export function marketJson({ market: { all, tests, regression } }: JudgeDone) {
  return {
    all: { totalReturn: totalReturn(all.returns), ...statisticsJson({ sharpe: annualSharpe(all.returns) }) },
    outOfSample: {
      totalReturn: totalReturn(tests.returns),
      ...statisticsJson({
        sharpe: annualSharpe(tests.returns),
        beta: derived(regression, ({ beta }) => defined(beta)),
        alpha: derived(regression, ({ alpha }) => defined(DAYS_PER_YEAR * alpha)),
      }),
    },
  }
}
