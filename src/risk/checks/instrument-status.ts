import type { RiskCheck } from '../risk-check.ts'

/** Nothing is opened on an instrument that the exchange does not let be traded. What reduces passes: the exchange says itself whether it takes that. */
export const instrumentStatus: RiskCheck = ({ reduceOnly }, { isTradable, instrument }) => {
  if (isTradable || reduceOnly) return undefined
  return {
    rule: 'instrumentStatus',
    limit: 'an instrument that can be traded',
    actual: `${instrument.symbol}, which cannot`,
    message: `The exchange does not let ${instrument.symbol} be traded now.`,
  }
}
