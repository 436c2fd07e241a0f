import { z } from 'zod'
import { amountOf, rateOf } from '../domain/amount.ts'
import { steps, stepsOf, ticksOf } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import { INTERVALS } from '../domain/interval.ts'
import type { Kline } from '../domain/kline.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { exactly, positive, settings, whole } from './settings.ts'

/** Key, secret and money of the account a simulated exchange has unless told otherwise. They open nothing else. */
export const TEST_ACCOUNT = {
  apiKey: 'sluice-test-key',
  apiSecret: 'sluice-test-secret',
  balances: { USDT: '10000' },
} as const

/*
 * Messages say what is expected ("a number above 0"), so that they can end any sentence about a key; with
 * `params.sentence` they are the rest of a sentence that starts with the key.
 */

const SYMBOL = 'a symbol such as BTC/USDT, in capitals'
const amount = exactly('an amount with at most 18 decimals', amountOf)
const rate = exactly('a rate with at most 18 decimals (0.001 is 0.1 %)', rateOf)
const decimalText = exactly('a decimal number', String)
const text = (expected: string) => z.string({ error: expected }).min(1, { error: expected })
const listOf = <Item extends z.ZodType>(item: Item, items: string) => {
  const error = `a list of ${items}`
  return z.array(item, { error })
}

const generatedMarket = settings({
  type: z.literal('generated'),
  startPrice: positive().default(60_000),
  yearlyVolatility: positive(10).default(0.6),
  volumePerMinute: positive().default(10),
  /** Minutes of history that exist when the exchange opens. */
  historyKlines: whole(0, 1_000_000).default(10_080),
})

const replayedMarket = settings({
  type: z.literal('klines'),
  interval: z.enum(INTERVALS, { error: `one of ${INTERVALS.join(', ')}` }).default('1m'),
  /** Ascending; what lies before the time of opening is history. Each is checked when its time comes. */
  klines: z.custom<readonly Kline[]>(value => Array.isArray(value) && value.length > 0, 'a list of klines'),
})

const market = z.discriminatedUnion('type', [generatedMarket, replayedMarket], {
  error: ({ code }) => (code === 'invalid_union' ? 'generated or klines' : 'a section with a type'),
})

const listing = settings({
  symbol: z.string({ error: SYMBOL }).regex(/^[A-Z0-9]+\/[A-Z0-9]+$/, { error: SYMBOL }),
  pricePrecision: whole(0, 9).default(2),
  quantityPrecision: whole(0, 9).default(5),
  minPrice: decimalText.optional(),
  minVolume: decimalText.optional(),
  minNotional: amount.prefault('10'),
  makerFeeRate: rate.prefault('0.001'),
  takerFeeRate: rate.prefault('0.001'),
  market: market.prefault({ type: 'generated' }),
}).transform((entry, context) => ({
  instrument: checked(() => instrumentOf(entry), context),
  market: entry.market,
}))

const account = settings({
  apiKey: text('the key of an account'),
  apiSecret: text('the secret of an account'),
  balances: z.record(z.string(), amount, { error: 'a section of amounts by asset, such as USDT: 10000' }),
})

const liquidity = settings({
  /** Ticks between the reference price and the best quote. */
  spreadTicks: whole(1).default(1),
  /** Worth of each level in quote, the best first; the levels are one tick apart. */
  levelNotionals: listOf(amount, 'amounts')
    .max(100, { error: 'a list of at most 100 amounts' })
    .prefault(() => Array.from({ length: 10 }, () => '1000000')),
})

/** The schema of the configuration of a simulated exchange. */
export const simulatorConfigSchema = settings({
  /** Decides all that is random. */
  seed: whole(0).default(1),
  listings: listOf(listing, 'listings')
    .min(1, { error: 'a list of at least one listing' })
    .prefault([{ symbol: 'BTC/USDT' }]),
  accounts: listOf(account, 'accounts').prefault([TEST_ACCOUNT]),
  liquidity: liquidity.prefault({}),
  /** Answer refused requests with HTTP 200, as live hosts do; the interface document implies 4xx. */
  httpOkOnErrors: z.boolean({ error: 'true or false' }).default(false),
  /** Open orders an account may have. */
  maxOpenOrders: whole(1).default(1000),
})

/** What can be configured; everything has a default. */
export type SimulatorConfigInput = z.input<typeof simulatorConfigSchema>

/** A complete configuration. */
export type SimulatorConfig = z.output<typeof simulatorConfigSchema>

/** An instrument of the exchange, and where its prices come from. */
export type Listing = SimulatorConfig['listings'][number]

/** Checks a configuration and fills in the defaults; throws `UsageError` naming what is wrong. */
export function simulatorConfigOf(input: unknown = {}): SimulatorConfig {
  const result = simulatorConfigSchema.safeParse(input)
  if (result.success) return result.data
  const problems = result.error.issues.map(problemOf)
  throw new UsageError(`The configuration of the simulated exchange cannot be used:\n${problems.join('\n')}`)
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return issue.message
  const name = issue.path.join('.') || 'It'
  if (issue.code === 'custom' && issue.params?.sentence === true) return `${name} ${issue.message}`
  return `${name} must be ${issue.message}.`
}

interface ListingEntry {
  readonly symbol: string
  readonly pricePrecision: number
  readonly quantityPrecision: number
  readonly minPrice?: string | undefined
  readonly minVolume?: string | undefined
  readonly minNotional: Instrument['minNotional']
  readonly makerFeeRate: Instrument['fees']['maker']
  readonly takerFeeRate: Instrument['fees']['taker']
}

function instrumentOf(entry: ListingEntry): Instrument {
  const { symbol, pricePrecision, quantityPrecision, minNotional, makerFeeRate, takerFeeRate } = entry
  const [base = '', quote = ''] = symbol.split('/')
  const grid = { pricePrecision, quantityPrecision }
  return {
    ...grid,
    symbol,
    base,
    quote,
    minPrice: ticksOf(grid, entry.minPrice ?? smallest(pricePrecision)),
    minQuantity: stepsOf(grid, entry.minVolume ?? smallest(quantityPrecision)),
    maxQuantity: steps(Number.MAX_SAFE_INTEGER),
    minNotional,
    leverage: { min: 1, max: 1 },
    accountType: 'spot',
    fees: { maker: makerFeeRate, taker: takerFeeRate, paidIn: 'received' },
  }
}

function smallest(precision: number): string {
  return `1e-${precision}`
}

/** Turns an error of a checked constructor into an issue of the schema. */
function checked<Value>(construct: () => Value, context: z.RefinementCtx): Value {
  try {
    return construct()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    context.addIssue({ code: 'custom', message: `cannot be used. ${reason}`, params: { sentence: true } })
    return z.NEVER
  }
}
