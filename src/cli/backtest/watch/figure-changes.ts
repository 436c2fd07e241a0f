import type { Figures } from '../../../../backtest/metrics/metrics.ts'
import { figureText } from '../../../../backtest/report/text/figure-text.ts'
import { METRIC_GROUPS } from '../../../../backtest/report/text/metric-group.ts'

/** Compared figures, in the order of display. */
const KEYS: readonly (keyof Figures)[] = [
  'endEquity',
  'totalReturn',
  'maxDrawdown',
  'sharpe',
  'profitFactor',
  'winRate',
  'roundTrips',
  'exposure',
  'fees',
]

/** Data of a run for the comparison with the next one. */
export interface ComparedRun {
  readonly quote: string
  readonly figures: Figures
}

/** Changes of the key figures since the previous run, in lines. */
export function figureChanges(before: ComparedRun, now: ComparedRun): string {
  const money = { asset: now.quote }
  const all = METRIC_GROUPS.flatMap(({ metrics }) => metrics)
  const rows = KEYS.flatMap(key => {
    const described = all.find(metric => metric.key === key)
    if (described === undefined) return []
    const [old, current] = [before, now].map(run => figureText(run.figures[key], described.unit, money))
    return old === current ? [] : [[described.label, old ?? '', current ?? ''] as const]
  })
  if (rows.length === 0) return 'No key figure differs from the run before.'
  const [labels, olds, news] = [0, 1, 2].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const lines = rows.map(
    ([label, old, current]) =>
      `  ${label.padEnd(labels ?? 0)}  ${old.padStart(olds ?? 0)} → ${current.padStart(news ?? 0)}`,
  )
  return ['Against the run before', ...lines].join('\n')
}
