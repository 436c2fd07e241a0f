import type { Moment, Violation } from './scene.ts'

/** While trading is held back only what reduces is decided; while it is halted only what protects, and what an operator closes. */
export function tradingStateKept({ decisions, before }: Moment): readonly Violation[] {
  return decisions.flatMap(decision => {
    if (decision.type !== 'placeOrder') return []
    const { clientOrderId, symbol, reduceOnly, protects, purpose, decidedAt } = decision.request
    const mode = before.heldBack.modeOf(symbol, decidedAt)
    const passes = mode === 'halted' ? protects !== undefined || purpose === 'operator' : reduceOnly
    return mode === 'active' || passes
      ? []
      : [{ problem: `order ${clientOrderId} was decided while ${symbol} is ${mode}`, about: clientOrderId }]
  })
}
