import { contractsOf, knownFutures, type Rest, type Scene, type Violation } from '../scene.ts'

/** What the exchange took over is booked as that, once; unless somebody else traded the contract, or it was halted: what nobody could explain may have been that. Two that come between two looks are one. How much it was follows from trades and positions. */
export function liquidationsBookedOnce(rest: Rest): readonly Violation[] {
  const { events } = rest
  const futures = knownFutures(rest)
  if (futures === undefined || events === undefined) return []
  const booked = events.flatMap(event => (event.type === 'liquidated' ? [event.liquidation] : []))
  return contractsOf(rest).flatMap(({ symbol }) => {
    const wasHalted = events.some(event => event.type === 'instrumentHalted' && event.symbol === symbol)
    if (wasHalted || isTradedByOthers(rest, symbol)) return []
    const taken = [...futures.closedPositions.oldestFirst()].filter(
      ({ contract, isLiquidated }) => isLiquidated && contract.name === symbol,
    )
    const own = booked.filter(liquidation => liquidation.symbol === symbol)
    if (own.length <= taken.length && own.length > 0 === taken.length > 0) return []
    const problem = `${taken.length} positions of ${symbol} were taken over, booked ${own.length}`
    return [{ problem, about: symbol }]
  })
}

/** Whether an order of somebody else traded a contract. */
export function isTradedByOthers(
  { futures, othersPrefix }: Pick<Scene, 'futures' | 'othersPrefix'>,
  symbol: string,
): boolean {
  const orders = futures?.records.orders ?? []
  return orders.some(
    ({ contract, clientOrderId, executedQuantity }) =>
      contract.name === symbol &&
      executedQuantity > 0 &&
      (clientOrderId === undefined || clientOrderId.startsWith(othersPrefix)),
  )
}
