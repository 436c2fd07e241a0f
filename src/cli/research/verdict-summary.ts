import { finishedTrials } from '../../../backtest/search/ranking.ts'
import type { Trial } from '../../../backtest/trials/trial.ts'
import { type Criterion, criterionResult, type Verdict } from '../../research/verdict/criterion.ts'
import type { JudgeDone } from './judge-run.ts'

/** A verdict for people who trade and do not compute statistics. */
export interface VerdictSummary {
  /** Reasons of the verdict, a sentence. */
  readonly why: string
  /** Next step of the trader, in sentences. */
  readonly next: string
}

/** A criterion in plain words: where it speaks against an edge, and where it cannot say. */
interface PlainWords {
  readonly against: string
  readonly unsure: string
}

/** By key of the criterion, the most telling first. */
const PLAIN: Readonly<Record<string, PlainWords>> = {
  doubleCosts: {
    against: 'at double fees and slippage it earns nothing',
    unsure: 'it was not tested at double fees and slippage',
  },
  worstPath: {
    against: 'where prices take the worst path inside each kline it earns nothing',
    unsure: 'how it does on the worst path inside each kline is not known',
  },
  outOfSampleT: {
    against: 'on klines that did not choose its parameters it earned nothing',
    unsure: 'on klines that did not choose its parameters it did not earn enough to tell it from chance',
  },
  newerEfficiency: {
    against: 'in the newer half of the tests it earned nothing, so what once worked may have ended',
    unsure: 'in the newer half of the tests too little was left of what the trainings earned',
  },
  efficiency: {
    against: 'parameters that earned in their training earned nothing in the test after it',
    unsure: 'the tests kept too little of what the trainings earned',
  },
  alphaT: {
    against: 'it earned nothing beyond what holding the market would have earned',
    unsure: 'what it earned beyond holding the market is too little to tell from chance',
  },
  superiorAbility: {
    against: 'the best of so many parameter sets is no better than luck makes the best of as many',
    unsure: 'the best of so many parameter sets is not clearly better than luck makes the best of as many',
  },
  deflatedSharpe: {
    against: 'its Sharpe ratio is no higher than luck alone would give the best of so many trials',
    unsure: 'its Sharpe ratio is not clearly above that which luck alone gives the best of so many trials',
  },
  randomEntries: {
    against: 'as many positions at random times do as well',
    unsure: 'its positions are not clearly better than as many at random times',
  },
  shiftedSignals: {
    against: 'the same positions at other times do as well',
    unsure: 'its positions are not clearly better than the same at other times',
  },
}

/** Reasons that a summary names; the list below it has all. */
const NAMED = 3

const NEXT: Readonly<Record<Verdict, string>> = {
  'no edge':
    'do not trade it. More parameters on these klines only give luck more chances; another idea, or the same one on other klines, is a new question.',
  undecided:
    'do not trade it yet. Judge it on klines that chose nothing: more years, or days after these. Searching on only raises what luck alone would reach.',
  edge: 'trade it on paper, then with as little money as possible, and compare with npm run compare. A verdict is about the past, and no threshold keeps every lucky strategy out.',
}

/** Reasons of a verdict in plain words, and the next step. */
export function verdictSummary({ verdict, criteria, searched }: Summarized): VerdictSummary {
  if (neverTraded(searched.map(({ trial }) => trial))) {
    const sets = finishedTrials(searched).length
    return {
      why: `it never traded: ${sets === 1 ? 'the only parameter set' : `none of ${sets} parameter sets`} bought or sold anything on these klines, so there is nothing to judge.`,
      next: 'run npm run backtest with it, which says what it decided and which orders were denied; then give it other parameters, a smaller size or more klines.',
    }
  }
  return { why: whyText(verdict, criteria), next: nextText(verdict, criteria) }
}

/** The next step of most verdicts, unless there were no costs to judge by: then costs come first. */
function nextText(verdict: Verdict, criteria: readonly Criterion[]): string {
  const isFree = criteria.some(({ key, isWarning }) => key === 'doubleCosts' && isWarning === true)
  return verdict !== 'no edge' && isFree
    ? 'give the fees and the slippage of your exchange in the configuration, and judge again: this says nothing of what trading costs.'
    : NEXT[verdict]
}

/** Parts of a judgement that a summary is made of. */
export type Summarized = Pick<JudgeDone, 'verdict' | 'criteria'> & {
  readonly searched: readonly { readonly trial: Trial }[]
}

/** True where trials were played, and none of them bought or sold anything. */
export function neverTraded(trials: readonly Trial[]): boolean {
  const finished = trials.filter(trial => trial.outcome === 'finished')
  return finished.length > 0 && finished.every(({ figures }) => figures.fills === 0)
}

function whyText(verdict: Verdict, criteria: readonly Criterion[]): string {
  const deciding = criteria.filter(({ isWarning }) => isWarning !== true)
  if (verdict === 'edge') return `each of the ${deciding.length} criteria below is passed.`
  const isDeciding =
    verdict === 'no edge'
      ? (one: Criterion) => criterionResult(one) === 'against'
      : (one: Criterion) => criterionResult(one) !== 'passed'
  const reasons = deciding.filter(isDeciding).sort(byPlace)
  const named = reasons.slice(0, NAMED).map(plainText).join('; ')
  const others = reasons.length - NAMED
  const more = others <= 0 ? '' : `; and ${others === 1 ? 'one more' : `${others} more`} below`
  return verdict === 'no edge'
    ? `${named}${more}.`
    : `nothing speaks against an edge, and yet ${named}${more}.`
}

function byPlace(left: Criterion, right: Criterion): number {
  const places = Object.keys(PLAIN)
  return places.indexOf(left.key) - places.indexOf(right.key)
}

function plainText(criterion: Criterion): string {
  const words = PLAIN[criterion.key]
  if (words === undefined) return criterion.title
  return criterionResult(criterion) === 'against' ? words.against : words.unsure
}
