import { MOST_TOGETHER } from '../../../backtest/trials/resumable-trials.ts'

/** So many times each thread would come back for sets that are left, if it always took as many. */
const TURNS = 2

/** Number of parameter sets that one of so many threads takes at once where so many are left: fewer towards the end, so that all end at about the same time. */
export function setsAtOnce(left: number, threads: number): number {
  return Math.min(MOST_TOGETHER, Math.ceil(left / (threads * TURNS)))
}
