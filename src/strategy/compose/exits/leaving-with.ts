import type { Part, PartRun } from '../part.ts'

/**
 * Also closes a position once a filter would no longer allow its entry: `leavingWith(trendFilter({ klines:
 * 200 }))` exits below the average, while the filter alone only blocks entries.
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
