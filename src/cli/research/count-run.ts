import { numberOf } from '../../../backtest/metrics/metric.ts'
import { dailySeriesOf, returnsOf } from '../../../backtest/metrics/returns/daily-series.ts'
import type { BacktestReport } from '../../../backtest/report/backtest-report.ts'
import { longestOpen } from '../../../backtest/trials/longest-open.ts'
import { TRIAL_FIGURES } from '../../../backtest/trials/trial.ts'
import { StudyFile } from '../../studies/study-file.ts'
import type { StudyTrial } from '../../studies/study-trial.ts'
import { type CountedTrial, deflationIn, luckText } from './luck-text.ts'
import { identityOf, studyTrial } from './trial-identity.ts'

/** Keeps the trial of a backtest, and says what all trials of its strategy on klines of its days leave of its Sharpe ratio; throws `UsageError`. */
export function countRun(report: BacktestReport, path: string): string {
  const study = new StudyFile(path)
  try {
    const trial = trialOfReport(report)
    study.addTrial(trial)
    return luckText(path, report.strategy, deflationIn(study, trial))
  } finally {
    study.close()
  }
}

/** The trial that a report is of. */
function trialOfReport(report: BacktestReport): StudyTrial & CountedTrial {
  const { metrics, equity, ambiguity, openPositions } = report
  const identity = identityOf({ ...report, playsTrades: ambiguity.policy === 'trades' })
  const series = dailySeriesOf(equity)
  const figures = Object.fromEntries(TRIAL_FIGURES.map(name => [name, numberOf(metrics.figures[name])]))
  const openForMs = longestOpen(openPositions, equity.time[equity.time.length - 1] ?? equity.startTime)
  const returns = { firstDay: series.firstDay, dailyReturns: returnsOf(series) }
  const trial = studyTrial(identity, {
    ...{ outcome: 'finished', parameters: parametersOf(report) },
    figures: { ...figures, ...(openForMs > 0 && { openForMs }) },
    ...returns,
  })
  return { ...trial, ...returns }
}

/** Parameters of the strategy; of several, each by its book. */
function parametersOf({ manifest: { parameters, markets } }: BacktestReport): StudyTrial['parameters'] {
  const own = (markets ?? []).filter(({ role }) => role === undefined)
  if (own.length < 2) return own[0]?.parameters ?? parameters
  return Object.fromEntries(
    own.flatMap(({ book, parameters: of }) =>
      Object.entries(of).map(([name, value]) => [`${book} ${name}`, value] as const),
    ),
  )
}
