import type { EngineOutput } from '../../../../src/domain/events/engine-output.ts'
import type { TargetSignal } from '../../../../src/domain/signal.ts'
import type { Ledger } from '../../../../src/ledger/ledger.ts'

/** A target as it was declared, and at which price. */
export function targetText({ size, order }: TargetSignal<string>, ledger: Ledger, symbol: string): string {
  return `${JSON.stringify(size)} ${JSON.stringify(order ?? {})} at ${ledger.markOf(symbol)}`
}

/** The targets of some decisions that are the only signal of their strategy on a market. */
export function loneTargets(decisions: readonly EngineOutput[]) {
  const signals = decisions.flatMap((decision, index) =>
    decision.type === 'signaled' ? [{ ...decision, index }] : [],
  )
  return signals.flatMap(({ strategy, symbol, signal, index }) => {
    const all = signals.filter(other => other.strategy === strategy && other.symbol === symbol)
    return signal.type === 'target' && all.length === 1 ? [{ strategy, symbol, signal, index }] : []
  })
}
