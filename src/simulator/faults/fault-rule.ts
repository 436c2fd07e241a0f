import { z } from 'zod'
import { settings, whole } from '../settings.ts'
import { endpointPattern, expectedEndpoint } from './endpoint-pattern.ts'
import { moment } from './moment.ts'

const PROBABILITY = 'a probability above 0 and of at most 1'
/** Longer than any client waits. */
const LONGEST_MS = 86_400_000

const endpoint = z
  .string({ error: 'the name of an endpoint' })
  .superRefine((text, context) => {
    if (endpointPattern(text) === undefined) {
      context.addIssue({ code: 'custom', message: expectedEndpoint(text) })
    }
  })
  .default('*')

const duration = whole(1, LONGEST_MS).describe('How long, ms.')
const jitter = whole(0, LONGEST_MS).default(0).describe('Up to so much longer, ms.')
const retryAfter = whole(0)
  .optional()
  .describe('Seconds in the header Retry-After; without it, no such header.')
const afterBytes = whole(0).optional().describe('Bytes of it that arrive; by default half.')

/** Which calls a rule strikes; every condition that is given must hold. */
const scope = {
  endpoint,
  probability: z
    .number({ error: PROBABILITY })
    .positive({ error: PROBABILITY })
    .max(1, { error: PROBABILITY })
    .default(1)
    .describe('Of how many of these calls; 0.01 is one in a hundred.'),
  /** First moment, inclusive. */
  from: moment.optional(),
  /** Last moment, exclusive. */
  until: moment.optional(),
  /** Which calls of the endpoint since the rule holds, counted from 1. */
  calls: z
    .array(whole(1), { error: 'a list of call numbers, counted from 1' })
    .optional()
    .describe('Which calls of the endpoint since it holds, counted from 1.'),
  most: whole(1).optional().describe('How many calls it strikes at most.'),
}

const kind = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  settings({ fault: z.literal(name), ...scope, ...shape })

const text = (expected: string) => z.string({ error: expected }).min(1, { error: expected })
const precision = whole(0, 9).optional().describe('Decimals from then on.')

const KINDS = [
  /** The answer is delayed by `delayMs` plus up to `jitterMs`. */
  kind('delay', { delayMs: duration, jitterMs: jitter }),
  /** The request arrives later: its timestamp may be too old by then. */
  kind('lateArrival', { delayMs: duration, jitterMs: jitter }),
  /** The connection is reset before the request is processed. */
  kind('dropBefore', {}),
  /** The request is processed, then the connection is reset. */
  kind('dropAfter', {}),
  /** The request is processed, and the connection ends after `afterBytes` of the answer; half of it by default. */
  kind('cutAnswer', { afterBytes }),
  /** The request is processed, and the JSON of a whole HTTP answer stops after `afterBytes`; half of it by default. */
  kind('truncatedJson', { afterBytes }),
  /** The request is processed and answered with 504. */
  kind('gatewayTimeout', {}),
  /** The request is not processed; the answer is a status from 500 on. */
  kind('serverError', { status: whole(500, 599).default(500).describe('The HTTP status.') }),
  /**
   * The request is not processed; a network in front of the exchange answers with a page that is not JSON.
   */
  kind('page', { status: whole(200, 599).default(403).describe('The HTTP status.') }),
  /** 429; with `retryAfterS`, the answer has that header. */
  kind('tooManyRequests', { retryAfterS: retryAfter }),
  /** 418, the answer to an address that is banned. */
  kind('banned', { retryAfterS: retryAfter }),
  /** 503 and the code -1016. */
  kind('maintenance', {}),
  /** The request is not processed, but refused with a code of the exchange and HTTP 400; `TOO_MANY_ORDERS` by default. */
  kind('refused', {
    code: whole(-99_999, -1).default(-1015).describe('The code of the exchange.'),
  }),
  /** Answers reads with the state of `lagMs` ago. */
  kind('staleRead', { lagMs: duration }),
  /** Lists repeat their last entry. */
  kind('duplicatedEntries', {}),
  /** A cancel is accepted (PENDING_CANCEL) and executed `delayMs` later. */
  kind('pendingCancel', { delayMs: duration }),
  /** An order is taken and meets the book `delayMs` later. */
  kind('slowFills', { delayMs: duration }),
  kind('numbersAsStrings', {}),
  kind('stringsAsNumbers', {}),
  /** Zeros are written as 0E-16. */
  kind('exponentZeros', {}),
  /** Public market data have prices that no market has. */
  kind('oddPrices', {
    as: z
      .enum(['zero', 'negative', 'far', 'crossed'], { error: 'zero, negative, far or crossed' })
      .describe('What is odd about them; crossed: the bid is above the ask, the low above the high.'),
    factor: z
      .number({ error: 'a number above 0' })
      .positive({ error: 'a number above 0' })
      .default(0.1)
      .describe('Where they are far: by which factor.'),
  }),
  /** The exchange's clock is ahead by `skewMs`, or behind where it is negative. */
  kind('clockSkew', {
    skewMs: whole(-LONGEST_MS, LONGEST_MS).describe('By how much, ms; negative: behind.'),
  }),
  /** An instrument, by its symbol or contract name, allows fewer decimals than it was listed with. */
  kind('changedPrecision', {
    symbol: text('the symbol of an instrument'),
    pricePrecision: precision,
    quantityPrecision: precision,
  }),
  /**
   * Every connection is reset between `from` and `until`; with `losesOrders`, earlier resting orders are
   * canceled.
   */
  kind('restart', {
    losesOrders: z
      .boolean({ error: 'true or false' })
      .default(false)
      .describe('Whether what rested before is canceled.'),
  }),
] as const

const NAMES = KINDS.map(({ shape }) => shape.fault.value)

/** The schema of a fault: its effect, and the calls it hits. */
export const faultRule = z.discriminatedUnion('fault', KINDS, {
  error: ({ code }) =>
    code === 'invalid_union' ? `one of ${NAMES.join(', ')}` : `a section with the key fault`,
})

/** A fault as it is written. */
export type FaultRuleInput = z.input<typeof faultRule>

/** A fault with its defaults. */
export type FaultRule = z.output<typeof faultRule>
