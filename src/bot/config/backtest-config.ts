import { z } from 'zod'
import { UsageError } from '../../domain/sluice-error.ts'
import { amount, fraction, oneOf, rate, wholeNumber } from './fields.ts'
import { instrumentFrom } from './instrument-from.ts'
import { accountRiskField } from './risk-field.ts'
import { section } from './section.ts'
import { sizeField } from './size-field.ts'
import { balancesField } from './symbol-field.ts'

const LEVERAGE = 'a number of at least 1'

const SHARE = 'a fraction above 0 and at most 1'

const account = section({
  type: oneOf('spot', 'margin').default('spot'),
  balance: balancesField.prefault({ USDT: 10_000 }),
  maxLeverage: z.number({ error: LEVERAGE }).min(1, { error: LEVERAGE }).default(1),
}).superRefine(({ type, maxLeverage }, context) => {
  if (type === 'margin' || maxLeverage === 1) return
  const message = `is ${maxLeverage}, but a spot account cannot borrow: leave it at 1, or use type: margin.`
  context.addIssue({ code: 'custom', path: ['maxLeverage'], message, params: { sentence: true } })
})

const instrument = section({
  pricePrecision: wholeNumber(0, 18).optional(),
  quantityPrecision: wholeNumber(0, 18).optional(),
  minQuantity: amount().optional(),
  maxQuantity: amount().optional(),
  minNotional: amount().optional(),
  makerFeeRate: rate().optional(),
  takerFeeRate: rate().optional(),
  feesPaidIn: oneOf('received', 'quote').optional(),
})

const SYMBOLS = 'a section of rules by symbol, with "default" for all the others'
const KEY = 'default, or a symbol such as BTC/USDT, in capitals'
const instrumentKey = z.string().regex(/^(default|[A-Z0-9]+\/[A-Z0-9]+)$/, { error: KEY })

/** What config/backtest.yaml says: defaults filled in, amounts and rates exact. */
export const backtestConfigSchema = section({
  account: account.prefault({}),
  instruments: z.record(instrumentKey, instrument.optional(), { error: SYMBOLS }).default({}),
  size: sizeField.prefault({ equityFraction: 0.95 }),
  riskFreeRate: fraction().prefault(0),
  fills: section({
    path: oneOf('pessimistic', 'optimistic', 'ohlc', 'olhc', 'detail').default('pessimistic'),
    slippageRate: fraction().prefault('0.0002'),
    slippageTicks: wholeNumber(0).default(0),
    volumeImpact: fraction().prefault(0),
    spreadRate: fraction().prefault(0),
    spreadTicks: wholeNumber(0).default(0),
    latencyMs: wholeNumber(0).default(0),
    maxVolumeShare: z.number({ error: SHARE }).gt(0, { error: SHARE }).max(1, { error: SHARE }).optional(),
    limitFill: oneOf('touch', 'through').default('through'),
    gappedLimit: oneOf('atLimit', 'atOpen').default('atLimit'),
    entryKlineProtection: oneOf('all', 'marketEntries').default('all'),
    stopLossFirst: oneOf('unlessOpenPassedTakeProfit', 'always').default('unlessOpenPassedTakeProfit'),
    stopLimit: oneOf('gapAware', 'atStopPrice').default('gapAware'),
    sizingReference: oneOf('decision', 'nextOpen').default('decision'),
    closeAtEnd: oneOf('no', 'lastClose', 'lastOpen').default('no'),
  }).prefault({}),
  risk: accountRiskField.optional(),
}).superRefine((config, context) => {
  for (const key of Object.keys(config.instruments)) {
    const problem = problemOf(() => instrumentFrom(config, key === 'default' ? 'BASE/QUOTE' : key))
    const path = ['instruments', key]
    if (problem !== undefined)
      context.addIssue({ code: 'custom', path, message: problem, params: { sentence: true } })
  }
})

/** The configuration of a backtest. */
export type BacktestConfig = z.output<typeof backtestConfigSchema>

function problemOf(attempt: () => unknown): string | undefined {
  try {
    attempt()
  } catch (error) {
    if (error instanceof UsageError) return `cannot be used. ${error.message}`
    throw error
  }
  return undefined
}
