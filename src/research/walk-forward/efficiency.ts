import { meanOf } from '../statistics/sample/moments.ts'
import { type Returns, returnsProblem, ruinProblem } from '../statistics/sample/sample-problem.ts'
import { defined, type Statistic, undefinedBecause } from '../statistics/statistic.ts'

/** Daily returns of the chosen parameters in one window. */
export interface WindowReturns {
  /** On the training that chose them. */
  readonly inSample: Returns
  /** On the test. */
  readonly outOfSample: Returns
  /** True where no parameters were chosen: training and test stay in cash, and no gain was promised. */
  readonly choseNothing?: boolean
}

/**
 * Mean daily return of all tests ÷ that of the trainings, each training counted by the days of its test (R. Pardo, "The Evaluation and
 * Optimization of Trading Strategies", 2008: walk-forward efficiency). 1 keeps what the training promised, 0 keeps nothing.
 * Undefined for missing returns, where everything was lost in a window, where no window chose parameters, and where the trainings
 * earned nothing.
 */
export function walkForwardEfficiency(windows: readonly WindowReturns[]): Statistic {
  let [days, promised, kept] = [0, 0, 0]
  for (const [index, { inSample, outOfSample }] of windows.entries()) {
    const problem = recordProblem(inSample) ?? recordProblem(outOfSample)
    if (problem !== undefined) return undefinedBecause(`Window ${index + 1}: ${problem}`)
    days += outOfSample.length
    promised += meanOf(inSample) * outOfSample.length
    kept += meanOf(outOfSample) * outOfSample.length
  }
  if (days === 0) return undefinedBecause('There are no windows.')
  if (windows.every(({ choseNothing }) => choseNothing === true))
    return undefinedBecause('No window chose parameters, because no trial of its training had a score.')
  if (!(promised > 0))
    return undefinedBecause(
      'The trainings earned nothing on average, so there is no gain to measure the tests by.',
    )
  return defined(kept / promised)
}

function recordProblem(returns: Returns): string | undefined {
  return returnsProblem(returns, 1) ?? ruinProblem(returns)
}

/** The newer half of windows; the middle one of an odd number belongs to it. */
export function newerHalf<Window>(windows: readonly Window[]): readonly Window[] {
  return windows.slice(Math.floor(windows.length / 2))
}
