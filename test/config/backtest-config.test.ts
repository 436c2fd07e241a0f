import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS, type FillSettings } from '../../backtest/models/fill-settings.ts'
import { backtestSettings } from '../../src/cli/backtest/input/backtest-settings.ts'
import { instrumentFrom } from '../../src/config/instrument-from.ts'
import { DEFAULT_VERDICT } from '../../src/config/verdict-field.ts'
import { readYamlFile } from '../../src/config/yaml-file.ts'
import { amountOf, rateOf } from '../../src/domain/numbers/amount.ts'
import { configFile, problemsOf } from '../bot/config/config-file.ts'

const configIn = (path: string) => backtestSettings({ config: path }).config
const load = (text: string) => configIn(configFile(text))
const problems = (text: string) => problemsOf(text, configIn)

/** The shortest configuration: an empty one is refused. */
const LEAST = 'account: { type: spot }'

describe('backtestSettings', () => {
  it('needs no more than an account', () => {
    expect(load(LEAST)).toEqual({
      account: { type: 'spot', balance: new Map([['USDT', amountOf('10000')]]), maxLeverage: 1 },
      instruments: {},
      riskFreeRate: 0,
      size: { equityFraction: 0.95 },
      fills: {
        path: 'pessimistic',
        slippageRate: 0.0002,
        slippageTicks: 0,
        volumeImpact: 0,
        spreadRate: 0,
        spreadTicks: 0,
        latencyMs: 0,
        limitFill: 'through',
        gappedLimit: 'atLimit',
        entryKlineProtection: 'all',
        stopLossFirst: 'unlessOpenPassedTakeProfit',
        stopLimit: 'gapAware',
        queue: 'shown',
        sizingReference: 'decision',
        closeAtEnd: 'no',
      },
    })
  })

  it('has config/backtest.yaml show the defaults as they are', () => {
    const shown = configIn('config/backtest.yaml')
    const { value } = readYamlFile('config/backtest.yaml')
    const written = value as { fills: object; validate: object } // as it stands there
    expect(Object.keys(written.fills).sort()).toEqual(Object.keys(shown.fills).sort())
    expect(written.validate).toEqual(DEFAULT_VERDICT)
    expect({ ...shown, instruments: {} }).toEqual(load(LEAST))
    expect(instrumentFrom(shown, 'BTC/USDT')).toEqual(instrumentFrom(load(LEAST), 'BTC/USDT'))
  })

  it('starts from the defaults of the fill model, and says all that it can be told', () => {
    const settings: FillSettings = load(LEAST).fills
    expect(settings).toMatchObject(DEFAULT_FILL_SETTINGS)
  })

  it('reads a rate of any spelling exactly', () => {
    const rates = ['0.0002', '"0.0002"', '2e-4', '"0.000200"'].map(
      text => load(`fills: { slippageRate: ${text} }`).fills.slippageRate,
    )
    expect(rates).toEqual(Array(4).fill(0.0002))
  })

  it('knows a spot and a futures account side by side', () => {
    const config = load(`accounts:
  spot: { balance: { USDT: 10000 } }
  futures: { balance: { USDT: 5000 }, leverage: 2 }
instruments:
  E-BTC-USDT: { contractSize: "0.001", quantityPrecision: 0 }
`)
    expect(config.accounts?.futures.balance).toEqual(new Map([['USDT', amountOf('5000')]]))
    expect(instrumentFrom(config, 'BTC/USDT')).toMatchObject({ accountType: 'spot', base: 'BTC' })
    expect(instrumentFrom(config, 'E-BTC-USDT')).toMatchObject({
      ...{ symbol: 'E-BTC-USDT', base: 'BTC', quote: 'USDT', accountType: 'futures' },
      ...{
        contractSize: amountOf('0.001'),
        futures: { leverage: 2, marginMode: 'cross', positionMode: 'oneWay' },
      },
    })
  })

  it('trades a contract by its name on a futures account only', () => {
    const rules = 'instruments: { E-BTC-USDT: { contractSize: "1" } }'
    expect(instrumentFrom(load(`account: { type: futures }\n${rules}`), 'E-BTC-USDT').base).toBe('BTC')
    expect(() => instrumentFrom(load(LEAST), 'E-BTC-USDT')).toThrow(
      'E-BTC-USDT is a contract, but this is a spot account; use type: futures.',
    )
  })

  const both = 'accounts: { spot: { balance: { USDT: 1 } }, futures: { balance: { USDT: 1 } } }'
  let fast = 1
  /** An entry of `strategies` that no other is the same as. */
  const entry = (symbol: string, more = '') =>
    `  - { file: a.ts, symbol: ${symbol}, interval: 1h, parameters: { fast: ${fast++} }${more} }\n`

  it('refuses a contract that two strategies would trade, as a bot does', () => {
    const taken =
      'which another strategy trades; the exchange keeps one position of a contract, so that only one strategy can hold it.'
    const list = (account: string, ...entries: readonly string[]) =>
      load(`${account}\nstrategies:\n${entries.join('')}`)
    const futures = 'account: { type: futures }'
    const twice = () => list(futures, entry('E-BTC-USDT'), entry('E-ETH-USDT'), entry('E-BTC-USDT'))
    expect(twice).toThrow(`bot.yaml:5:27: strategies[2].symbol is E-BTC-USDT, ${taken}`)
    // On a futures account, a pair is its perpetual contract.
    expect(() => list(futures, entry('BTC/USDT'), entry('E-BTC-USDT'))).toThrow(taken)
    const hedge = (symbol: string) => entry(symbol, ', markets: { hedge: E-BTC-USDT }')
    expect(() => list(futures, entry('E-BTC-USDT'), hedge('E-ETH-USDT'))).toThrow(
      `strategies[1].markets.hedge is E-BTC-USDT, ${taken}`,
    )
    expect(() => list(both, hedge('BTC/USDT'), hedge('ETH/USDT'))).toThrow(taken)
  })

  it('lets several strategies trade a pair, and one strategy a contract beside it', () => {
    for (const [account, symbols] of [
      ['account: { type: spot }', ['BTC/USDT', 'BTC/USDT']],
      ['account: { type: margin }', ['BTC/USDT', 'BTC/USDT']],
      ['account: { type: futures }', ['E-BTC-USDT', 'E-ETH-USDT']],
      [both, ['BTC/USDT', 'E-BTC-USDT', 'BTC/USDT']],
    ] as const) {
      const { strategies } = load(`${account}\nstrategies:\n${symbols.map(one => entry(one)).join('')}`)
      expect(strategies?.map(({ symbol }) => symbol)).toEqual(symbols)
    }
  })

  it.each([
    [
      'accounts: { spot: { balance: { USDT: 1 } }, futures: { balance: { USDT: 1 } } }\naccount: { type: spot }',
      'bot.yaml:1:11: accounts contradicts account: that is for a run on one account; leave one of the two out.',
    ],
    [
      'accounts: { spot: { balance: { USDT: 1 } } }',
      'bot.yaml:1:11: accounts.futures is missing; expected a section with the keys balance, leverage, marginMode, positionMode.',
    ],
    [
      'account: { maxLeverage: 3 }',
      'bot.yaml:1:25: account.maxLeverage is 3, but a spot account cannot borrow: leave it at 1, or use type: margin.',
    ],
    [
      'account: { type: margin, maxLeverage: 0.5 }',
      'bot.yaml:1:39: account.maxLeverage must be a number of at least 1, but it is 0.5.',
    ],
    [
      'account: { type: margin, borrows: false, maxLeverage: 2 }',
      'bot.yaml:1:55: account.maxLeverage is 2, but nothing is borrowed: leave it at 1, or set borrows: true.',
    ],
    [
      'account: { borrows: false }',
      'bot.yaml:1:21: account.borrows is for margin accounts: leave it out, or use type: margin.',
    ],
    [
      'instruments: { btc: {} }',
      'bot.yaml:1:16: The key "btc" of instruments must be default, or a symbol such as BTC/USDT or a contract such as E-BTC-USDT, in capitals.',
    ],
    [
      'slippageRate: 0.001',
      'bot.yaml:1:1: The key "slippageRate" is unknown here; it belongs in fills: fills.slippageRate.',
    ],
    [
      'instruments: { default: { tickSize: 1 } }',
      'bot.yaml:1:27: The key "tickSize" is unknown. Known: pricePrecision, quantityPrecision, minQuantity, maxQuantity, minNotional, makerFeeRate, takerFeeRate, feesPaidIn, contractSize, maxLeverage, maintenanceMarginRate, maintenanceTiers, fundingRate, fundingHours, fundingFile, fundingVenue, markFile.',
    ],
    [
      'instruments: { BTC/USDT: { quantityPrecision: 2, minQuantity: 0.001 } }',
      'bot.yaml:1:26: instruments.BTC/USDT cannot be used. The quantity 0.001 is off the grid: at most 2 decimals are allowed.',
    ],
    [
      'instruments: { default: { pricePrecision: 10, quantityPrecision: 9 } }',
      'bot.yaml:1:25: instruments.default cannot be used. A pricePrecision of 10 and a quantityPrecision of 9 add up to more than the 18 decimals of an amount.',
    ],
    [
      'instruments: { default: { minQuantity: 2, maxQuantity: 1 } }',
      'bot.yaml:1:25: instruments.default cannot be used. Its minQuantity is above its maxQuantity.',
    ],
    [
      'fills: { closeAtEnd: false }',
      'bot.yaml:1:22: fills.closeAtEnd must be one of no, lastClose, lastOpen, but it is false.',
    ],
    [
      'fills: { slippageRate: "0.0000000000000000001" }',
      'bot.yaml:1:24: fills.slippageRate must be a fraction from 0 to below 1 (0.001 is 0.1%), but it is the text "0.0000000000000000001".',
    ],
  ])('refuses %s', (text, problem) => {
    expect(problems(text)).toEqual([problem])
  })
})

describe('instrumentFrom', () => {
  it('lays the rules of a symbol over the default ones, key by key', () => {
    const config = load(`
instruments:
  default: { pricePrecision: 3, takerFeeRate: 0.002, minNotional: 5 }
  ETH/USDT: { pricePrecision: 1, quantityPrecision: 4, maxQuantity: 100 }
`)
    expect(instrumentFrom(config, 'ETH/USDT')).toEqual({
      symbol: 'ETH/USDT',
      base: 'ETH',
      quote: 'USDT',
      pricePrecision: 1,
      quantityPrecision: 4,
      minPrice: 1,
      minQuantity: 1,
      maxQuantity: 1_000_000,
      minNotional: amountOf('5'),
      leverage: { min: 1, max: 1 },
      accountType: 'spot',
      fees: { maker: rateOf('0.001'), taker: rateOf('0.002'), paidIn: 'received' },
    })
    expect(instrumentFrom(config, 'BTC/USDT')).toMatchObject({ pricePrecision: 3, quantityPrecision: 5 })
  })

  it('lets a margin account borrow and pay its fees in quote', () => {
    const config = load('account: { type: margin, maxLeverage: 2.5 }')
    expect(instrumentFrom(config, 'BTC/USDT')).toMatchObject({
      accountType: 'margin',
      leverage: { min: 1, max: 2.5 },
      fees: { paidIn: 'quote' },
    })
  })

  it('makes of a margin account that borrows nothing what a live one is', () => {
    const config = load('account: { type: margin, borrows: false }')
    expect(instrumentFrom(config, 'BTC/USDT')).toMatchObject({
      accountType: 'margin',
      leverage: { min: 1, max: 1 },
      ownFundsOnly: true,
      limitKinds: ['ioc'],
      fees: { paidIn: 'received' },
    })
  })

  it('makes contracts of what a futures account trades', () => {
    const config = load(`
account: { type: futures, leverage: 20, marginMode: isolated, positionMode: twoWay }
instruments:
  default: { pricePrecision: 1, takerFeeRate: 0.00075, maintenanceMarginRate: 0.01, fundingRate: -0.0001, fundingHours: 4 }
  BTC/USDT: { contractSize: "0.0001", minQuantity: 2, maxLeverage: 50 }
  ETH/USDT: { contractSize: "0.01" }
`)
    expect(instrumentFrom(config, 'BTC/USDT')).toEqual({
      symbol: 'BTC/USDT',
      base: 'BTC',
      quote: 'USDT',
      pricePrecision: 1,
      quantityPrecision: 0,
      minPrice: 1,
      minQuantity: 2,
      maxQuantity: Number.MAX_SAFE_INTEGER,
      minNotional: amountOf('10'),
      leverage: { min: 1, max: 50 },
      accountType: 'futures',
      contractSize: amountOf('0.0001'),
      futures: {
        leverage: 20,
        marginMode: 'isolated',
        positionMode: 'twoWay',
        maintenance: [{ rate: rateOf('0.01') }],
      },
      fees: { maker: rateOf('0.001'), taker: rateOf('0.00075'), paidIn: 'quote' },
    })
    expect(instrumentFrom(config, 'ETH/USDT').contractSize).toBe(amountOf('0.01'))
    expect(config.instruments.default?.fundingRate).toBe(rateOf('-0.0001'))
    expect(() => instrumentFrom(config, 'SOL/USDT')).toThrow('A contract needs a contractSize above 0')
  })

  const futures = 'account: { type: futures }\ninstruments: { BTC/USDT: { contractSize: 0.01, '
  it.each([
    [
      'account: { leverage: 3 }',
      'account.leverage is for futures accounts: leave it out, or use type: futures.',
    ],
    ['account: { type: margin, positionMode: oneWay }', 'account.positionMode is for futures accounts'],
    ['account: { type: futures, maxLeverage: 3 }', 'account.maxLeverage is for margin accounts'],
    ['account: { type: futures, marginMod: cross }', 'Did you mean "marginMode"?'],
    ['account: { type: futures, leverage: 2.5 }', 'a whole number from 1 to 1000'],
    [
      'instruments: { default: { contractSize: 1 } }',
      'Its contractSize is for futures accounts, but this is a spot account',
    ],
    [
      `${futures}quantityPrecision: 3 } }`,
      'Its quantityPrecision is 3, but quantities of a futures account are whole contracts',
    ],
    [
      `${futures}feesPaidIn: received } }`,
      'Its feesPaidIn is received, but fees of contracts are paid in quote',
    ],
    [`${futures}fundingRate: 0.1 } }`, 'a fraction from -0.015 to 0.015'],
    [`${futures}fundingHours: 3 } }`, '1, 2, 4 or 8'],
    [`${futures}fundingHours: 4 } }`, 'Its fundingHours is for a fundingRate'],
    [
      `${futures}fundingRate: 0, fundingFile: a.csv } }`,
      'It has fundingRate and fundingFile; leave all but one out.',
    ],
    [`${futures}maintenanceTiers: [ { rate: 0.1 }, { upTo: 5, rate: 0.2 } ] } }`, 'do not ascend by upTo'],
    [`${futures}maintenanceTiers: [ { upTo: 5, rate: 0.2 } ] } }`, 'must be without upTo'],
    [
      `${futures}maintenanceMarginRate: 0.1, maintenanceTiers: [ { rate: 0.2 } ] } }`,
      'leave one of the two out',
    ],
    [`${futures}pricePrecision: 17 } }`, 'more than the 18 decimals of an amount'],
    [
      'account: { type: futures, leverage: 60 }\ninstruments: { default: { maxLeverage: 50 } }',
      "The account's leverage of 60 is above the contract's maxLeverage of 50.",
    ],
  ])('refuses %s', (text, sentence) => {
    expect(problems(text).join('\n')).toContain(sentence)
  })

  it.each(['BTCUSDT', 'BTC/', '/USDT', 'A/B/C'])('refuses the symbol %s', symbol => {
    expect(() => instrumentFrom(load(LEAST), symbol)).toThrow(`"${symbol}" is not a symbol; write BASE/QUOTE`)
  })
})
