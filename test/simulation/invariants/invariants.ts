import { balancesAgree } from './balances-agree.ts'
import { contractProfitAgrees } from './contract-profit-agrees.ts'
import { contractsHeldRightly } from './contracts-held-rightly.ts'
import { entriesReplaced } from './entries-replaced.ts'
import { fillBooksMoney } from './fill-books-money.ts'
import { fillIsReal, fillsBookedOnce } from './fills-booked-once.ts'
import { hasFinerTrades } from './finer-trades.ts'
import { moneyIsWanting } from './free-money.ts'
import { fundingAgrees } from './funding-agrees.ts'
import { groupsKept } from './groups-kept.ts'
import { haltsAreDue } from './halts-are-due.ts'
import { klinesAreReal } from './klines-are-real.ts'
import { lifetimesKept } from './lifetimes-kept.ts'
import { limitsOfExchangeKept } from './limits-of-exchange-kept.ts'
import { liquidationsBookedOnce } from './liquidations-booked-once.ts'
import { neverSellsMore } from './never-sells-more.ts'
import { noNewRisk } from './no-new-risk.ts'
import { oneOrderPerIntent } from './one-order-per-intent.ts'
import { ordersAsAsked } from './orders-as-asked.ts'
import { endIsReal, ordersEndAlike } from './orders-end-alike.ts'
import { positionsAgree } from './positions-agree.ts'
import { profitAgrees } from './profit-agrees.ts'
import { protectionCoversPosition, protectionCoversRest } from './protection-covers-position.ts'
import { quotesKept } from './quotes-kept.ts'
import { reservationsReleased } from './reservations-released.ts'
import { riskLimitsKept } from './risk-limits-kept.ts'
import type { Moment, Rest, Violation } from './scene.ts'
import { targetsKept } from './targets-kept.ts'
import { trailsGetBetter } from './trails-get-better.ts'

/** What holds after every event that the engine takes. */
const ALWAYS: readonly ((moment: Moment) => readonly Violation[])[] = [
  oneOrderPerIntent,
  fillIsReal,
  fillBooksMoney,
  trailsGetBetter,
  targetsKept,
  endIsReal,
  neverSellsMore,
  contractsHeldRightly,
  noNewRisk,
  haltsAreDue,
  groupsKept,
  lifetimesKept,
  entriesReplaced,
  quotesKept,
  protectionCoversPosition,
  riskLimitsKept,
  moneyIsWanting,
]

/** What holds once nothing is on its way. */
const AT_REST: readonly ((rest: Rest) => readonly Violation[])[] = [
  oneOrderPerIntent,
  fillsBookedOnce,
  balancesAgree,
  positionsAgree,
  fundingAgrees,
  liquidationsBookedOnce,
  profitAgrees,
  contractProfitAgrees,
  protectionCoversRest,
  ordersAsAsked,
  ordersEndAlike,
  reservationsReleased,
  limitsOfExchangeKept,
  klinesAreReal,
]

/** What is wrong after an event. */
export function wrongAfter(moment: Moment): readonly Violation[] {
  return ALWAYS.flatMap(invariant => invariant(moment))
}

/** What holds at rest even where something was traded that the books cannot hold. */
const BEYOND_BOOKS: typeof AT_REST = [oneOrderPerIntent, ordersAsAsked, limitsOfExchangeKept]

/** What is wrong at rest. */
export function wrongAtRest(rest: Rest): readonly Violation[] {
  return (hasFinerTrades(rest) ? BEYOND_BOOKS : AT_REST).flatMap(invariant => invariant(rest))
}
