import { ONE_RATE, rateOf } from '../../domain/amount.ts'
import { exactly, settings } from '../settings.ts'

const rate = exactly('a rate with at most 18 decimals (0.001 is 0.1 %)', rateOf)

/** How margin accounts may borrow. */
export const marginSettings = settings({
  /** Most that an account's assets may be worth in equities when it borrows; 1 lends nothing. */
  maxLeverage: rate.refine(value => value >= ONE_RATE, { error: 'a number of at least 1' }).prefault('3'),
  /** Interest on what is borrowed, for every full hour of the exchange's clock. */
  hourlyInterestRate: rate.refine(value => value >= 0n, { error: 'a rate of at least 0' }).prefault('0'),
})
