import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import type { PositionLimit, ProtectionRules, RiskLimits, RiskRules } from '../../../src/risk/risk-rules.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'

/** Some limits and protections, of the account or of one strategy. */
export function riskOf(random: () => number, isOfStrategy: boolean): RiskRules {
  return { limits: limitsOf(random, isOfStrategy), protections: protectionsOf(random) }
}

/** Some limits are the account's alone. */
function limitsOf(random: () => number, isOfStrategy: boolean): RiskLimits {
  return {
    ...(random() < 0.5 && { maxNotional: amountOf(`${100 + Math.floor(random() * 200)}`) }),
    ...(random() < 0.5 && { maxPosition: positionLimit(random) }),
    ...(random() < 0.3 && !isOfStrategy && { maxExposure: amountOf(`${300 + Math.floor(random() * 600)}`) }),
    ...(random() < 0.3 && { maxWorkingOrders: 1 + Math.floor(random() * 6) }),
    ...(random() < 0.3 && { maxOrders: { count: 2 + Math.floor(random() * 6), perMs: MINUTE } }),
    ...(random() < 0.3 && !isOfStrategy && { selfCrossingRate: rateOf('0.01') }),
    ...(random() < 0.3 && { priceBandRate: rateOf('0.01') }),
  }
}

function positionLimit(random: () => number): PositionLimit {
  const part = random()
  return random() < 0.6
    ? { base: amountOf(`${1 + Math.floor(part * 5)}`) }
    : { quote: amountOf(`${100 + Math.floor(part * 400)}`) }
}

function protectionsOf(random: () => number): ProtectionRules {
  const mode = random() < 0.5 ? 'reducing' : 'halted'
  return {
    ...(random() < 0.3 && { dailyLoss: { mode, rate: rateOf('0.01') } }),
    ...(random() < 0.3 && { drawdown: { mode, rate: rateOf('0.01'), pauseMs: 2 * MINUTE } }),
    ...(random() < 0.3 && { lossesInARow: { mode, count: 2, pauseMs: MINUTE } }),
    ...(random() < 0.3 && { cooldownAfterStop: { mode, pauseMs: MINUTE } }),
    ...(random() < 0.2 && { staleData: { mode, gapPauseMs: MINUTE } }),
    ...(random() < 0.2 && { clockUncertainty: { mode, maxMs: 200 } }),
    ...(random() < 0.2 && { spread: { mode, maxRate: 0.01 } }),
  }
}
