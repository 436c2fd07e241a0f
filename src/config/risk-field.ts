import { z } from 'zod'
import { amount, fraction, oneOf, rate, wholeNumber } from './fields.ts'
import { limitProblems } from './limit-problems.ts'
import { section } from './section.ts'

const HOUR_MS = 3_600_000
const LIMITS = 'What no order may exceed.'

const mode = oneOf('reducing', 'halted')
  .default('reducing')
  .describe('reducing: only what makes a position smaller. halted: only what protects one.')
const pause = wholeNumber(1).describe('How long, ms.')
const money = amount().refine(value => value > 0n, { error: 'an amount above 0' })
const lossRate = rate().refine(value => value > 0n, { error: 'a fraction above 0 and below 1 (0.03 is 3%)' })

const maxPosition = section({ quote: money.optional(), base: money.optional() })
  .meta({ minProperties: 1, maxProperties: 1 })
  .describe('Most that may be held of an instrument: an amount of quote or of base.')
  .transform(({ quote, base }, context) => {
    if (quote !== undefined && base === undefined) return { quote }
    if (base !== undefined && quote === undefined) return { base }
    const message = 'must have exactly one of the keys quote and base.'
    context.addIssue({ code: 'custom', message, params: { sentence: true } })
    return z.NEVER
  })

const maxOrders = section({
  count: wholeNumber(1, 100_000).describe('How many orders.'),
  perMs: wholeNumber(1).default(60_000).describe('Within how long, ms.'),
}).describe('Most orders within a time.')

const strategyLimits = {
  priceBandRate: rate().optional(),
  maxNotional: money.optional(),
  maxPosition: maxPosition.optional(),
  maxOrders: maxOrders.optional(),
  maxWorkingOrders: wholeNumber(1).optional().describe('Orders that may work at once.'),
}

const accountLimits = {
  ...strategyLimits,
  maxExposure: money.optional(),
  selfCrossingRate: rate().optional(),
}

const protections = section({
  dailyLoss: section({ rate: lossRate, mode })
    .optional()
    .describe("A loss of this fraction of the equity at the day's start; until the day (UTC) is over."),
  drawdown: section({ rate: lossRate, pauseMs: pause.optional(), mode })
    .optional()
    .describe('A fall by this fraction from the highest equity; for pauseMs, or until somebody resumes.'),
  lossesInARow: section({
    count: wholeNumber(1).describe('How many losing trades, each from flat to flat.'),
    pauseMs: pause.default(HOUR_MS),
    mode,
  })
    .optional()
    .describe('So many losing trades in a row; for pauseMs.'),
  cooldownAfterStop: section({ pauseMs: pause, mode })
    .optional()
    .describe('After a stop-loss or a trailing stop has traded.'),
  staleData: section({
    gapPauseMs: wholeNumber(0).default(0).describe('How long after klines were out of reach, ms.'),
    mode,
  })
    .optional()
    .describe('While market data are stale.'),
  clockUncertainty: section({ maxMs: wholeNumber(1).describe('How uncertain it may be, ms.'), mode })
    .optional()
    .describe("While the exchange's time is not known well enough."),
  spread: section({ maxRate: fraction(), mode })
    .optional()
    .describe('A spread above this fraction of the price.'),
})
  .optional()
  .describe('When to hold trading back.')

/** `risk` of one strategy: its own limits and protections. */
export const strategyRiskField = section({
  limits: section(strategyLimits).superRefine(limitProblems).optional().describe(LIMITS),
  protections,
})

/** `risk` of an account: the same, plus the keys of an account. */
export const accountRiskField = section({
  limits: section(accountLimits).superRefine(limitProblems).optional().describe(LIMITS),
  protections,
})

/** The same for a running bot, with two default limits that bound the cost of a mistake. */
export const liveRiskField = section({
  limits: section({
    ...accountLimits,
    priceBandRate: rate().prefault('0.5'),
    maxOrders: maxOrders.prefault({ count: 300 }),
  })
    .superRefine(limitProblems)
    .prefault({})
    .describe(LIMITS),
  protections,
})
