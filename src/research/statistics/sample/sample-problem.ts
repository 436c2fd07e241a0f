import { extentOf, ROUNDING } from './moments.ts'

/** Returns of one period each, as fractions (0.01 is 1%). */
export type Returns = ArrayLike<number>

/** The reason why returns have no statistic at all, as a sentence; `undefined` where they have. */
export function returnsProblem(returns: Returns, minimum = 2): string | undefined {
  const { length } = returns
  for (let index = 0; index < length; index++) {
    if (!Number.isFinite(returns[index])) return `Return ${index + 1} of ${length} is ${returns[index]}.`
  }
  return length < minimum ? `It needs at least ${minimum} returns, and there are ${length}.` : undefined
}

/** The reason why the mean return of an account tells nothing: it lost everything once, and no later return brings that back. */
export function ruinProblem(returns: Returns): string | undefined {
  const { length } = returns
  for (let index = 0; index < length; index++) {
    if ((returns[index] as number) <= -1)
      return `Return ${index + 1} of ${length} is -100% or less: everything was lost.`
  }
  return undefined
}

/** The same as `returnsProblem`, for a statistic that divides by the deviation of the returns. */
export function deviationProblem(returns: Returns, minimum = 2): string | undefined {
  const problem = returnsProblem(returns, minimum)
  if (problem !== undefined) return problem
  return isConstant(returns) ? `All ${returns.length} returns are alike.` : undefined
}

/** True if values do not vary beyond rounding: by their range, because rounding leaves a deviation of equal values. */
export function isConstant(values: Returns): boolean {
  const { smallest, largest } = extentOf(values)
  return !(largest - smallest > ROUNDING * Math.max(Math.abs(smallest), Math.abs(largest)))
}
