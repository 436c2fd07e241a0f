import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { requireKind } from '../../src/config/config-kind.ts'
import { readYamlFile } from '../../src/config/yaml-file.ts'

const BACKTESTS = ['config/backtest.yaml', ...examples(name => name.endsWith('-backtest.yaml'))]
const BOTS = [
  'config/paper.yaml',
  'config/paper-futures.yaml',
  'config/paper-margin.yaml',
  'config/paper-live.yaml',
]

function examples(isMeant: (name: string) => boolean): string[] {
  return readdirSync('config/examples')
    .filter(isMeant)
    .map(name => `config/examples/${name}`)
}

const check = (path: string, kind: 'backtest' | 'bot' | 'exchange') => () =>
  requireKind(path, readYamlFile(path).value, kind)

describe('a configuration', () => {
  it('of a backtest is refused by a bot, with the command to type', () => {
    for (const path of BACKTESTS) {
      // Of these, only the plain one leaves strategy and market to the command line.
      const given = /^strategies:/m.test(readFileSync(path, 'utf8'))
        ? ''
        : 'strategies/NAME.ts --symbol BTC/USDT --interval 1h '
      expect(check(path, 'backtest')).not.toThrow()
      expect(check(path, 'bot'), path).toThrow(
        `not a bot; to use it, type:\n  npm run backtest -- ${given}--config ${path}`,
      )
    }
    expect(check('config/backtest.yaml', 'bot')).toThrow('npm run backtest -- strategies/NAME.ts')
  })

  it('of a bot is refused by a backtest, with the command to type', () => {
    for (const path of BOTS) {
      expect(check(path, 'bot')).not.toThrow()
      expect(check(path, 'backtest'), path).toThrow(
        `${path} configures a bot (it has the key "bot"), not a backtest; to use it, type:\n  npm start -- --config ${path}`,
      )
    }
  })

  it('of a simulated exchange is refused by both', () => {
    const sentence = `npm run exchange -- --config config/exchange.yaml`
    expect(check('config/exchange.yaml', 'exchange')).not.toThrow()
    expect(check('config/exchange.yaml', 'bot')).toThrow(sentence)
    expect(check('config/exchange.yaml', 'backtest')).toThrow(sentence)
    expect(check('config/paper.yaml', 'exchange')).toThrow('npm start -- --config config/paper.yaml')
  })

  it('of a backtest is known by where its klines are, and by its balance', () => {
    const strategies = [{ file: 'a.ts', symbol: 'BTC/USDT', interval: '1h', venue: 'binance' }]
    expect(() => requireKind('a.yaml', { strategies }, 'bot')).toThrow('has the key "venue"')
    expect(() => requireKind('a.yaml', { account: { balance: { USDT: 1 } } }, 'bot')).toThrow(
      '"account.balance"',
    )
  })

  it('that has keys of two kinds, or of none, is left to the sentences about its keys', () => {
    for (const value of [
      { bot: 'a', size: { base: 1 } },
      { strategies: [{ file: 'a.ts' }] },
      {},
      'text',
      null,
    ]) {
      expect(() => requireKind('a.yaml', value, 'bot')).not.toThrow()
      expect(() => requireKind('a.yaml', value, 'backtest')).not.toThrow()
    }
  })
})
