import { z } from 'zod'
import { amountOf } from '../domain/numbers/amount.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { OpeningBalances } from '../ledger/account-balances.ts'
import { QUEUE_ASSUMPTIONS } from '../matching/queue-assumption.ts'
import { sharedContractProblem } from './account-problems.ts'
import { configuredMarkets } from './configured-market.ts'
import { flag, fraction, oneOf, signedRate, text, wholeNumber } from './fields.ts'
import { contractFields, ruleFields } from './instrument-fields.ts'
import { instrumentFrom } from './instrument-from.ts'
import type { InstrumentSource } from './instrument-rules.ts'
import { strategyLimitProblems } from './limit-problems.ts'
import { accountRiskField, strategyRiskField } from './risk-field.ts'
import { section } from './section.ts'
import { sizeField } from './size-field.ts'
import { refuseSize } from './size-problems.ts'
import { strategyFields, strategyList } from './strategy-fields.ts'
import { balancesField, marketField } from './symbol-field.ts'
import { verdictField } from './verdict-field.ts'

const LEVERAGE = 'a number of at least 1'

const BALANCE = 'What the account holds at first, by asset.'

const SHARE = 'a fraction above 0 and at most 1'

/** Contract settings of a futures account. */
const futuresTerms = {
  leverage: wholeNumber(1, 1000)
    .optional()
    .describe('Worth of a position / its initial margin; 1 unless said otherwise.'),
  marginMode: oneOf('cross', 'isolated')
    .optional()
    .describe(
      'What backs a position: the whole wallet, or a margin of its own, from which its funding is paid.',
    ),
  positionMode: oneOf('oneWay', 'twoWay')
    .optional()
    .describe('oneWay: opposite orders net. twoWay: a long and a short position side by side.'),
}

const account = section({
  type: oneOf('spot', 'margin', 'futures').default('spot'),
  balance: balancesField.prefault({ USDT: 10_000 }).describe(BALANCE),
  maxLeverage: z
    .number({ error: LEVERAGE })
    .min(1, { error: LEVERAGE })
    .default(1)
    .describe('Worth of a position / equity, at most; above 1 on a margin account only.'),
  borrows: flag()
    .optional()
    .describe(
      'Of a margin account: false where it trades own funds only, as live ones do; true unless said otherwise.',
    ),
  ...futuresTerms,
}).superRefine(({ type, maxLeverage, borrows, ...terms }, context) => {
  if (type !== 'margin' && borrows !== undefined)
    refuse(context, ['borrows'], `is for margin accounts: leave it out, or use type: margin.`)
  if (borrows === false && maxLeverage !== 1)
    refuse(
      context,
      ['maxLeverage'],
      `is ${maxLeverage}, but nothing is borrowed: leave it at 1, or set borrows: true.`,
    )
  if (type === 'spot' && maxLeverage !== 1)
    refuse(
      context,
      ['maxLeverage'],
      `is ${maxLeverage}, but a spot account cannot borrow: leave it at 1, or use type: margin.`,
    )
  if (type === 'futures' && maxLeverage !== 1)
    refuse(
      context,
      ['maxLeverage'],
      'is for margin accounts: a futures account has one leverage, named leverage.',
    )
  for (const name of ['leverage', 'marginMode', 'positionMode'] as const) {
    if (type !== 'futures' && terms[name] !== undefined)
      refuse(context, [name], `is for futures accounts: leave it out, or use type: futures.`)
  }
})

/** Instead of one account. Symbols such as BTC/USDT are traded on the one, contracts such as E-BTC-USDT on the other. */
const accounts = section({
  spot: section({ balance: balancesField.describe(BALANCE) }).describe('Trades symbols such as BTC/USDT.'),
  futures: section({ balance: balancesField.describe(BALANCE), ...futuresTerms }).describe(
    'Trades contracts such as E-BTC-USDT.',
  ),
})

/** Bound of the rates that live exchanges of the interface settle. */
const LARGEST_FUNDING_RATE = '0.015'
const FUNDING_HOURS = '1, 2, 4 or 8'

const instrument = section({
  ...ruleFields,
  feesPaidIn: oneOf('received', 'quote').optional(),
  ...contractFields,
  fundingRate: signedRate(LARGEST_FUNDING_RATE).optional(),
  fundingHours: z.literal([1, 2, 4, 8], { error: FUNDING_HOURS }).optional(),
  fundingFile: text('the path of a file of funding rates').optional(),
  fundingVenue: text('the name of a venue whose funding rates are in the store').optional(),
  markFile: text('the path of a file of klines of the mark price').optional(),
})

/** A strategy of a run of several, as in the configuration of a bot, and where its klines are. */
const strategy = section({
  ...strategyFields,
  symbol: marketField,
  size: sizeField.optional(),
  risk: strategyRiskField.optional(),
  data: text('the path of a kline file').optional(),
  feedData: z
    .record(z.string(), text('the path of a kline file'), {
      error: 'a section of kline files by role or feed of the strategy',
    })
    .optional()
    .describe('Kline files of its roles and feeds, by their names.'),
  store: text('the folder of a kline store').optional(),
  venue: text('the name of a venue').optional(),
}).superRefine(({ data, store, venue }, context) => {
  if (data === undefined || (store === undefined && venue === undefined)) return
  const other = store === undefined ? 'venue' : 'store'
  refuse(
    context,
    ['data'],
    `contradicts ${other}: the klines are those of a file or those of a store; leave one out.`,
  )
})

const SYMBOLS = 'a section of rules by symbol, with "default" for all the others'
const KEY = 'default, or a symbol such as BTC/USDT or a contract such as E-BTC-USDT, in capitals'
const instrumentKey = z
  .string()
  .refine(key => key === 'default' || marketField.safeParse(key).success, { error: KEY })

const config = section({
  account: account.optional().describe('What trades: the kind of account, and its money.'),
  accounts: accounts
    .optional()
    .describe('Instead of one account: a spot and a futures account side by side.'),
  instruments: z.record(instrumentKey, instrument.optional(), { error: SYMBOLS }).default({}),
  size: sizeField.prefault({ equityFraction: 0.95 }),
  riskFreeRate: fraction().prefault(0),
  strategies: strategyList(strategy).optional(),
  fills: section({
    path: oneOf('pessimistic', 'optimistic', 'ohlc', 'olhc', 'detail').default('pessimistic'),
    slippageRate: fraction().prefault('0.0002'),
    slippageTicks: wholeNumber(0).default(0).describe('Ticks of slippage, on top of slippageRate.'),
    volumeImpact: fraction().prefault(0),
    spreadRate: fraction().prefault(0),
    spreadTicks: wholeNumber(0).default(0).describe('The spread in ticks, on top of spreadRate.'),
    latencyMs: wholeNumber(0).default(0),
    maxVolumeShare: z.number({ error: SHARE }).gt(0, { error: SHARE }).max(1, { error: SHARE }).optional(),
    limitFill: oneOf('touch', 'through').default('through'),
    gappedLimit: oneOf('atLimit', 'atOpen').default('atLimit'),
    entryKlineProtection: oneOf('all', 'marketEntries').default('all'),
    stopLossFirst: oneOf('unlessOpenPassedTakeProfit', 'always').default('unlessOpenPassedTakeProfit'),
    stopLimit: oneOf('gapAware', 'atStopPrice').default('gapAware'),
    queue: oneOf(...QUEUE_ASSUMPTIONS)
      .default('shown')
      .describe(
        'Assumed place of a resting order at its price on recorded ticks: first, behind the least that was shown there since it came, or behind all that is shown.',
      ),
    sizingReference: oneOf('decision', 'nextOpen').default('decision'),
    closeAtEnd: oneOf('no', 'lastClose', 'lastOpen').default('no'),
  })
    .prefault({})
    .describe('How orders trade on klines, and what that costs.'),
  risk: accountRiskField.optional().describe('Limits and protections of the account; by default none.'),
  validate: verdictField
    .prefault({})
    .describe('What `npm run validate` asks of an edge, and how much it draws.'),
})

const ONE_OR_SEVERAL = 'contradicts account: that is for a run on one account; leave one of the two out.'

/**
 * Content of config/backtest.yaml: defaults filled in, amounts and rates exact. With several accounts,
 * `account` is the spot one.
 */
export const backtestConfigSchema = config
  .superRefine(({ account: one, accounts: several }, context) => {
    if (one !== undefined && several !== undefined) refuse(context, ['accounts'], ONE_OR_SEVERAL)
  })
  .transform(({ account: one = account.parse({}), accounts: several, ...rest }) => ({
    account: { ...one, ...several?.spot },
    ...(several !== undefined && { accounts: several }),
    ...rest,
  }))
  .superRefine((given, context) => {
    const isOnSpot = given.account.type === 'spot' && given.accounts === undefined
    if (isOnSpot) refuseSize(given.size, 'spot', ['size'], context)
    given.strategies?.forEach(({ size }, index) => {
      if (isOnSpot) refuseSize(size, 'spot', ['strategies', index, 'size'], context)
    })
    given.strategies?.forEach(({ risk }, index) => {
      const path = ['strategies', index, 'risk', 'limits']
      strategyLimitProblems(risk?.limits ?? {}, given.risk?.limits ?? {}, path, context)
    })
    refuseSharedContracts(given, context)
    for (const key of Object.keys(given.instruments)) {
      const problem = problemOf(() =>
        key === 'default' ? instrumentFrom(sizedByDefault(given), 'BASE/QUOTE') : instrumentFrom(given, key),
      )
      if (problem !== undefined) refuse(context, ['instruments', key], problem)
    }
  })

/** The same as it may be written; everything has a default. */
export type BacktestConfigInput = z.input<typeof backtestConfigSchema>

export type WrittenBacktestConfig = z.output<typeof backtestConfigSchema>

/** The part of it that decides a backtest: thresholds of a verdict change no trial. */
export type BacktestConfig = Omit<WrittenBacktestConfig, 'validate'>

/** The balances that the account, or each of two accounts, begins with. */
export function openingBalances({ account: one, accounts: several }: BacktestConfig): OpeningBalances {
  if (several === undefined) return one.balance
  return { spot: several.spot.balance, futures: several.futures.balance }
}

/** Refuses a contract that two strategies, or two markets of one, would trade: as a running bot does. */
function refuseSharedContracts(
  { account: one, accounts: several, strategies = [] }: BacktestConfig,
  context: z.RefinementCtx,
): void {
  if (several === undefined && one.type !== 'futures') return
  const marketOf = configuredMarkets(several ?? { futures: one })
  const traded: string[] = []
  const check = (symbol: string, path: PropertyKey[]) => {
    const message = sharedContractProblem(symbol, traded, marketOf)
    if (message !== undefined) refuse(context, path, message)
    traded.push(symbol)
  }
  strategies.forEach(({ symbol, markets = {} }, index) => {
    check(symbol, ['strategies', index, 'symbol'])
    for (const [role, market] of Object.entries(markets))
      check(market.symbol, ['strategies', index, 'markets', role])
  })
}

function refuse(context: z.RefinementCtx, path: PropertyKey[], message: string): void {
  context.addIssue({ code: 'custom', path, message, params: { sentence: true } })
}

/** Rules for all contracts may omit the contract size. */
function sizedByDefault({ account, instruments }: InstrumentSource): InstrumentSource {
  if (account.type !== 'futures') return { account, instruments }
  return { account, instruments: { default: { contractSize: amountOf('1'), ...instruments.default } } }
}

function problemOf(attempt: () => unknown): string | undefined {
  try {
    attempt()
  } catch (error) {
    if (error instanceof UsageError) return `cannot be used. ${error.message}`
    throw error
  }
  return undefined
}
