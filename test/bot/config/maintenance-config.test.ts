import { describe, expect, it } from 'vitest'
import { loadBotConfig } from '../../../src/config/load-bot-config.ts'
import { maintenanceFor } from '../../../src/config/maintenance.ts'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { configFile, problemsOf } from './config-file.ts'

const TRADED = `strategies:
  - { file: a.ts, symbol: BTC/USDT, interval: 1m, size: { quote: 100 } }
  - { file: a.ts, symbol: E-ETH-USDT, interval: 1m, size: { quote: 100 } }
account: { type: futures }
`
const load = (text: string) => loadBotConfig(configFile(text), {}).config
const problems = (text: string) => problemsOf(text, path => loadBotConfig(path, {}))

describe('the maintenance of contracts in the configuration of a bot', () => {
  it('is one rate, or rates by worth, of a contract or of all that say nothing themselves', () => {
    const { instruments } = load(`${TRADED}instruments:
  default: { maintenanceMarginRate: "0.01" }
  E-ETH-USDT: { maintenanceTiers: [ { upTo: 50000, rate: "0.005" }, { rate: "0.02" } ] }
`)
    expect(maintenanceFor('BTC/USDT', instruments)).toEqual([{ rate: rateOf('0.01') }])
    expect(maintenanceFor('E-ETH-USDT', instruments)).toEqual([
      { upTo: amountOf('50000'), rate: rateOf('0.005') },
      { rate: rateOf('0.02') },
    ])
    expect(maintenanceFor('BTC/USDT', load(TRADED).instruments)).toEqual([])
  })

  it.each([
    [
      'BTC/USDT: { maintenanceMarginRate: "0.01", maintenanceTiers: [ { rate: "0.01" } ] }',
      'instruments.BTC/USDT cannot be used. It has a maintenanceMarginRate and maintenanceTiers; leave one of the two out.',
    ],
    [
      'default: { maintenanceTiers: [ { upTo: 5, rate: "0.01" } ] }',
      'instruments.default cannot be used. The last of its maintenanceTiers must be without upTo, so that it holds for any worth.',
    ],
    [
      'default: { maintenanceTiers: [ { upTo: 5, rate: "0.01" }, { upTo: 5, rate: "0.02" }, { rate: "0.03" } ] }',
      'instruments.default cannot be used. Its maintenanceTiers do not ascend by upTo; only the last may leave it out.',
    ],
    [
      'E-BTC-USDT: { maintenanceMarginRate: "0.01" }',
      'instruments.E-BTC-USDT is of no instrument that a strategy trades. Did you mean "E-ETH-USDT"?',
    ],
  ])('is refused where it cannot be: %s', (text, problem) => {
    expect(problems(`${TRADED}instruments:\n  ${text}\n`)).toEqual([expect.stringContaining(problem)])
  })
})
