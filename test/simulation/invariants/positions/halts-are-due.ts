import { exitSideOf } from '../../../../src/domain/orders/side.ts'
import type { FuturesAccount } from '../../../../src/simulator/futures/positions/futures-account.ts'
import { hasFinerTrades } from '../finer-trades.ts'
import { isTradedByOthers } from '../money/liquidations-booked-once.ts'
import { contractsOf, type Moment, type Violation } from '../scene.ts'

/**
 * Of contracts everything can be explained, by trades, transfers, funding and liquidations, as long as nobody else trades on
 * the account and no trade is finer than the bot counts; only what closed a part of a position that the exchange had taken over before, as far as the books knew, is beyond them.
 */
export function haltsAreDue(
  moment: Pick<Moment, 'event' | 'instruments' | 'user' | 'futures' | 'othersPrefix' | 'hidesTransactions'>,
): readonly Violation[] {
  const { event, futures } = moment
  if (event.type !== 'instrumentHalted') return []
  const contracts = contractsOf(moment)
  if (!contracts.some(({ symbol }) => symbol === event.symbol) || hasFinerTrades(moment)) return []
  if (contracts.some(({ symbol }) => isTradedByOthers(moment, symbol))) return []
  if (futures !== undefined && hasClosedAfterTakeover(futures)) return []
  if (moment.hidesTransactions && futures !== undefined && wasTakenOver(futures, event.symbol)) return []
  return [{ problem: `${event.symbol} was halted: ${event.reason}`, about: event.symbol }]
}

/** Without transactions nobody can tell a liquidation from a loss of the books. */
function wasTakenOver({ closedPositions }: FuturesAccount, symbol: string): boolean {
  return closedPositions
    .newestFirst()
    .some(({ contract, isLiquidated }) => isLiquidated && contract.name === symbol)
}

/** So long, with a restart in between, a bot may not know what the exchange took over, ms. */
const UNKNOWN_MS = 180_000

/** Whether an order on the other side filled soon after a position of its contract was taken over: what it really closed or opened cost something else. */
function hasClosedAfterTakeover({ closedPositions, records }: FuturesAccount): boolean {
  const taken = [...closedPositions.newestFirst()].filter(({ isLiquidated }) => isLiquidated)
  return [...records.trades()].some(({ order, execution }) =>
    taken.some(
      ({ contract, direction, changeTime }) =>
        order.contract === contract &&
        order.side === exitSideOf(direction) &&
        execution.time >= changeTime &&
        execution.time <= changeTime + UNKNOWN_MS,
    ),
  )
}
