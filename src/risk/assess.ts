import { UncountableQuantityError } from '../domain/numbers/grid.ts'
import type { Denial } from '../domain/orders/denial.ts'
import type { OrderIntent } from '../domain/orders/order-intent.ts'
import type { OrderDraft, OrderRequest } from '../domain/orders/order-request.ts'
import { balance } from './checks/balance.ts'
import { instrumentStatus } from './checks/instrument-status.ts'
import { leverage } from './checks/leverage.ts'
import { limitKind } from './checks/limit-kind.ts'
import { margin } from './checks/margin.ts'
import { maximumVolume } from './checks/max-volume.ts'
import { minimumNotional } from './checks/min-notional.ts'
import { minimumPrice } from './checks/min-price.ts'
import { minimumVolume } from './checks/min-volume.ts'
import { tradingState } from './checks/trading-state.ts'
import type { OnPassed, Refusal, RiskCheck } from './risk-check.ts'
import type { RiskView } from './risk-view.ts'
import { toGrid } from './to-grid.ts'
import { uncountable } from './uncountable.ts'

/** Outcome of an intent. */
export type Assessment =
  | { readonly approved: true; readonly request: OrderRequest }
  | { readonly approved: false; readonly denial: Denial }

/** The rules of every exchange and account, in order of evaluation. */
export const STANDARD_CHECKS: readonly RiskCheck[] = [
  tradingState,
  instrumentStatus,
  limitKind,
  minimumVolume,
  maximumVolume,
  minimumPrice,
  minimumNotional,
  leverage,
  balance,
  margin,
]

/**
 * Puts an intent on the grid and runs every check; the first refusal denies, and so does a check that throws. `passed`
 * receives the figures of the checks before it; without it they are not made.
 */
export function assess(
  intent: OrderIntent,
  view: RiskView,
  checks: readonly RiskCheck[] = STANDARD_CHECKS,
  passed?: OnPassed,
): Assessment {
  try {
    const draft = toGrid(view.instrument, intent)
    const refusal = refusalOf(draft, view, checks, passed)
    return refusal === undefined ? { approved: true, request: approve(draft) } : denied(intent, refusal)
  } catch (error) {
    return denied(intent, failure(error, view))
  }
}

function refusalOf(
  draft: OrderDraft,
  view: RiskView,
  checks: readonly RiskCheck[],
  passed: OnPassed | undefined,
): Refusal | undefined {
  for (const check of checks) {
    const refusal = check(draft, view, passed)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** A denial of an intent for a reason. */
function denied(intent: OrderIntent, refusal: Refusal): Assessment {
  return { approved: false, denial: { ...refusal, intent } }
}

/** The only place where a draft becomes a request: all checks passed. */
function approve(draft: OrderDraft): OrderRequest {
  return draft as OrderRequest
}

function failure(error: unknown, { instrument }: RiskView): Refusal {
  if (error instanceof UncountableQuantityError) return uncountable(instrument, error)
  const message = error instanceof Error ? error.message : String(error)
  return {
    rule: 'checkFailed',
    limit: 'every check completes',
    actual: message,
    message: `A risk check failed, so the order is denied: ${message}`,
  }
}
