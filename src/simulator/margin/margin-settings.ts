import { amountToText, ONE_RATE, type Rate, rateOf } from '../../domain/numbers/amount.ts'
import { exactly, settings } from '../settings.ts'

const rate = exactly('a rate with at most 18 decimals (0.001 is 0.1%)', rateOf)
const atLeastOne = rate.refine(value => value >= ONE_RATE, { error: 'a number of at least 1' })

/** Rules of borrowing for margin accounts. */
export const marginSettings = settings({
  /** Largest ratio of assets to equity after a loan; 1 lends nothing. */
  maxLeverage: atLeastOne.prefault('3'),
  /** Interest on loans for every full hour of the exchange's clock. */
  hourlyInterestRate: rate.refine(value => value >= 0n, { error: 'a rate of at least 0' }).prefault('0'),
  /** An account is liquidated once its assets are worth at most this many times its debts. */
  liquidationRatio: atLeastOne.prefault('1.1'),
}).superRefine(({ maxLeverage, liquidationRatio }, context) => {
  if (context.issues.length > 0) return
  const lowest = lowestRatioAt(maxLeverage)
  if (lowest === undefined || lowest > liquidationRatio) return
  const leverage = amountToText(maxLeverage)
  const message = `must be below ${leverage} / (${leverage} - 1), about ${shown(lowest)}: that is the ratio of an account that has borrowed all that its maxLeverage allows.`
  context.addIssue({ code: 'custom', message, path: ['liquidationRatio'], params: { sentence: true } })
})

/** With four decimals, cut. */
function shown(rate: Rate): string {
  return amountToText((rate - (rate % 10n ** 14n)) as Rate) // a rate with fewer decimals
}

/** Assets ÷ debts of an account with the largest loan; `undefined` without loans. */
function lowestRatioAt(maxLeverage: Rate): Rate | undefined {
  if (maxLeverage === ONE_RATE) return undefined
  return ((maxLeverage * ONE_RATE) / (maxLeverage - ONE_RATE)) as Rate // a quotient of rates
}
