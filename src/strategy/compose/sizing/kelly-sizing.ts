import { definePart, type Part } from '../part.ts'
import { countFill, type OpenTrade } from './trade-count.ts'

/**
 * Kelly's fraction of equity, which grows it fastest, from returns of trades (0.02 is 2%): p ÷ a - q ÷ b,
 * with p and q the shares of winning and losing trades, b the average win and a the average loss. Infinite
 * without a loss, and negative infinite without a win. E. O. Thorp, "The Kelly Criterion in Blackjack, Sports
 * Betting, and the Stock Market", 2006.
 */
export function kellyFraction(returns: readonly number[]): number {
  const [gains, losses] = [returns.filter(value => value > 0), returns.filter(value => value < 0)]
  if (losses.length === 0) return Number.POSITIVE_INFINITY
  if (gains.length === 0) return Number.NEGATIVE_INFINITY
  const [p, q] = [gains.length / returns.length, losses.length / returns.length]
  return p / -meanOf(losses) - q / meanOf(gains)
}

/**
 * Sizes entries by the last `trades` of this strategy: `share` of Kelly's fraction of equity (0.5 is half
 * Kelly), from `min` to `max`. With fewer trades it is `min`, and never less, so that a recovery of the
 * trades is noticed. Before fees.
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
