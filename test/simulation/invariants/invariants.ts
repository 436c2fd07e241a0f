import { hasFinerTrades } from './finer-trades.ts'
import { klinesAreReal } from './klines-are-real.ts'
import { balancesAgree } from './money/balances-agree.ts'
import { contractProfitAgrees } from './money/contract-profit-agrees.ts'
import { fillBooksMoney } from './money/fill-books-money.ts'
import { fillIsReal, fillsBookedOnce } from './money/fills-booked-once.ts'
import { moneyIsWanting } from './money/free-money.ts'
import { fundingAgrees } from './money/funding-agrees.ts'
import { liquidationsBookedOnce } from './money/liquidations-booked-once.ts'
import { profitAgrees } from './money/profit-agrees.ts'
import { reservationsReleased } from './money/reservations-released.ts'
import { riskLimitsKept } from './money/risk-limits-kept.ts'
import { entersOnce } from './orders/enters-once.ts'
import { entriesReplaced } from './orders/entries-replaced.ts'
import { groupsKept } from './orders/groups-kept.ts'
import { lifetimesKept } from './orders/lifetimes-kept.ts'
import { limitsOfExchangeKept } from './orders/limits-of-exchange-kept.ts'
import { neverSellsMore } from './orders/never-sells-more.ts'
import { noNewRisk } from './orders/no-new-risk.ts'
import { oneOrderPerIntent } from './orders/one-order-per-intent.ts'
import { ordersAsAsked } from './orders/orders-as-asked.ts'
import { endIsReal, ordersEndAlike } from './orders/orders-end-alike.ts'
import { quotesKept } from './orders/quotes-kept.ts'
import { targetsKept } from './orders/targets-kept.ts'
import { contractsHeldRightly } from './positions/contracts-held-rightly.ts'
import { exitsAreDone, exitsGoOn } from './positions/exits-go-on.ts'
import { haltsAreDue } from './positions/halts-are-due.ts'
import { positionsAgree } from './positions/positions-agree.ts'
import { protectionCoversPosition, protectionCoversRest } from './protection/protection-covers-position.ts'
import { trailsGetBetter } from './protection/trails-get-better.ts'
import type { Moment, Rest, Violation } from './scene.ts'

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
  exitsGoOn,
  groupsKept,
  lifetimesKept,
  entersOnce,
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
  exitsAreDone,
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
