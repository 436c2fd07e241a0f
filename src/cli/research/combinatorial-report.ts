import type { ParameterSet } from '../../../backtest/trials/trial.ts'
import type { Combinatorial } from '../../../backtest/walk-forward/combinatorial.ts'
import type { CombinatorialPlan, CombinatorialSplits } from '../../research/splits/combinatorial-splits.ts'
import { quantileOf } from '../../research/statistics/sample/quantile.ts'
import { totalReturn } from '../../research/walk-forward/daily-record.ts'
import { figureOrReason, oneDecimalPercent, plainTable } from './report-parts.ts'
import type { ResearchInput } from './research-input.ts'
import {
  annualSharpe,
  headingOf,
  namesOf,
  type ResearchReport,
  statisticsJson,
} from './walk-forward-report.ts'

/** Combinatorial purged cross-validation, and the splits that it was played with. */
export interface CombinatorialDone extends Combinatorial {
  readonly plan: CombinatorialPlan
  readonly splits: CombinatorialSplits
}

/** The report of combinatorial splits. */
export function combinatorialReport(research: ResearchInput, done: CombinatorialDone): ResearchReport {
  const { plan, chosen, paths } = done
  const [planned = '', ...sentences] = combinatorialSentences(research, done)
  const { head, rows } = pathTable(done)
  return {
    text: [headingOf(research), planned, '', plainTable(head, rows), '', ...sentences].join('\n'),
    json: {
      ...{ ...namesOf(research), plan, chosen: chosen.map(one => one ?? null) },
      paths: paths.map(({ firstDay, returns }) => ({
        totalReturn: totalReturn(returns),
        ...statisticsJson({ sharpe: annualSharpe(returns) }),
        ...{ firstDay, dailyReturns: [...returns] },
      })),
    },
  }
}

/** The plan of the splits and the spread of their paths, each a sentence. */
export function combinatorialSentences(
  research: Pick<ResearchInput, 'search'>,
  { plan, splits, chosen, paths }: CombinatorialDone,
): string[] {
  const returns = Float64Array.from(paths, path => totalReturn(path.returns)).sort()
  const [least, median, most] = [0, 0.5, 1].map(part => oneDecimalPercent(quantileOf(returns, part)))
  const losing = returns.filter(value => value < 0).length
  return [
    `${splits.splits.length} splits of ${plan.folds} folds, ${plan.testFolds} of them tested; ${plan.purge} klines left out before each tested fold and ${plan.purge + plan.embargo} after it.`,
    `Return of the ${paths.length} paths: least ${least}, median ${median}, most ${most}; ${losing} lose.`,
    `Chosen: ${countsOf(chosen.map(one => chosenText(research, one)))}.`,
    'Each path tests every fold once, with parameters chosen by daily Sharpe ratio on the folds that its split leaves; trainings may be later than tests.',
  ]
}

/** The paths as a table of texts. */
export function pathTable({ paths }: CombinatorialDone) {
  return {
    head: ['path', 'return', 'annual Sharpe ratio'],
    rows: paths.map(({ returns }, path) => [
      `${path + 1}`,
      oneDecimalPercent(totalReturn(returns)),
      figureOrReason(annualSharpe(returns)),
    ]),
  }
}

/** The splits as a table of texts: what each tested, and what it chose. */
export function splitTable(
  research: Pick<ResearchInput, 'search'>,
  { splits: { folds, splits }, chosen }: CombinatorialDone,
) {
  const numberOf = (from: number) => folds.findIndex(fold => fold.from === from) + 1
  return {
    head: ['tested folds', 'chosen'],
    rows: splits.map(({ test }, split) => [
      test.map(({ from }) => numberOf(from)).join(', '),
      chosenText(research, chosen[split]),
    ]),
  }
}

/** The searched parameters of a choice. */
function chosenText(
  { search: { parameters } }: Pick<ResearchInput, 'search'>,
  chosen: ParameterSet | undefined,
): string {
  if (chosen === undefined) return 'none'
  return parameters.space.map(({ name }) => `${name}=${chosen[name]}`).join(' ') || 'no parameters'
}

/** Texts and how often there are, the most frequent first. */
function countsOf(texts: readonly string[]): string {
  const counts = [...new Set(texts)].map(text => [text, texts.filter(one => one === text).length] as const)
  return counts
    .toSorted((left, right) => right[1] - left[1])
    .map(([text, count]) => `${text} (${count} of ${texts.length})`)
    .join(', ')
}
