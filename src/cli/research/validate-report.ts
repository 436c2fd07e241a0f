import { DAYS_PER_YEAR } from '../../../backtest/metrics/convention.ts'
import { fixed } from '../../../backtest/report/text/figure-text.ts'
import { finishedTrials } from '../../../backtest/search/ranking.ts'
import type { FinishedTrial } from '../../../backtest/trials/trial.ts'
import type { VerdictConfig } from '../../config/verdict-field.ts'
import type { PermutationTest } from '../../research/statistics/resampling/permutation-test.ts'
import type { DeflatedSharpe } from '../../research/statistics/sharpe/deflated-sharpe.ts'
import { defined, derived, type Statistic } from '../../research/statistics/statistic.ts'
import { type Criterion, type CriterionResult, criterionResult } from '../../research/verdict/criterion.ts'
import type { JudgeDone } from './judge-run.ts'
import type { CountedTrials } from './luck-text.ts'
import { alphaSentence, MARKET_HEAD, marketJson, marketRows } from './market-report.ts'
import {
  figureOrReason,
  LEAST_PROBABILITY,
  oneDecimalPercent,
  plainTable,
  probabilityText,
} from './report-parts.ts'
import type { ResearchInput } from './research-input.ts'
import { STRESS_HEAD, stressJson, stressRows } from './stress-report.ts'
import { neverTraded, type VerdictSummary, verdictSummary } from './verdict-summary.ts'
import { waitSentence } from './wait-sentence.ts'
import {
  headingOf,
  namesOf,
  outOfSampleOf,
  type ResearchReport,
  statisticsJson,
  walkForwardJson,
  walkForwardLines,
} from './walk-forward-report.ts'

/** The report of a verdict; `counted` are the trials on klines of the same days that the study has. */
export function validateReport(
  research: ResearchInput,
  settings: VerdictConfig,
  done: JudgeDone,
  counted: CountedTrials,
): ResearchReport {
  const figures = outOfSampleOf(done.walkForward)
  const summary = verdictSummary(done)
  const head = [headingOf(research), `Verdict: ${done.verdict}.`, ...summaryLines(summary)]
  const isUntraded = neverTraded(done.searched.map(({ trial }) => trial))
  const lines = isUntraded ? head : [...head, '', ...evidenceLines(research, settings, done, counted)]
  return {
    text: lines.join('\n'),
    json: {
      ...{ ...namesOf(research), verdict: done.verdict, summary, settings },
      criteria: done.criteria.map(criterionJson),
      ...{ judged: done.judged.parameters, figures: done.judged.figures },
      trials: { counted: done.trialCount, known: counted.trials, ...trialsJson(done) },
      market: marketJson(done),
      walkForward: walkForwardJson(done.walkForward, figures),
      stress: stressJson(done),
      controls: {
        random: testJson(done.controls.random),
        shifted: testJson(done.controls.shifted),
      },
    },
  }
}

/** Every figure that a verdict follows from, as lines. */
function evidenceLines(
  research: ResearchInput,
  settings: VerdictConfig,
  done: JudgeDone,
  counted: CountedTrials,
): string[] {
  const { criteria, walkForward, controls } = done
  return [
    'Each criterion is passed, against an edge (no better than chance), or not passed (neither of them):',
    ...criteria.filter(({ isWarning }) => isWarning !== true).map(criterionSentence),
    '',
    ...criteria.filter(({ isWarning }) => isWarning === true).map(criterionSentence),
    drawdownSentence(done),
    waitSentence(done, settings),
    '',
    searchedSentence(research, done, counted),
    '',
    'Beside buy and hold, without costs:',
    plainTable(MARKET_HEAD, marketRows(done), 1),
    alphaSentence(done),
    '',
    'Walk-forward:',
    ...walkForwardLines(research, walkForward, outOfSampleOf(walkForward)),
    '',
    'Stress:',
    plainTable(STRESS_HEAD, stressRows(done), 1),
    '',
    'Controls, by the mean return of a position at opens of klines, with taker fee and slippage:',
    controlSentence('random entries of the same number and lengths', controls.random, settings.controls),
    controlSentence('its positions moved in time', controls.shifted, settings.controls),
  ]
}

/** Reasons and next step, a line each. */
export function summaryLines({ why, next }: VerdictSummary): string[] {
  return [`Why: ${why}`, `What to do: ${next}`]
}

const RESULT_WORDS: Readonly<Record<CriterionResult, string>> = {
  passed: 'Passed',
  failed: 'Not passed',
  against: 'Against an edge',
  undefined: 'Not passed',
}

/** Decimals that a figure has at most beyond the usual ones, to be told from its threshold. */
const MOST_MORE_DECIMALS = 12

/** Place of a criterion's figure in words. */
export function criterionWord(criterion: Criterion): string {
  const result = criterionResult(criterion)
  if (criterion.isWarning === true) return result === 'passed' ? 'No warning' : 'Warning'
  return RESULT_WORDS[result]
}

/** The figure of a criterion in its unit, with more decimals where it would look like the threshold and is not. */
export function criterionFigure(value: number, { unit, threshold }: Criterion): string {
  if (unit === 'probability' && value < LEAST_PROBABILITY && threshold >= LEAST_PROBABILITY)
    return probabilityText(value)
  const text = (of: number, more = 0) =>
    unit === 'percent' ? `${fixed(100 * of, 1 + more)}%` : fixed(of, 3 + more)
  const looksEqual = (more: number) => value !== threshold && text(value, more) === text(threshold, more)
  let more = 0
  while (more < MOST_MORE_DECIMALS && looksEqual(more)) more++
  return text(value, more)
}

/** A criterion with its figure and threshold as a sentence. */
function criterionSentence(criterion: Criterion): string {
  const { title, figure, side, threshold } = criterion
  const text = (value: number) => criterionFigure(value, criterion)
  const word = criterionWord(criterion)
  if (figure.reason !== undefined) return `${word}: the ${title} is undefined. ${figure.reason}`
  return `${word}: the ${title} is ${text(figure.value)}; wanted ${side} ${text(threshold)}.`
}

function criterionJson(criterion: Criterion) {
  const { key, title, figure, side, threshold, isWarning = false } = criterion
  const { value = null, reason } = figure
  const result = criterionResult(criterion)
  return {
    ...{ key, result, value, ...(reason !== undefined && { reason }), side, threshold, isWarning, title },
    sentence: criterionSentence(criterion),
  }
}

/** Share of the drawdown that comes from the order of the round trips. */
export function drawdownSentence({ drawdownLuck }: JudgeDone): string {
  const { value, reason } = drawdownLuck
  if (reason !== undefined) return `Drawdown of its round trips in other orders: undefined. ${reason}`
  const { observed, median, worstTwentieth } = value
  return `Its round trips had a drawdown of ${oneDecimalPercent(observed)} in their order; in other orders ${oneDecimalPercent(median)} in the middle, and one time in twenty more than ${oneDecimalPercent(worstTwentieth)}.`
}

export function searchedSentence(
  { search }: Pick<ResearchInput, 'search'>,
  done: Pick<JudgeDone, 'judged' | 'trialCount' | 'trials' | 'searched'>,
  counted: CountedTrials,
): string {
  const { judged, trialCount, trials, searched } = done
  const { space, fixed: kept } = search.parameters
  const texts = (names: readonly string[]) =>
    names.map(name => `${name}=${judged.parameters[name]}`).join(' ')
  const chosen = texts(space.map(({ name }) => name))
  const fixedOnes = texts(Object.keys(kept))
  const played = finishedTrials(searched).length
  const sets = played === 1 ? 'the only parameter set' : `the best of ${fixed(played, 0)} parameter sets`
  const named = [
    ...(chosen === '' ? [] : [chosen]),
    ...(fixedOnes === '' ? [] : [`${fixedOnes} fixed by --param`]),
  ]
  const annual = (ratio: Statistic) =>
    figureOrReason(derived(ratio, value => defined(value * Math.sqrt(DAYS_PER_YEAR))))
  const maximum = (of: Statistic<DeflatedSharpe>) =>
    annual(derived(of, ({ expectedMaximum }) => defined(expectedMaximum)))
  const { trials: known, deflation } = counted
  const independent =
    known < 2
      ? ''
      : `; were all ${fixed(known, 0)} independent, luck alone would give the best an annual Sharpe ratio of ${maximum(deflation)}`
  const effective = derived(trials.tried, ({ trials: count }) => defined(count))
  return [
    `Judged: ${[sets, ...named].join(', ')}, with an annual Sharpe ratio of ${figureOrReason(sharpeOf(judged))}.`,
    `Number of trials: ${fixed(known, 0)} that the study knows on klines of these days, of which ${fixed(trialCount, 0)} have returns of their own${independent}.`,
    `Effective number of trials: ${figureOrReason(effective)}, because like parameters earn alike; luck alone gives the best of so many ${maximum(trials.deflated)}, by which the verdict judges.`,
  ].join(' ')
}

function sharpeOf({ figures: { sharpe } }: FinishedTrial): Statistic {
  return sharpe === null
    ? { value: undefined, reason: 'too few days, or returns that do not vary' }
    : defined(sharpe)
}

function trialsJson({ trials }: JudgeDone) {
  const { tried, deflated, daysNeeded } = trials
  return statisticsJson({
    effectiveTrials: derived(tried, ({ trials: count }) => defined(count)),
    expectedMaximum: derived(deflated, ({ expectedMaximum }) => defined(expectedMaximum)),
    daysNeeded,
  })
}

export function controlSentence(
  name: string,
  { value, reason }: Statistic<PermutationTest>,
  count: number,
): string {
  if (reason !== undefined) return `  Controls, ${name}: undefined. ${reason}`
  return `  Its ${oneDecimalPercent(value.observed)} against ${fixed(count, 0)} controls, ${name}: p ${value.p < LEAST_PROBABILITY ? '' : '= '}${probabilityText(value.p)}.`
}

function testJson({ value, reason }: Statistic<PermutationTest>) {
  return reason === undefined
    ? { meanReturn: value.observed, p: value.p }
    : { meanReturn: null, p: null, reason }
}
