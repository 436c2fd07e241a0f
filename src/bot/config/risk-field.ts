import { z } from 'zod'
import { amount, fraction, oneOf, rate, wholeNumber } from './fields.ts'
import { limitProblems } from './limit-problems.ts'
import { section } from './section.ts'

const HOUR_MS = 3_600_000

const mode = oneOf('reducing', 'halted').default('reducing')
const money = amount().refine(value => value > 0n, { error: 'an amount above 0' })
const lossRate = rate().refine(value => value > 0n, { error: 'a fraction above 0 and below 1 (0.03 is 3 %)' })

const maxPosition = section({ quote: money.optional(), base: money.optional() }).transform(
  ({ quote, base }, context) => {
    if (quote !== undefined && base === undefined) return { quote }
    if (base !== undefined && quote === undefined) return { base }
    const message = 'must have exactly one of the keys quote and base.'
    context.addIssue({ code: 'custom', message, params: { sentence: true } })
    return z.NEVER
  },
)

const maxOrders = section({ count: wholeNumber(1, 100_000), perMs: wholeNumber(1).default(60_000) })

const strategyLimits = {
  priceBandRate: rate().optional(),
  maxNotional: money.optional(),
  maxPosition: maxPosition.optional(),
  maxOrders: maxOrders.optional(),
  maxWorkingOrders: wholeNumber(1).optional(),
}

const accountLimits = {
  ...strategyLimits,
  maxExposure: money.optional(),
  selfCrossingRate: rate().optional(),
}

const protections = section({
  dailyLoss: section({ rate: lossRate, mode }).optional(),
  drawdown: section({ rate: lossRate, pauseMs: wholeNumber(1).optional(), mode }).optional(),
  lossesInARow: section({ count: wholeNumber(1), pauseMs: wholeNumber(1).default(HOUR_MS), mode }).optional(),
  cooldownAfterStop: section({ pauseMs: wholeNumber(1), mode }).optional(),
  staleData: section({ gapPauseMs: wholeNumber(0).default(0), mode }).optional(),
  clockUncertainty: section({ maxMs: wholeNumber(1), mode }).optional(),
  spread: section({ maxRate: fraction(), mode }).optional(),
}).optional()

/** `risk` of one strategy: its own limits and protections. */
export const strategyRiskField = section({
  limits: section(strategyLimits).superRefine(limitProblems).optional(),
  protections,
})

/** `risk` of an account: the same, and what only an account has. */
export const accountRiskField = section({
  limits: section(accountLimits).superRefine(limitProblems).optional(),
  protections,
})

/** The same for a running bot, which a mistake should cost as little as possible: two limits are there unless it says otherwise. */
export const liveRiskField = section({
  limits: section({
    ...accountLimits,
    priceBandRate: rate().prefault('0.5'),
    maxOrders: maxOrders.prefault({ count: 300 }),
  })
    .superRefine(limitProblems)
    .prefault({}),
  protections,
})
