import type { BenchRow } from '../bench-row.ts'
import { median } from '../median.ts'
import { runBareMatching } from './bare-matching.ts'
import { type MatchingResult, runMatchingCore } from './matching-core.ts'
import { type MatchingStep, matchingLoad } from './matching-load.ts'

const STEPS = 500_000
const RUNS = 5
const SEED = 7

type Run = (load: readonly MatchingStep[], after?: () => void) => MatchingResult

/** Orders and cancels through the exchange's book, money and fees included, beside arrays that match volumes only. */
export function matchingSpeed(): BenchRow {
  return {
    name: 'matching core: place, cancel and match',
    unit: 'orders/s',
    async run() {
      const load = matchingLoad(STEPS, SEED)
      requireSameTrades(load)
      const rate = (run: Run) => {
        const startedAt = performance.now()
        run(load)
        return load.length / ((performance.now() - startedAt) / 1000)
      }
      return measured(rate)
    },
  }
}

/** The same, as slow as one order in a hundred is: orders per second if every order took as long as that one. */
export function matchingSpeedAtP99(): BenchRow {
  return {
    name: 'matching core: at the 99th percentile of the time of one order',
    unit: 'orders/s',
    async run() {
      const load = matchingLoad(STEPS, SEED)
      return measured(run => 1000 / percentile99(timesOf(run, load)))
    },
  }
}

function measured(rate: (run: Run) => number) {
  rate(runMatchingCore)
  rate(runBareMatching)
  // One of each in turn, so that both meet the same machine.
  const rates = Array.from({ length: RUNS }, () => ({
    value: rate(runMatchingCore),
    floor: rate(runBareMatching),
  }))
  return { value: median(rates.map(({ value }) => value)), floor: median(rates.map(({ floor }) => floor)) }
}

/** ms of each step. */
function timesOf(run: Run, load: readonly MatchingStep[]): Float64Array {
  const times = new Float64Array(load.length)
  let [index, last] = [0, performance.now()]
  run(load, () => {
    const now = performance.now()
    times[index++] = now - last
    last = now
  })
  return times
}

function percentile99(times: Float64Array): number {
  return times.sort()[Math.floor(times.length * 0.99)] ?? Number.NaN
}

function requireSameTrades(load: readonly MatchingStep[]): void {
  const [ours, bare] = [runMatchingCore(load), runBareMatching(load)]
  if (ours.trades === bare.trades && ours.volume === bare.volume) return
  throw new Error(
    `The exchange made ${ours.trades} trades of ${ours.volume} and the arrays ${bare.trades} of ${bare.volume}; correct bare-matching.ts.`,
  )
}
