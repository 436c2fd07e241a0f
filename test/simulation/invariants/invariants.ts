import { balancesAgree } from './balances-agree.ts'
import { fillIsReal, fillsBookedOnce } from './fills-booked-once.ts'
import { limitsOfExchangeKept } from './limits-of-exchange-kept.ts'
import { neverSellsMore } from './never-sells-more.ts'
import { oneOrderPerIntent } from './one-order-per-intent.ts'
import { endIsReal, ordersEndAlike } from './orders-end-alike.ts'
import { profitAgrees } from './profit-agrees.ts'
import { protectionCoversPosition, protectionCoversRest } from './protection-covers-position.ts'
import { reservationsReleased } from './reservations-released.ts'
import { riskLimitsKept } from './risk-limits-kept.ts'
import type { Moment, Rest, Violation } from './scene.ts'
import { tradingStateKept } from './trading-state-kept.ts'

/** What holds after every event that the engine takes. */
const ALWAYS: readonly ((moment: Moment) => readonly Violation[])[] = [
  oneOrderPerIntent,
  fillIsReal,
  endIsReal,
  neverSellsMore,
  protectionCoversPosition,
  riskLimitsKept,
  tradingStateKept,
]

/** What holds once nothing is on its way. */
const AT_REST: readonly ((rest: Rest) => readonly Violation[])[] = [
  oneOrderPerIntent,
  fillsBookedOnce,
  balancesAgree,
  profitAgrees,
  protectionCoversRest,
  ordersEndAlike,
  reservationsReleased,
  limitsOfExchangeKept,
]

/** What is wrong after an event. */
export function wrongAfter(moment: Moment): readonly Violation[] {
  return ALWAYS.flatMap(invariant => invariant(moment))
}

/** What is wrong at rest. */
export function wrongAtRest(rest: Rest): readonly Violation[] {
  return AT_REST.flatMap(invariant => invariant(rest))
}
