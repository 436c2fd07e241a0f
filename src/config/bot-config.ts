import { z } from 'zod'
import { QUEUE_ASSUMPTIONS } from '../matching/queue-assumption.ts'
import { accountField, accountsField, accountsOf, hostsOf } from './account-fields.ts'
import { accountProblems } from './account-problems.ts'
import { flag, fraction, numberAbove, oneOf, rate, text, wholeNumber } from './fields.ts'
import { liveInstrumentFields } from './instrument-fields.ts'
import { instrumentProblems } from './instrument-problems.ts'
import { strategyLimitProblems } from './limit-problems.ts'
import { marketsField } from './markets-field.ts'
import { metricsField } from './metrics-field.ts'
import { noticesField } from './notices-field.ts'
import { profileField, withHosts, withoutForeignHost } from './profiles/profile-field.ts'
import { liveRiskField, strategyRiskField } from './risk-field.ts'
import { SECRET_VARIABLES } from './secret-variables.ts'
import { section } from './section.ts'
import { sizeField } from './size-field.ts'
import { strategyFields, strategyList } from './strategy-fields.ts'
import { balancesField, tradedField } from './symbol-field.ts'
import { baseUrlField, variableField } from './venue-fields.ts'
import { webField } from './web-field.ts'

const simulatedVenue = section({
  type: z.literal('simulated'),
  seed: wholeNumber(0).default(7),
  speed: numberAbove(0).default(60),
  market: oneOf('generated', 'file').default('generated'),
  file: text('the path of a kline file').optional(),
  balances: balancesField.prefault({ USDT: 10_000 }),
  historyKlines: wholeNumber(0).default(500),
  spreadTicks: wholeNumber(1).default(1),
  port: wholeNumber(0, 65_535).default(0),
  dialect: profileField.describe(
    'The real host that the simulated exchange answers like, a name of config/profiles; by default the interface document.',
  ),
})

const exchangeVenue = section(
  {
    type: z.literal('exchange'),
    profile: profileField.describe(
      'How the exchange differs from the interface document: a name of config/profiles, the path of a YAML file, or detect.',
    ),
    spotUrl: baseUrlField.optional(),
    futuresUrl: baseUrlField.optional(),
    recvWindowMs: wholeNumber(1, 60_000).default(5000),
    apiKeyEnv: variableField.default(SECRET_VARIABLES.apiKey),
    apiSecretEnv: variableField.default(SECRET_VARIABLES.apiSecret),
  },
  {
    rehearses:
      'The key "rehearses" was removed: a bot does not play a close through in advance any more. Delete it.',
  },
)

const NO_KEYS = Object.fromEntries(
  ['apiKeyEnv', 'apiSecretEnv', 'apiKey', 'apiSecret'].map(key => [
    key,
    `A paper venue takes no API key: it only reads public data, and has nothing to sign with. Delete "${key}"; to trade with real money write "type: exchange".`,
  ]),
)

const paperVenue = section(
  {
    type: z.literal('paper'),
    profile: profileField.describe(
      'How the exchange differs from the interface document: a name of config/profiles, the path of a YAML file, or detect.',
    ),
    spotUrl: baseUrlField.optional(),
    futuresUrl: baseUrlField.optional(),
    balances: balancesField.prefault({ USDT: 10_000 }),
    queue: oneOf(...QUEUE_ASSUMPTIONS)
      .default('shown')
      .describe(
        'Assumed place of a resting order among the quantity shown at its price: before all of it (front), behind what was shown when it arrived (shown), or behind all that is ever shown (back).',
      ),
    levels: wholeNumber(1, 100).default(20).describe('Levels of the order book that are read, a side.'),
    readMs: wholeNumber(100).default(1000).describe('How often order book and trades are read, ms.'),
    seed: wholeNumber(0).default(7),
    folder: text('the path of a folder')
      .default('data/paper')
      .describe(
        'What was read and what became of orders is recorded there, for the report and for backtests.',
      ),
    port: wholeNumber(0, 65_535).default(0),
  },
  NO_KEYS,
)

const venue = z
  .discriminatedUnion('type', [simulatedVenue, exchangeVenue, paperVenue], {
    error: ({ code }) =>
      code === 'invalid_union' ? 'simulated, paper or exchange' : 'a section with a type',
  })
  .superRefine((given, context) => {
    if (given.type !== 'simulated' || (given.market === 'file') === (given.file !== undefined)) return
    const message =
      given.file === undefined ? 'must be given where market is file.' : 'needs market: file beside it.'
    context.addIssue({ code: 'custom', path: ['file'], message, params: { sentence: true } })
  })
  .transform(given => (given.type === 'simulated' ? given : withHosts(given)))

const INSTRUMENTS = 'a section of rules by symbol, with "default" for all the others'

const strategies = strategyList(
  section({
    ...strategyFields,
    symbol: tradedField,
    markets: marketsField(tradedField).optional(),
    size: sizeField,
    risk: strategyRiskField.optional(),
  }),
)

/**
 * Content of config/paper.yaml: defaults filled in, amounts and rates exact, durations in ms of the venue's
 * clock.
 */
export const botConfigSchema = section({
  bot: text('the name of the bot').default('paper'),
  venue: venue.prefault({ type: 'simulated' }),
  account: accountField.optional().describe('The account that it trades; by default a spot account.'),
  accounts: accountsField.optional().describe('Instead of one account: several side by side.'),
  strategies,
  instruments: z
    .record(z.string(), section(liveInstrumentFields).optional(), { error: INSTRUMENTS })
    .default({})
    .describe(
      'What the exchange does not list of instruments, or lists otherwise, by symbol or for all of them by default.',
    ),
  risk: liveRiskField.prefault({}),
  control: section({ socket: text('the path of a socket').optional() })
    .prefault({})
    .describe('Where `npm run bot` reaches this bot.'),
  web: webField
    .optional()
    .describe(
      'The window of the bot: a page that shows what it does and why, and from which it can be stopped.',
    ),
  notices: noticesField
    .optional()
    .describe(
      'Messages about what the bot does and how it is: to whom, when, and who may command it from there.',
    ),
  comparison: section({
    run: flag().default(true),
    everyMs: wholeNumber(1000)
      .default(60_000)
      .describe('Real time between two comparisons, ms; the thread works at most a twentieth of its time.'),
    slippageRate: fraction()
      .prefault('0.0002')
      .describe('Fraction of the price that the backtest loses at market.'),
    boundRate: fraction()
      .prefault('0.001')
      .describe('Largest difference that counts as kept, as a fraction of what live turned over.'),
  })
    .prefault({})
    .describe(
      'Of a bot with a journal: how it is compared with the backtest of what it has seen, in a thread of its own.',
    ),
  metrics: metricsField
    .prefault({})
    .describe('Metrics for Prometheus, at /metrics on the address of the window.'),
  execution: section({
    orderTimeoutMs: wholeNumber(1).default(10_000),
    pollOrdersMs: wholeNumber(1).default(1000),
    maxSlippageRate: rate().prefault('0.005'),
    maxPriceJumpRate: rate()
      .prefault('0.05')
      .describe(
        'How far a price may be from the one before without a second look: farther ones fire no stop until another look agrees.',
      ),
    settlementMarginMs: wholeNumber(0).default(30_000),
    foreignOrders: oneOf('leave', 'cancel').default('leave'),
    onStop: oneOf('cancel', 'keep', 'flatten').default('cancel'),
    stopWithinMs: wholeNumber(0).default(60_000),
  }).prefault({}),
  polling: section({
    tickerMs: wholeNumber(1).default(1000).describe('How often the best prices are asked for, ms.'),
    klineDelayMs: wholeNumber(0).default(500),
    balancesMs: wholeNumber(1).default(10_000),
    listingsMs: wholeNumber(1).default(60_000),
    weightPerMinute: wholeNumber(200).default(12_000),
    orderShare: fraction().prefault('0.25'),
    staleAfterMs: wholeNumber(1).default(30_000),
    mergeWaitMs: wholeNumber(0).default(5000),
  }).prefault({}),
  journal: section({
    file: text('the path of a file'),
    snapshotEntries: wholeNumber(1).default(10_000),
    keepEntries: wholeNumber(1).default(1_000_000),
    previousVenue: text('the account that the refusal of the journal names')
      .optional()
      .describe(
        'Confirms that the journal is of this account, where its API key was rotated or its host moved: the account as the refused start names it.',
      ),
  })
    .optional()
    .describe('A record of every event and decision, from which a bot goes on after it was stopped.'),
  log: section({
    level: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  })
    .prefault({})
    .describe('What is logged.'),
})
  .superRefine((config, context) => {
    const { risk, strategies: list } = config
    accountProblems(config, context)
    instrumentProblems(config, context)
    list.forEach((entry, index) => {
      const path = ['strategies', index, 'risk', 'limits']
      strategyLimitProblems(entry.risk?.limits ?? {}, risk.limits, path, context)
    })
  })
  .transform(({ venue, ...config }) => ({
    ...config,
    venue: venue.type === 'simulated' ? venue : withoutForeignHost(venue, hostsOf(accountsOf(config))),
  }))

/** The configuration of a running bot, as written: secrets are not part of it. */
export type BotConfig = z.output<typeof botConfigSchema>

/** One entry of `strategies`. */
export type StrategyConfig = BotConfig['strategies'][number]

/** The part of a bot's configuration that describes paper trading. */
export type PaperVenueConfig = Extract<BotConfig['venue'], { type: 'paper' }>

/** The part of a bot's configuration that describes a simulated exchange. */
export type SimulatedVenueConfig = Extract<BotConfig['venue'], { type: 'simulated' }>
