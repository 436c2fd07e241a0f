import { type PageTable, studyHtml, type VerdictRow } from '../../../../backtest/study-report/study-html.ts'
import type { PageDrawdowns } from '../../../../backtest/study-report/study-page-data.ts'
import type { VerdictConfig } from '../../../config/verdict-field.ts'
import type { Resamples } from '../../../research/statistics/resampling/resamples.ts'
import { resampledTrades } from '../../../research/statistics/resampling/trade-resampling.ts'
import { redrawnTrips, shuffledTrips } from '../../../research/verdict/criteria.ts'
import { type Criterion, type CriterionResult, criterionResult } from '../../../research/verdict/criterion.ts'
import { backtestLine } from '../backtest-line.ts'
import type { JudgeDone } from '../judge-run.ts'
import type { CountedTrials } from '../luck-text.ts'
import { alphaSentence, MARKET_HEAD, marketRows } from '../market-report.ts'
import type { ResearchInput } from '../research-input.ts'
import type { SearchRequest } from '../search-request.ts'
import { STRESS_HEAD, stressRows } from '../stress-report.ts'
import {
  controlSentence,
  criterionFigure,
  criterionWord,
  drawdownSentence,
  searchedSentence,
  summaryLines,
} from '../validate-report.ts'
import { verdictSummary } from '../verdict-summary.ts'
import { waitSentence } from '../wait-sentence.ts'
import { searchedTrials } from './searched-trials.ts'
import { pageHeadOf, walkForwardPart } from './walk-forward-page.ts'

/** Parts of the page of a verdict. */
export interface JudgedPage {
  readonly request: Pick<SearchRequest, 'backtest' | 'objective' | 'study'>
  readonly research: ResearchInput
  readonly settings: VerdictConfig
  readonly done: JudgeDone
  /** Trials on klines of the same days that the study has. */
  readonly counted: CountedTrials
}

/** The page of a verdict: each reason with its figure and threshold first. */
export function verdictPage({ request, research, settings, done, counted }: JudgedPage): string {
  return studyHtml({
    ...pageHeadOf(research),
    verdict: {
      answer: done.verdict,
      summary: summaryLines(verdictSummary(done)),
      rows: done.criteria.map(verdictRow),
      notes: [waitSentence(done, settings)],
    },
    notes: [searchedSentence(research, done, counted)],
    trials: searchedTrials(done.searched, {
      ...{ objectives: [request.objective], counted, scoresOf: ({ score }) => [score] },
      command: backtestLine(request.backtest, request.study, {}),
    }),
    walkForward: walkForwardPart(research, done.walkForward),
    drawdowns: { data: drawdownsOf(done, settings, `${research.search.seed}`), note: drawdownSentence(done) },
    tables: [marketPart(done), stressPart(done), controlPart(done, settings)],
  })
}

const TONES: Readonly<Record<CriterionResult, VerdictRow['tone']>> = {
  passed: 'gain',
  failed: 'muted',
  against: 'loss',
  undefined: 'muted',
}

function verdictRow(criterion: Criterion): VerdictRow {
  const { title, figure, side, threshold } = criterion
  return {
    ...{ title, word: criterionWord(criterion), tone: TONES[criterionResult(criterion)] },
    figure: figure.value === undefined ? 'undefined' : criterionFigure(figure.value, criterion),
    reason: figure.reason,
    wanted: `${side} ${criterionFigure(threshold, criterion)}`,
  }
}

/** Drawdowns of redrawn and of reshuffled round trips; none where they are undefined, which the sentence says. */
function drawdownsOf(
  { tripReturns }: JudgeDone,
  { resamples }: VerdictConfig,
  seed: string,
): PageDrawdowns[] {
  const { length } = tripReturns
  const drawn = (key: string, title: string, by: Resamples): PageDrawdowns[] => {
    const { value } = resampledTrades(tripReturns, by)
    if (value === undefined) return []
    return [{ key, title, actual: value.observed.maxDrawdown, drawdowns: [...value.paths.maxDrawdown] }]
  }
  return [
    ...drawn(
      'redrawn',
      'Bootstrapped: round trips drawn with replacement',
      redrawnTrips(length, resamples, seed),
    ),
    ...drawn(
      'shuffled',
      'Reshuffled: the same round trips in other orders',
      shuffledTrips(length, resamples, seed),
    ),
  ]
}

function marketPart(done: JudgeDone): PageTable {
  const [, ...head] = MARKET_HEAD
  return {
    ...{ id: 'market', title: 'Buy and hold', head: ['played', ...head], rows: marketRows(done) },
    hint: `${alphaSentence(done)} Buy and hold is without costs.`,
  }
}

function stressPart(done: JudgeDone): PageTable {
  const [, ...head] = STRESS_HEAD
  return { id: 'stress', title: 'Stress', head: ['made worse, or other', ...head], rows: stressRows(done) }
}

function controlPart({ controls }: JudgeDone, { controls: count }: VerdictConfig): PageTable {
  const row = (name: string, test: JudgeDone['controls']['random']) => [
    name,
    controlSentence(name, test, count).trim(),
  ]
  return {
    ...{ id: 'controls', title: 'Controls', head: ['against', 'mean return of a position'] },
    hint: 'Mean return of a position at opens of klines, with taker fee and slippage, as if entries knew nothing. p: share of controls that are as good.',
    rows: [
      row('random entries of the same number and lengths', controls.random),
      row('its positions moved in time', controls.shifted),
    ],
  }
}
