import { rateOf } from '../../src/domain/numbers/amount.ts'

/** How the bots of tests send and follow orders. */
export const EXECUTION = {
  orderTimeoutMs: 10_000,
  pollOrdersMs: 5000,
  maxSlippageRate: rateOf('0.01'),
  maxPriceJumpRate: rateOf('0.05'),
  settlementMarginMs: 30_000,
  foreignOrders: 'leave',
  onStop: 'cancel',
  stopWithinMs: 30_000,
} as const
