import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { loadBotConfig } from '../../src/config/load-bot-config.ts'
import { amountOf, rateOf } from '../../src/domain/numbers/amount.ts'
import { configFile, problemsOf } from '../bot/config/config-file.ts'

const STRATEGIES = `strategies:
  - { file: a.ts, symbol: BTC/USDT, interval: 1m, size: { quote: 100 } }
`
const EXCHANGE = `venue:
  type: exchange
  spotUrl: https://api.example.com
`
const SET = { SLUICE_API_KEY: 'the-key', SLUICE_API_SECRET: 'the-secret' }
const load = (text: string, environment = {}) => loadBotConfig(configFile(text), { ...environment })
const problems = (text: string, environment = {}) =>
  problemsOf(text, path => loadBotConfig(path, { ...environment }))

describe('loadBotConfig', () => {
  it('fills every key but the strategies with a default', () => {
    expect(load(STRATEGIES).config).toEqual({
      bot: 'paper',
      venue: {
        type: 'simulated',
        seed: 7,
        speed: 60,
        market: 'generated',
        balances: new Map([['USDT', amountOf('10000')]]),
        historyKlines: 500,
        spreadTicks: 1,
        port: 0,
        dialect: expect.objectContaining({ name: 'document' }),
      },
      strategies: [
        { file: 'a.ts', symbol: 'BTC/USDT', interval: '1m', parameters: {}, size: { quote: 100 } },
      ],
      instruments: {},
      risk: {
        limits: { priceBandRate: rateOf('0.5'), maxOrders: { count: 300, perMs: 60_000 } },
      },
      control: {},
      comparison: { run: true, everyMs: 60_000, slippageRate: 0.0002, boundRate: 0.001 },
      metrics: { balances: false, tokenEnv: 'SLUICE_METRICS_TOKEN' },
      execution: {
        orderTimeoutMs: 10_000,
        pollOrdersMs: 1000,
        maxSlippageRate: rateOf('0.005'),
        maxPriceJumpRate: rateOf('0.05'),
        settlementMarginMs: 30_000,
        foreignOrders: 'leave',
        onStop: 'cancel',
        stopWithinMs: 60_000,
      },
      polling: {
        tickerMs: 1000,
        klineDelayMs: 500,
        balancesMs: 10_000,
        listingsMs: 60_000,
        weightPerMinute: 12_000,
        orderShare: 0.25,
        staleAfterMs: 30_000,
        mergeWaitMs: 5000,
      },
      log: { level: 'info' },
    })
  })

  it('has config/paper.yaml show the defaults as they are', () => {
    const { config } = loadBotConfig('config/paper.yaml', {})
    const journal = { file: 'data/paper.journal' }
    const { config: defaults } = load(`web: {}\njournal: { file: ${journal.file} }\n${STRATEGIES}`)
    expect({ ...config, strategies: [] }).toEqual({ ...defaults, strategies: [] })
    const bare = load(STRATEGIES).config
    expect([bare.journal, bare.web]).toEqual([undefined, undefined])
    expect(config.strategies).toHaveLength(1)
  })

  it('accepts the exchange venue that config/paper.yaml shows as a comment', () => {
    const commented = /# venue:\n(#.*\n)+/.exec(readFileSync('config/paper.yaml', 'utf8'))?.[0] ?? ''
    const { config } = load(commented.replaceAll(/^# ?/gm, '') + STRATEGIES, SET)
    expect(config.venue).toMatchObject({ type: 'exchange', recvWindowMs: 5000 })
  })

  it('takes a key without a value as absent', () => {
    expect(load(`log:\npolling:\n  tickerMs:\n${STRATEGIES}`)).toEqual(load(STRATEGIES))
  })

  it.each(['10000.123456789012345678', '"10000.123456789012345678"'])(
    'keeps the balance %s exactly',
    balance => {
      const { config } = load(`venue: { type: simulated, balances: { USDT: ${balance} } }\n${STRATEGIES}`)
      expect(config.venue).toMatchObject({
        balances: new Map([['USDT', amountOf('10000.123456789012345678')]]),
      })
    },
  )

  it('lists every problem with its place, what was expected and the nearest name', () => {
    const text = `bot: ""
venue:
  type: simulated
  sede: 8
  speed: fast
  port: 70000
  balances: { usdt: 1, BTC: -1, ETH: lots }
strategies:
  - file: a.ts
    symbol: btcusdt
    interval: 1min
    size: { quote: 0 }
execution: { maxSlippageRate: 1 }
polling: []
log: { level: inf }
banana: 1
`
    expect(problems(text)).toEqual([
      'bot.yaml:1:6: bot must be the name of the bot, but it is the text "".',
      'bot.yaml:4:3: The key "sede" is unknown. Did you mean "seed"?',
      'bot.yaml:5:10: venue.speed must be a number above 0, but it is the text "fast".',
      'bot.yaml:6:9: venue.port must be a whole number from 0 to 65535, but it is 70000.',
      'bot.yaml:7:15: The key "usdt" of venue.balances must be an asset in capitals, such as USDT.',
      'bot.yaml:7:29: venue.balances.BTC must be an amount of at least 0 with at most 18 decimals, but it is -1.',
      'bot.yaml:7:38: venue.balances.ETH must be an amount of at least 0 with at most 18 decimals, but it is the text "lots".',
      'bot.yaml:10:13: strategies[0].symbol must be a symbol such as BTC/USDT, or a contract such as E-BTC-USDT, in capitals, but it is the text "btcusdt".',
      'bot.yaml:11:15: strategies[0].interval must be one of 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w, 1M, but it is the text "1min". Did you mean "1m"?',
      'bot.yaml:12:20: strategies[0].size.quote must be a number above 0, but it is 0.',
      'bot.yaml:13:31: execution.maxSlippageRate must be a fraction from 0 to below 1 (0.001 is 0.1%), but it is 1.',
      'bot.yaml:14:10: polling must be a section with the keys tickerMs, klineDelayMs, balancesMs, listingsMs, weightPerMinute, orderShare, staleAfterMs, mergeWaitMs, but it is an empty list.',
      'bot.yaml:15:15: log.level must be one of fatal, error, warn, info, debug, trace, silent, but it is the text "inf". Did you mean "info"?',
      'bot.yaml:16:1: The key "banana" is unknown. Known: bot, venue, account, accounts, strategies, instruments, risk, control, web, notices, comparison, metrics, execution, polling, journal, log.',
    ])
  })

  it('refuses a key that was removed with a sentence that says so', () => {
    const text = `venue: { type: exchange, spotUrl: 'https://a.b', rehearses: true }
strategies: [{ file: a.ts, symbol: BTC/USDT, interval: 1m, size: { quote: 1 } }]
`
    expect(problems(text)).toEqual([
      'bot.yaml:1:50: The key "rehearses" was removed: a bot does not play a close through in advance any more. Delete it.',
    ])
  })

  it.each([
    ['', ['bot.yaml:1:1: The file is empty, so strategies is missing; expected a list of strategies.']],
    [
      '- 1\n',
      [
        'bot.yaml:1:1: The file must be a section with the keys bot, venue, account, accounts, strategies, instruments, risk, control, web, notices, comparison, metrics, execution, polling, journal, log, but it is a list.',
      ],
    ],
    [
      'strategies: []',
      ['bot.yaml:1:13: strategies must be a list of at least one strategy, but it is an empty list.'],
    ],
    [
      'strategies:\n  - { file: a.ts, symbol: A/B, interval: 1m, size: { equityFraction: 50 } }',
      [
        'bot.yaml:2:70: strategies[0].size.equityFraction must be at most 1 (0.5 is 50%) on a spot account, which cannot borrow, but it is 50.',
      ],
    ],
    [
      'strategies:\n  - { file: a.ts, symbol: A/B, interval: 1m, size: { riskFraction: 0.01, maxEquityFraction: 2 } }',
      [
        'bot.yaml:2:93: strategies[0].size.maxEquityFraction must be at most 1 (0.5 is 50%) on a spot account, which cannot borrow, but it is 2.',
      ],
    ],
    [
      'account: { type: margin, balances: { B: 100 } }\njournal: { file: a.journal }\nstrategies:\n  - { file: a.ts, symbol: A/B, interval: 1m, size: { equityFraction: 1.5 } }',
      [
        'bot.yaml:4:70: strategies[0].size.equityFraction must be at most 1 (0.5 is 50%) on a margin account, which cannot borrow, but it is 1.5.',
      ],
    ],
    [
      'strategies:\n  - { file: a.ts, symbol: A/B, interval: 1m }',
      [
        'bot.yaml:2:5: strategies[0].size is missing; expected a section with exactly one of quote, base, equityFraction or riskFraction, such as { equityFraction: 0.1 }.',
      ],
    ],
    [
      'strategies:\n  - { file: a.ts, symbol: A/B, interval: 1m, size: { quote: 10,000 } }',
      [
        'bot.yaml:2:52: A comma separates keys here: write numbers with a point and without thousands separators, such as 10000.5.',
      ],
    ],
    [
      'account: { balances: { USDT: 10,000 } }\nstrategies:\n  - { file: a.ts, symbol: A/B, interval: 1m, size: { quote: 1 }, parameters: { stop: 0,05 } }',
      [
        'bot.yaml:1:22: A comma separates keys here: write numbers with a point and without thousands separators, such as 10000.5.',
        'bot.yaml:3:78: A comma separates keys here: write numbers with a point and without thousands separators, such as 10000.5.',
      ],
    ],
    [
      'strategies:\n  - file: a.ts\n    symbol: A/B\n    interval: 1m\n    size:\n      quote: 0,05',
      [
        'bot.yaml:6:14: strategies[0].size.quote must be a number above 0, but it is the text "0,05". Write numbers with a point and without thousands separators, such as 10000.5.',
      ],
    ],
    [
      'strategies:\n  - { file: a.ts, symbol: A/B, interval: 1m, size: { quote: 1, base: 2 } }',
      [
        'bot.yaml:2:52: strategies[0].size has 2 of the keys quote, base, equityFraction or riskFraction, but must have exactly one.',
      ],
    ],
    [
      'strategies:\n  - { file: a.ts, symbol: A/B, interval: 1m, size: { quote: 1, maxEquityFraction: 0.5 } }',
      [
        'bot.yaml:2:52: strategies[0].size has the keys quote and maxEquityFraction, but maxEquityFraction only caps a riskFraction.',
      ],
    ],
    [
      'strategies:\n  - { file: a.ts, symbol: A/B, interval: 1m, size: { maxEquityFraction: 0.5 } }',
      [
        'bot.yaml:2:52: strategies[0].size has 0 of the keys quote, base, equityFraction or riskFraction, but must have exactly one.',
      ],
    ],
    [
      `${STRATEGIES}${STRATEGIES.split('\n')[1]}`,
      [
        'bot.yaml:3:5: strategies[1] runs a.ts on BTC/USDT 1m a second time with the same parameters; change or leave out one.',
      ],
    ],
    [
      `venue: {}\n${STRATEGIES}`,
      ['bot.yaml:1:8: venue.type is missing; expected simulated, paper or exchange.'],
    ],
    [
      `venue: { type: demo }\n${STRATEGIES}`,
      ['bot.yaml:1:16: venue.type must be simulated, paper or exchange, but it is the text "demo".'],
    ],
    [
      `venue: { type: simulated, market: file }\n${STRATEGIES}`,
      ['bot.yaml:1:8: venue.file must be given where market is file.'],
    ],
    [
      `venue: { type: simulated, file: a.csv }\n${STRATEGIES}`,
      ['bot.yaml:1:33: venue.file needs market: file beside it.'],
    ],
    [`bot: a\nbot: b\n${STRATEGIES}`, ['bot.yaml:2:1: The key "bot" is given twice; remove one.']],
  ])('says what is wrong with %j', (text, expected) => {
    expect(problems(text)).toEqual(expected)
  })

  it('places a YAML syntax error', () => {
    expect(problems('bot: "1\nlog: 2')).toEqual([
      'bot.yaml:2:7: This is not valid YAML: Missing closing "quote.',
    ])
  })

  it('names a file that does not exist', () => {
    expect(() => loadBotConfig('nowhere/bot.yaml', {})).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: 'The configuration file nowhere/bot.yaml does not exist; give the path of a YAML file.',
      }),
    )
  })
})

describe('secrets', () => {
  it('come from the environment and cannot be printed', () => {
    const environment: Record<string, string> = { ...SET, HOME: '/home' }
    const loaded = loadBotConfig(configFile(EXCHANGE + STRATEGIES), environment)
    expect(loaded.credentials?.redact('the-key the-secret')).toBe('[key] [secret]')
    expect(inspect(loaded, { depth: 9 }) + JSON.stringify(loaded.credentials)).not.toMatch(
      /the-key|the-secret/,
    )
    expect(environment).toEqual({ HOME: '/home' })
  })

  it('are taken out of the environment where a collector of metrics asks for headers, and cannot stay there without one', () => {
    const collector = "metrics: { otlp: { url: 'http://127.0.0.1:4318/v1/metrics' } }\n"
    const environment = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20planted' }
    const loaded = loadBotConfig(configFile(collector + STRATEGIES), environment)
    expect(loaded.otlpHeaders).toEqual({ authorization: 'Bearer planted' })
    expect(environment).toEqual({})
    const unused = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=planted' }
    expect(loadBotConfig(configFile(STRATEGIES), unused)).not.toHaveProperty('otlpHeaders')
    expect(unused).toEqual({})
  })

  it('are not asked for by the simulated venue', () => {
    expect(load(STRATEGIES)).not.toHaveProperty('credentials')
  })

  it('are missed at the line that names them, or at the venue', () => {
    expect(problems(`${EXCHANGE}  apiSecretEnv: MY_SECRET\n${STRATEGIES}`, { MY_SECRET: '' })).toEqual([
      'bot.yaml:2:3: The environment variable SLUICE_API_KEY, named by venue.apiKeyEnv, is not set; set it before the start.',
      'bot.yaml:4:17: The environment variable MY_SECRET, named by venue.apiSecretEnv, is not set; set it before the start.',
    ])
  })

  it.each(['apiSecret', 'apiKey', 'secret', 'password', 'api_key'])(
    'are refused under %s in the file',
    key => {
      expect(problems(`${EXCHANGE}  ${key}: deadbeef\n${STRATEGIES}`, SET)).toEqual([
        `bot.yaml:4:3: "${key}" does not belong here: secrets never go into a file; put them into the environment, and name the variables in apiKeyEnv and apiSecretEnv.`,
      ])
    },
  )

  it('are not printed when pasted where the name of their variable belongs', () => {
    expect(problems(`${EXCHANGE}  apiSecretEnv: c0ffeeDEADbeef\n${STRATEGIES}`, SET)).toEqual([
      'bot.yaml:4:17: venue.apiSecretEnv must be the name of an environment variable, in capitals, such as SLUICE_API_KEY, but it is something else.',
    ])
  })

  it('never travel over plain HTTP', () => {
    const text = EXCHANGE.replace('https', 'http') + STRATEGIES
    expect(problems(text, SET)).toEqual([
      expect.stringMatching(/^bot\.yaml:3:12: venue\.spotUrl cannot be used\. .*not HTTPS/),
    ])
  })
})
