import type { MatchingResult } from './matching-core.ts'
import { LOAD_PRICES, type MatchingStep } from './matching-load.ts'

interface Resting {
  open: number
}

/** Carries the load out with one array of orders per price and a pointer to the best one, without money, fees or rules. */
export function runBareMatching(load: readonly MatchingStep[], after?: () => void): MatchingResult {
  const { lowest, highest } = LOAD_PRICES
  const length = highest - lowest + 1
  const levels = (): Resting[][] => Array.from({ length }, () => [])
  const [bids, asks] = [levels(), levels()]
  const orders: Resting[] = []
  let [trades, volume, bestBid, bestAsk] = [0, 0, -1, length]
  for (const step of load) {
    if (step.type === 'cancel') {
      // A canceled order stays where it is, with nothing left to trade.
      const order = orders[step.placed]
      if (order !== undefined) order.open = 0
    } else {
      const isBuy = step.side === 'buy'
      const price = step.price - lowest
      const order = { open: step.quantity }
      orders.push(order)
      while (order.open > 0 && (isBuy ? bestAsk <= price : bestBid >= price)) {
        const level = (isBuy ? asks[bestAsk] : bids[bestBid]) as Resting[] // within bounds
        let taken = 0
        for (const maker of level) {
          const quantity = Math.min(maker.open, order.open)
          if (quantity > 0) {
            maker.open -= quantity
            order.open -= quantity
            volume += quantity
            trades++
          }
          if (maker.open > 0) break
          taken++
        }
        level.splice(0, taken)
        if (level.length > 0) break
        if (isBuy) bestAsk++
        else bestBid--
      }
      if (order.open > 0) {
        const level = (isBuy ? bids[price] : asks[price]) as Resting[] // within bounds
        level.push(order)
        if (isBuy) bestBid = Math.max(bestBid, price)
        else bestAsk = Math.min(bestAsk, price)
      }
    }
    after?.()
  }
  return { trades, volume }
}
