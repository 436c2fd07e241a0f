import { amount, rate, wholeNumber } from './fields.ts'
import { maintenanceFields } from './maintenance.ts'

/** Configuration keys of any instrument, for backtests and running bots. */
export const ruleFields = {
  pricePrecision: wholeNumber(0, 18)
    .optional()
    .describe('Decimals of a price; without it, as many as the klines have, at least 2 and at most 8.'),
  quantityPrecision: wholeNumber(0, 18).optional().describe('Decimals of a quantity.'),
  minQuantity: amount().optional(),
  maxQuantity: amount().optional(),
  minNotional: amount().optional(),
  makerFeeRate: rate().optional(),
  takerFeeRate: rate().optional(),
}

const contractSize = amount().optional()
const maxLeverage = wholeNumber(1, 1000).optional()

/** Further keys of contracts. */
export const contractFields = { contractSize, maxLeverage, ...maintenanceFields }

/** Keys of an instrument of a running bot: each counts instead of what the exchange lists. */
export const liveInstrumentFields = {
  ...ruleFields,
  pricePrecision: ruleFields.pricePrecision.describe('Decimals of a price.'),
  contractSize,
  minLeverage: maxLeverage.describe('Least leverage that the exchange allows.'),
  maxLeverage: maxLeverage.describe(
    'Largest leverage that the exchange allows; without it, and where none is listed, the exchange refuses what is above it.',
  ),
  ...maintenanceFields,
}
