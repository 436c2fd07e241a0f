import { createHash } from 'node:crypto'
import { DAY_MS, DAYS_PER_YEAR } from '../../../backtest/metrics/convention.ts'
import { orderedFigures } from '../../../backtest/trials/trial.ts'
import { trialKey } from '../../../src/cli/research/trial-identity.ts'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import { momentsOf } from '../../../src/research/statistics/sample/moments.ts'
import { StudyFile } from '../../../src/studies/study-file.ts'
import type { StudySearch, StudyTrial, TrialIdentity } from '../../../src/studies/study-trial.ts'

const START = Date.UTC(2024, 0, 1)
/** Pairs of averages a row of the grid. */
const SLOWS = 1000

/** Sizes of a study that is made up. */
export interface MadeStudy {
  readonly trials: number
  /** Daily returns of each trial. */
  readonly days: number
}

/** Writes a study as one search of a grid leaves it, trial by trial, with daily returns drawn by a seed. */
export function makeStudy(path: string, { trials, days }: MadeStudy): void {
  const study = new StudyFile(path)
  const identity: TrialIdentity = {
    ...{ strategy: 'sma-cross', symbol: 'BTC/USDT', interval: '1h', code: hash('code'), data: hash('data') },
    ...{ config: hash('config'), from: START, to: START + days * DAY_MS, isSpan: false },
  }
  const search: StudySearch = {
    ...{ ...identity, id: hash('search') },
    definition: { sampler: 'grid', seed: 1, trials, objectives: ['sharpe'] },
  }
  study.addSearch(search)
  const market = drawn('market', days)
  for (let number = 0; number < trials; number++) {
    const trial = madeTrial(identity, number, market)
    study.addTrial(trial)
    study.addAsked(search.id, number, trial.key)
  }
  study.close()
}

function madeTrial(identity: TrialIdentity, number: number, market: Float64Array): StudyTrial {
  const [row, column] = [Math.floor(number / SLOWS), number % SLOWS]
  const parameters = { fast: 2 + row, slow: 10 + column, short: false }
  const own = drawn(`trial/${number}`, market.length)
  const dailyReturns = market.map((of, day) => 0.5 * of + (own[day] as number))
  return {
    ...{ ...identity, parameters, key: trialKey(identity, parameters), outcome: 'finished' },
    ...{ figures: figuresOf(dailyReturns, number), firstDay: START / DAY_MS, dailyReturns },
  }
}

function figuresOf(returns: Float64Array, number: number) {
  const { mean, deviation } = momentsOf(returns)
  let [worth, peak, maxDrawdown] = [1, 1, 0]
  for (const one of returns) {
    worth *= 1 + one
    peak = Math.max(peak, worth)
    maxDrawdown = Math.max(maxDrawdown, 1 - worth / peak)
  }
  const years = returns.length / DAYS_PER_YEAR
  const cagr = worth ** (1 / years) - 1
  return orderedFigures({
    ...{ netProfit: 10_000 * (worth - 1), totalReturn: worth - 1, cagr, maxDrawdown },
    ...{ sharpe: (mean / deviation) * Math.sqrt(DAYS_PER_YEAR), calmar: cagr / maxDrawdown },
    ...{ profitFactor: worth, winRate: 0.5, roundTrips: 20 + (number % 200) },
    ...{ longestDurationMs: 3_600_000 * (1 + (number % 300)), fills: 40 + 2 * (number % 200) },
  })
}

/** Returns between -2% and 2%. */
function drawn(seed: string, count: number): Float64Array {
  const { uniform } = seededRandom(seed)
  return Float64Array.from({ length: count }, () => 0.04 * uniform() - 0.02)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
