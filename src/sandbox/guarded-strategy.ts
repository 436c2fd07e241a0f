import type { Strategy } from '../strategy/define-strategy.ts'
import { guardGlobals } from './guard-globals.ts'
import { GuardedRun } from './guarded-run.ts'
import { StrategyScope } from './strategy-scope.ts'

/**
 * The same strategy, with its code refused the clock, randomness, timers, the network and the process.
 * `imported` is the scope in which its module was imported.
 */
export function guardedStrategy(strategy: Strategy, imported: StrategyScope): Strategy {
  guardGlobals()
  const { name } = strategy
  const asked = new StrategyScope(name)
  return {
    ...strategy,
    parameterValues: given => asked.call(() => strategy.parameterValues(given)),
    feeds: given => asked.call(() => strategy.feeds(given)),
    start(given, view) {
      const outer = StrategyScope.current
      if (outer !== undefined) {
        // The whole run is already within one scope, which costs nothing per kline.
        outer.include(name, imported)
        return strategy.start(given, view)
      }
      const scope = new StrategyScope(name)
      scope.include(name, imported)
      return new GuardedRun(
        scope.call(() => strategy.start(given, view)),
        scope,
      )
    },
  }
}

/** Scope for work that only runs strategies and itself uses no forbidden function. */
export function scopeOfRuns(): StrategyScope {
  guardGlobals()
  return new StrategyScope()
}
