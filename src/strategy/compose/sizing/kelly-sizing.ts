import { definePart, type Part } from '../part.ts'
import { countFill, type OpenTrade } from './trade-count.ts'

/**
 * The fraction of equity that grows fastest, of the returns of trades (0.02 is 2 %): p ÷ a - q ÷ b, with p and q the parts
 * of them that won and lost, b the average gain and a the average loss. Infinite where nothing was ever lost, and negative
 * where nothing is to be won. E. O. Thorp, "The Kelly Criterion in Blackjack, Sports Betting, and the Stock Market", 2006.
 */
export function kellyFraction(returns: readonly number[]): number {
  const [gains, losses] = [returns.filter(value => value > 0), returns.filter(value => value < 0)]
  if (losses.length === 0) return Number.POSITIVE_INFINITY
  if (gains.length === 0) return Number.NEGATIVE_INFINITY
  const [p, q] = [gains.length / returns.length, losses.length / returns.length]
  return p / -meanOf(losses) - q / meanOf(gains)
}

/**
 * Sizes entries by the last `trades` of this strategy: `share` of Kelly's fraction of equity (0.5 is half Kelly), from `min` to
 * `max`. Until there were so many trades it is `min`, and never less, so that it is seen when they win again. Before fees.
 */
export function kellySizing({
  trades,
  share,
  min,
  max,
}: {
  readonly trades: number
  readonly share: number
  readonly min: number
  readonly max: number
}): Part {
  return definePart({
    name: 'kellySizing',
    memory: () => ({ open: undefined as OpenTrade | undefined, returns: [] as number[] }),
    onFill(fill, { view, memory }) {
      const { open, closedReturn } = countFill(memory.open, fill, view)
      memory.open = open
      if (closedReturn !== undefined) memory.returns = [...memory.returns, closedReturn].slice(-trades)
    },
    termsOf(_entry, { memory: { returns } }) {
      const wanted = returns.length < trades ? min : share * kellyFraction(returns)
      return { size: { equityFraction: Math.max(min, Math.min(max, wanted)) } }
    },
  })
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
