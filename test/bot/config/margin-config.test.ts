import { describe, expect, it } from 'vitest'
import { accountsOf } from '../../../src/config/account-fields.ts'
import { configuredMarkets } from '../../../src/config/configured-market.ts'
import { loadBotConfig } from '../../../src/config/load-bot-config.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { configFile, problemsOf } from './config-file.ts'

const strategiesOn = (...symbols: readonly string[]) =>
  `strategies: [${symbols.map(symbol => `{ file: a.ts, symbol: ${symbol}, interval: 1m, size: { quote: 100 } }`).join()}]\n`
const load = (text: string) => loadBotConfig(configFile(text), {}).config
const problems = (text: string) => problemsOf(text, path => loadBotConfig(path, {}))

describe('a margin account in the configuration of a bot', () => {
  it('declares what is free in it, exactly', () => {
    const config = load(
      `${strategiesOn('BTC/USDT')}account: { type: margin, balances: { USDT: '1000', BTC: 0.123456789012345678 } }\n`,
    )
    expect(accountsOf(config)).toEqual({
      margin: {
        balances: new Map([
          ['USDT', amountOf('1000')],
          ['BTC', amountOf('0.123456789012345678')],
        ]),
        foreignTrades: 'halt',
      },
    })
    expect(configuredMarkets(accountsOf(config))('BTC/USDT')).toEqual({
      market: 'spot',
      account: 'margin',
      name: 'BTC/USDT',
    })
  })

  it('is one of several, with pairs and contracts routed to their accounts', () => {
    const config = load(
      `${strategiesOn('BTC/USDT', 'ETH/USDT', 'E-BTC-USDT')}accounts:
  spot: {}
  margin: { balances: { USDT: 1 }, symbols: [ETH/USDT], foreignTrades: adopt }
  futures: {}
`,
    )
    const marketOf = configuredMarkets(accountsOf(config))
    expect(accountsOf(config).margin?.foreignTrades).toBe('adopt')
    expect(
      ['BTC/USDT', 'ETH/USDT', 'E-BTC-USDT'].map(symbol => `${marketOf(symbol).account} ${symbol}`),
    ).toEqual(['spot BTC/USDT', 'margin ETH/USDT', 'futures E-BTC-USDT'])
  })

  it('trades a pair beside the spot account where the symbol says so', () => {
    const config = load(
      `${strategiesOn('BTC/USDT', 'BTC/USDT@margin')}accounts: { spot: {}, margin: { balances: { USDT: 1 } } }\n`,
    )
    const marketOf = configuredMarkets(accountsOf(config))
    expect(['BTC/USDT', 'BTC/USDT@margin'].map(marketOf)).toEqual([
      { market: 'spot', account: 'spot', name: 'BTC/USDT' },
      { market: 'spot', account: 'margin', name: 'BTC/USDT' },
    ])
  })

  it.each([
    ['', 'but there is no margin account; use accounts with spot and margin, or write BTC/USDT.'],
    [
      'account: { type: margin, balances: { USDT: 1 } }',
      'but every pair of this bot is traded on margin; write BTC/USDT.',
    ],
    [
      'accounts: { spot: {}, margin: { balances: { USDT: 1 }, symbols: [BTC/USDT] } }',
      'but BTC/USDT is in accounts.margin.symbols and so on margin already; write BTC/USDT, or take it out there to trade it on both accounts.',
    ],
  ])('gives a pair no second name: %s', (text, problem) => {
    expect(problems(`${strategiesOn('BTC/USDT', 'BTC/USDT@margin')}${text}\n`)).toEqual([
      expect.stringContaining(`strategies[1].symbol is BTC/USDT@margin, ${problem}`),
    ])
  })

  it('trades every pair where no spot account is beside it', () => {
    const config = load(
      `${strategiesOn('BTC/USDT', 'E-BTC-USDT')}accounts: { margin: { balances: { USDT: 1 } }, futures: {} }\n`,
    )
    const marketOf = configuredMarkets(accountsOf(config))
    expect([marketOf('BTC/USDT').account, marketOf('E-BTC-USDT').account]).toEqual(['margin', 'futures'])
  })

  it.each([
    [
      'account: { type: margin }',
      'bot.yaml:2:10: account.balances is missing: the exchange tells nobody what a margin account holds and owes, so say what is free in it, such as balances: { USDT: 1000 }. Only that is traded with; nothing is borrowed.',
    ],
    [
      'account: { type: margin, balances: {} }',
      'bot.yaml:2:36: account.balances names no asset; say what is free, such as USDT: 1000.',
    ],
    [
      'account: { type: spot, balances: { USDT: 1 } }',
      'bot.yaml:2:34: account.balances is for margin accounts: leave it out, or use type: margin.',
    ],
    [
      'account: { type: margin, balances: { USDT: 1 }, leverage: 3 }',
      'bot.yaml:2:59: account.leverage is for futures accounts: leave it out, or use type: futures.',
    ],
    [
      'accounts: { spot: {}, margin: { balances: { USDT: 1 } } }',
      'bot.yaml:2:31: accounts.margin.symbols is missing: with a spot account beside it, say which pairs are traded on margin, such as symbols: [ETH/USDT], or name one as ETH/USDT@margin where it is traded on both.',
    ],
    [
      'accounts: { margin: { balances: { USDT: 1 }, symbols: [BTC/USDT] } }',
      'bot.yaml:2:55: accounts.margin.symbols is for a margin account with a spot account beside it: leave it out, and every pair is traded on margin.',
    ],
    [
      'accounts: { spot: {}, margin: { balances: { USDT: 1 }, symbols: [BTC/USDT, ETH/USDT] } }',
      'bot.yaml:2:76: accounts.margin.symbols[1] is ETH/USDT, which no strategy trades; leave it out.',
    ],
    [
      'account: { type: margin, balances: { USDT: 1 } }\nvenue: { type: exchange, spotUrl: https://api.example.com }',
      'bot.yaml:1:1: journal is missing: the exchange tells nobody what a margin account holds, so that only a journal knows it after the first start; give journal: { file: data/NAME.journal }.',
    ],
  ])('is refused where it cannot work: %s', (text, problem) => {
    expect(problems(`${strategiesOn('BTC/USDT')}${text}\n`)).toEqual([problem])
  })
})
