import { z } from 'zod'
import type { Instrument } from '../domain/instrument.ts'
import { amountOf, ONE_RATE, rateOf } from '../domain/numbers/amount.ts'
import { steps, stepsOf, ticksOf } from '../domain/numbers/grid.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { contradictionsIn } from './config-contradictions.ts'
import { DIALECT_NAMES } from './dialects/dialects.ts'
import { faultRule } from './faults/fault-rule.ts'
import { futuresSettings } from './futures/futures-settings.ts'
import { limitSettings } from './limits/limit-settings.ts'
import { marginSettings } from './margin/margin-settings.ts'
import { correlationSettings } from './prices/correlation-settings.ts'
import { marketSettings } from './prices/market-settings.ts'
import { exactly, settings, whole } from './settings.ts'
import { transferSettings } from './transfer/transfer-settings.ts'
import { withdrawalSettings } from './withdrawal/withdrawal-settings.ts'

/** Key, secret and balances of the default account of a simulated exchange. They open nothing else. */
export const TEST_ACCOUNT = {
  apiKey: 'sluice-test-key',
  apiSecret: 'sluice-test-secret',
  balances: { USDT: '10000' },
  futuresBalances: { USDT: '10000' },
} as const

/**
 * Messages state the expected value ("a number above 0"), so that they can end any sentence about a key; with
 * `params.sentence` they are the rest of a sentence that starts with the key.
 */

const SYMBOL = 'a symbol such as BTC/USDT, in capitals'
const amount = exactly('an amount with at most 18 decimals', amountOf)
const notNegative = amount.refine(value => value >= 0n, { error: 'an amount of at least 0' })
const FEE_RATE = 'a rate above -1 and below 1 (0.001 is 0.1%), with at most 18 decimals'
const feeRate = exactly(FEE_RATE, rateOf).refine(value => value > -ONE_RATE && value < ONE_RATE, {
  error: FEE_RATE,
})
const BAND = 'a rate above 0 (0.1 is 10%), with at most 18 decimals'
const ASSET = 'the name of an asset in capitals, such as USDT'
const flag = z.boolean({ error: 'true or false' })
const assetName = z.string().regex(/^[A-Z0-9]+$/, { error: ASSET })
const amountsByAsset = z.record(assetName, notNegative, {
  error: 'a section of amounts by asset, such as USDT: 10000',
})
const decimalText = exactly('a decimal number', String)
const text = (expected: string) => z.string({ error: expected }).min(1, { error: expected })
const listOf = <Item extends z.ZodType>(item: Item, items: string) => {
  const error = `a list of ${items}`
  return z.array(item, { error })
}

const listing = settings({
  symbol: z.string({ error: SYMBOL }).regex(/^[A-Z0-9]+\/[A-Z0-9]+$/, { error: SYMBOL }),
  pricePrecision: whole(0, 9).default(2),
  quantityPrecision: whole(0, 9).default(5).describe('Decimals of a volume.'),
  minPrice: decimalText.optional(),
  minVolume: decimalText.optional(),
  /** Largest volume of one order; without one, any is taken. */
  maxVolume: decimalText.optional(),
  minNotional: notNegative.prefault('10'),
  makerFeeRate: feeRate.prefault('0.001'),
  takerFeeRate: feeRate.prefault('0.001'),
  market: marketSettings.prefault({ type: 'generated' }),
  /** Take orders; otherwise the pair is frozen. */
  isTrading: flag.default(true),
  allowsMarketOrders: flag.default(true).describe('Whether it takes market orders.'),
  /** Largest distance of a price from the reference price, as a fraction of it; unlimited if absent. */
  priceBandRate: exactly(BAND, rateOf)
    .refine(value => value > 0n, { error: BAND })
    .optional(),
}).transform((entry, context) => ({
  instrument: checked(() => instrumentOf(entry), context),
  market: entry.market,
  rules: {
    isTrading: entry.isTrading,
    allowsMarketOrders: entry.allowsMarketOrders,
    priceBandRate: entry.priceBandRate,
  },
}))

const account = settings({
  apiKey: text('the key of an account'),
  apiSecret: text('the secret of an account'),
  balances: amountsByAsset,
  /** Margin coins of the futures account. */
  futuresBalances: amountsByAsset.prefault({}).describe('What the futures account holds at the start.'),
  marginBalances: amountsByAsset.prefault({}).describe('What the margin account holds at the start.'),
  /** An asset that the spot account pays its trading fees with; where it has too little of it, the asset received pays. */
  feesPaidWith: settings({
    asset: assetName.describe('Its name.'),
    price: amount.refine(value => value > 0n, { error: 'an amount above 0' }).describe('Quote per unit.'),
  })
    .optional()
    .describe('An asset that the spot account pays its trading fees with, while it has enough of it.'),
  /** Take orders of this account. */
  mayTrade: flag.default(true),
  /** Addresses its key may be used from; without this, any. */
  allowedIps: listOf(text('an IP address'), 'IP addresses').optional(),
})

const liquidity = settings({
  /** Ticks between the reference price and the best quote. */
  spreadTicks: whole(1).default(1),
  /** Notional of each level in quote, the best first; the levels are one tick apart. */
  levelNotionals: listOf(notNegative, 'amounts')
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
  /** Correlation of the minute returns of generated listings; none if absent. */
  correlation: correlationSettings.optional(),
  accounts: listOf(account, 'accounts').prefault([TEST_ACCOUNT]),
  liquidity: liquidity.prefault({}),
  futures: futuresSettings(marketSettings).prefault({}).describe('Contracts, and how accounts trade them.'),
  dialect: z
    .enum(DIALECT_NAMES, { error: `one of ${DIALECT_NAMES.join(', ')}` })
    .default('document')
    .describe('The real host that it answers like; `document` is the interface document.'),
  /** Faults from the start; more can be added at run time. */
  faults: listOf(faultRule, 'faults').prefault([]),
  /** Serve the admin side under /sim on this machine. */
  admin: z.boolean({ error: 'true or false' }).default(true),
  /** Number of events kept in the log. */
  keptEvents: whole(1).default(10_000),
  /** Largest number of inputs in a snapshot; 0 disables snapshots. */
  keptInputs: whole(0).default(100_000),
  /** Answer refused requests with HTTP 200, as live hosts do; the interface document implies 4xx. */
  httpOkOnErrors: flag.default(false),
  /** Open orders an account may have. */
  maxOpenOrders: whole(1).default(1000),
  /** Refuse a client order id that was used before; live hosts take it, and the latest order wins. */
  uniqueClientOrderIds: flag.default(false),
  /** Refuse parameters that are unknown, empty, of no use or sent twice. */
  strictParameters: flag.default(false),
  /** Largest age of a request without a recvWindow, ms. */
  recvWindowMs: whole(1).default(1000),
  /** Finished orders, trades, transfers and withdrawals that are remembered, each by account. */
  keptRecords: whole(1).default(10_000),
  limits: limitSettings.prefault({}),
  margin: marginSettings.prefault({}),
  transfers: transferSettings.prefault({}),
  withdrawals: withdrawalSettings
    .prefault({})
    .describe('What withdrawals cost, how long they take, and which ones go wrong.'),
}).superRefine((config, context) => {
  if (context.issues.length > 0) return
  for (const { path, message } of contradictionsIn(config)) {
    context.addIssue({ code: 'custom', message, path: [...path], params: { sentence: true } })
  }
})

/** Input of a configuration; every field has a default. */
export type SimulatorConfigInput = z.input<typeof simulatorConfigSchema>

/** A complete configuration. */
export type SimulatorConfig = z.output<typeof simulatorConfigSchema>

/** An instrument of the exchange, with its price source. */
export type Listing = SimulatorConfig['listings'][number]

/** Checks a configuration and fills in the defaults; throws `UsageError` that names each problem. */
export function simulatorConfigOf(input: unknown = {}): SimulatorConfig {
  const result = simulatorConfigSchema.safeParse(input)
  if (result.success) return result.data
  const problems = result.error.issues.map(problemOf)
  throw new UsageError(`The configuration of the simulated exchange cannot be used:\n${problems.join('\n')}`)
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return issue.message
  if (issue.code === 'invalid_key') {
    return `The key "${String(issue.path.at(-1))}" must be ${issue.issues[0]?.message}.`
  }
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
  readonly maxVolume?: string | undefined
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
    minPrice: above0('minPrice', ticksOf(grid, entry.minPrice ?? smallest(pricePrecision))),
    minQuantity: above0('minVolume', stepsOf(grid, entry.minVolume ?? smallest(quantityPrecision))),
    maxQuantity:
      entry.maxVolume === undefined
        ? steps(Number.MAX_SAFE_INTEGER)
        : above0('maxVolume', stepsOf(grid, entry.maxVolume)),
    minNotional,
    leverage: { min: 1, max: 1 },
    accountType: 'spot',
    fees: { maker: makerFeeRate, taker: takerFeeRate, paidIn: 'received' },
  }
}

function above0<Points extends number>(name: string, points: Points): Points {
  if (points > 0) return points
  throw new UsageError(`The ${name} must be above 0.`)
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
