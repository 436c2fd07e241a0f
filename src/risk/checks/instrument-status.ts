import type { RiskCheck } from '../risk-check.ts'

/**
 * Entries need an instrument that the exchange lets be traded. Reducing orders pass: the exchange itself
 * accepts or refuses them.
 */
export const instrumentStatus: RiskCheck = ({ reduceOnly }, { isTradable, instrument }) => {
  if (isTradable || reduceOnly) return undefined
  return {
    rule: 'instrumentStatus',
    limit: 'an instrument that can be traded',
    actual: `${instrument.symbol}, which cannot`,
    message: `The exchange does not let ${instrument.symbol} be traded now.`,
  }
}
