import { z } from 'zod'
import { type Amount, amountOf, ONE_RATE, rateOf } from '../../domain/numbers/amount.ts'
import { steps } from '../../domain/numbers/grid.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { exactly, settings, whole } from '../settings.ts'
import type { Contract } from './contract.ts'

const NAME = 'the name of a contract such as E-BTC-USDT, in capitals'
/** Largest leverage that a contract may have. */
export const LARGEST_LEVERAGE = 1000
const amount = exactly('an amount with at most 18 decimals', amountOf)
const rate = exactly('a rate with at most 18 decimals (0.001 is 0.1%)', rateOf)
const fraction = rate.refine(value => value > 0n && value < ONE_RATE, { error: 'a rate above 0 and below 1' })
const oneOf = <Value extends string | number>(...values: readonly Value[]) =>
  z.literal(values, { error: `one of ${values.join(', ')}` })

const tier = settings({
  /** Largest notional of a position at this rate; unlimited if absent. */
  upTo: amount.optional(),
  keepRate: fraction,
})

/** Rates by the notional of the whole position, as on large exchanges. */
const USUAL_TIERS = [
  { upTo: '1000000', keepRate: '0.005' },
  { upTo: '10000000', keepRate: '0.01' },
  { keepRate: '0.025' },
]

const contractFields = {
  symbol: z.string({ error: NAME }).regex(/^[A-Z][A-Z0-9]*-[A-Z0-9]+-[A-Z0-9]+$/, { error: NAME }),
  /** 0 takes no orders. */
  status: oneOf(0, 1).default(1),
  /** Base of one contract. */
  multiplier: amount.prefault('0.0001'),
  pricePrecision: whole(0, 9).default(1).describe('Decimals of a price.'),
  minOrderVolume: whole(1).default(1),
  minOrderMoney: amount.prefault('0.001'),
  maxMarketVolume: whole(1).default(5_000_000).describe('Most contracts of one market order.'),
  maxMarketMoney: amount.prefault('10000000'),
  maxLimitVolume: whole(1).default(10_000_000).describe('Most contracts of one limit order.'),
  maxLimitMoney: amount.prefault('50000000'),
  maxValidOrder: whole(1).default(200),
  minLever: whole(0, LARGEST_LEVERAGE).default(1).describe('Smallest leverage.'),
  maxLever: whole(1, LARGEST_LEVERAGE).default(150).describe('Largest leverage.'),
  openTakerFee: rate.prefault('0.00075'),
  openMakerFee: rate.prefault('0.00025'),
  closeTakerFee: rate.prefault('0.00075'),
  closeMakerFee: rate.prefault('0.00025'),
  /** Ascending; the last one should have no end. */
  maintenance: z.array(tier, { error: 'a list of tiers' }).min(1).prefault(USUAL_TIERS),
  /** Distance of the mark price from the index: (mark − index) ÷ index. */
  premium: rate.refine(value => value > -ONE_RATE, { error: 'a rate above -1' }).prefault('0'),
  fundingHours: oneOf(1, 2, 4, 8).default(8),
  /** A fixed rate of every settlement; without it, the rate follows from the premium and the interest rate. */
  fundingRate: rate.optional(),
  interestRate: rate.prefault('0.0001'),
}

/**
 * Source of prices: a spot pair (by default the one of the same assets), or `ifUnlisted` if it is not listed.
 */
const spotReference = <Market extends z.ZodType>(ownMarket: Market) =>
  settings({
    type: z.literal('spot'),
    symbol: z.string().optional().describe('The pair that it follows; by default that of its assets.'),
    ifUnlisted: ownMarket.optional(),
  })

const FOLLOW_SPOT = { type: 'spot' }
/** Smaller than that of a spot pair, because this market is often unused. */
const USUAL_HISTORY = 1440
const generated = (startPrice: number) => ({ type: 'generated', startPrice, historyKlines: USUAL_HISTORY })

/** Default contracts, with the numbers of a live host (supplement section 7). */
const USUAL_CONTRACTS = [
  { symbol: 'E-BTC-USDT', market: { type: 'spot', ifUnlisted: generated(60_000) } },
  {
    symbol: 'E-ETH-USDT',
    multiplier: '0.01',
    pricePrecision: 2,
    market: { type: 'spot', ifUnlisted: generated(3000) },
  },
]

/** The `futures` section of the configuration; `ownMarket` is the schema of a contract's own market. */
export function futuresSettings<OwnMarket extends z.ZodType>(ownMarket: OwnMarket) {
  const market = z.union([spotReference(ownMarket), ownMarket], {
    error: 'a section with a type: spot, generated, klines or ticks',
  })
  const listed = settings({ ...contractFields, market: market.prefault(FOLLOW_SPOT as never) }) // what every market's schema takes
  return settings({
    contracts: z
      .array(listed, { error: 'a list of contracts' })
      .describe('Contracts that are listed.')
      .prefault(USUAL_CONTRACTS as never) // valid for every market that knows `generated`
      .transform((entries, context) =>
        entries.map((entry, index) => ({
          contract: checked(() => contractOf(entry, index + 1), context, index),
          market: entry.market,
        })),
      ),
    /**
     * Largest distance of a price from the mark price, up for a buy and down for a sell, as a fraction; also
     * the worst price of market orders.
     */
    priceBand: fraction.prefault('0.05'),
    positionMode: oneOf('net', 'twoWay').default('twoWay'),
    marginMode: oneOf('cross', 'isolated')
      .default('cross')
      .describe('What backs a position: the whole wallet, or a margin of its own.'),
    leverage: whole(1, LARGEST_LEVERAGE).default(20).describe('Leverage that accounts begin with.'),
    /** Days a condition order waits. */
    conditionDays: whole(1).default(14),
    /** Number of stored finished orders, trades, transactions and closed positions per account, each. */
    keptRecords: whole(1).default(10_000),
    /** Refuse orders without the header `futures-version: 101`, which some clients never send. */
    requiresVersionHeader: z.boolean({ error: 'true or false' }).default(true),
  })
}

type ContractFields = z.output<z.ZodObject<typeof contractFields>>

function contractOf(fields: ContractFields, id: number): Contract {
  const { multiplier, pricePrecision, minLever, maxLever } = fields
  const [type = '', base = '', quote = ''] = fields.symbol.split('-')
  if (minLever > maxLever) throw new UsageError(`minLever ${minLever} is above maxLever ${maxLever}.`)
  return {
    ...{ id, type, base, quote, multiplier, pricePrecision, quantityPrecision: 0 },
    name: fields.symbol,
    isTrading: fields.status === 1,
    tickWorth: tickWorthOf(multiplier, pricePrecision),
    minOrderVolume: steps(fields.minOrderVolume),
    minOrderMoney: fields.minOrderMoney,
    maxMarketVolume: steps(fields.maxMarketVolume),
    maxMarketMoney: fields.maxMarketMoney,
    maxLimitVolume: steps(fields.maxLimitVolume),
    maxLimitMoney: fields.maxLimitMoney,
    maxValidOrder: fields.maxValidOrder,
    leverage: { min: minLever, max: maxLever },
    fees: {
      open: { taker: fields.openTakerFee, maker: fields.openMakerFee },
      close: { taker: fields.closeTakerFee, maker: fields.closeMakerFee },
    },
    tiers: fields.maintenance,
    premium: fields.premium,
    funding: {
      intervalHours: fields.fundingHours,
      fixedRate: fields.fundingRate,
      interestRate: fields.interestRate,
    },
  }
}

/** Exact, or amounts of money would not be. */
function tickWorthOf(multiplier: Amount, pricePrecision: number): Amount {
  const ticksPerOne = 10n ** BigInt(pricePrecision)
  if (multiplier <= 0n || multiplier % ticksPerOne !== 0n) {
    throw new UsageError(
      'The multiplier must be above 0, with at most 18 decimals together with those of the price.',
    )
  }
  return (multiplier / ticksPerOne) as Amount // without rest
}

function checked(construct: () => Contract, context: z.RefinementCtx, index: number): Contract {
  try {
    return construct()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `cannot be used. ${reason}`
    context.addIssue({ code: 'custom', message, path: [index], params: { sentence: true } })
    return z.NEVER
  }
}
