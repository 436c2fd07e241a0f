import type { Part, PartRun } from '../part.ts'

/**
 * Also closes what is held as soon as a filter would not open it any more: `leavingWith(trendFilter({ klines: 200 }))` is out
 * of the market below its average, where the filter alone only stays out.
 */
export function leavingWith(filter: Part): Part {
  return {
    start(strategy, view) {
      const run: PartRun = filter.start(strategy, view)
      run.leaves = ({ direction }, kline) => !run.allows(direction, kline)
      return run
    },
  }
}
