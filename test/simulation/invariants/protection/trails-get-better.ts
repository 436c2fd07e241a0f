import type { Moment, Violation } from '../scene.ts'

/** The best price that a trailing stop has seen only gets better, also over restarts. */
export function trailsGetBetter({ event, ledger, before }: Moment): readonly Violation[] {
  if (event.type !== 'trailingStopMoved') return []
  const { clientOrderId: about, best } = event
  const known = before.trails.get(about)
  const request = ledger.orders.get(about)?.request
  if (known === undefined || request === undefined) return []
  const isWorse = request.side === 'sell' ? best < known : best > known
  return isWorse
    ? [{ problem: `trailing stop ${about} moved from ${known} back to ${best} ticks`, about }]
    : []
}
