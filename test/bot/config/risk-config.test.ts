import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { backtestConfigSchema } from '../../../src/config/backtest-config.ts'
import { loadBotConfig } from '../../../src/config/load-bot-config.ts'
import { parseConfig } from '../../../src/config/parse-config.ts'
import { readYamlFile } from '../../../src/config/yaml-file.ts'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { configFile, problemsOf } from './config-file.ts'

const STRATEGY = 'strategies:\n  - { file: a.ts, symbol: BTC/USDT, interval: 1m, size: { quote: 100 }'
const STRATEGIES = `${STRATEGY} }\n`
const load = (text: string) => loadBotConfig(configFile(text), {}).config
const problems = (text: string) => problemsOf(`${STRATEGIES}${text}`, path => loadBotConfig(path, {}))

/** The text of a configuration of the project, with the commented lines of its risk rules as they would be without the mark. */
function uncommented(file: string): string {
  const lines = readFileSync(file, 'utf8').split('\n')
  const isExample = (line: string) => /^ *# +(- |[a-zA-Z]+: ?[^ ]*($|.*[}"0-9]$))/.test(line)
  const from = lines.findIndex(line => /^(# )?risk:/.test(line))
  const until = lines.findIndex((line, index) => index > from && line === '')
  return lines
    .slice(from, until)
    .filter(line => !line.trim().startsWith('#') || isExample(line))
    .map(line => line.replace(/^( *)# /, '$1').replace(/^(# )/, ''))
    .join('\n')
}

describe('risk rules of a bot', () => {
  it('are by default a wide price band and a generous number of orders', () => {
    expect(load(STRATEGIES).risk).toEqual({
      limits: { priceBandRate: rateOf('0.5'), maxOrders: { count: 300, perMs: 60_000 } },
    })
  })

  it('are exact, of the account and of each strategy', () => {
    const text = `${STRATEGY}, risk: { limits: { maxNotional: 50.01, maxPosition: { base: "0.1" } }, protections: { drawdown: { rate: 0.2 } } } }
risk:
  limits: { maxNotional: 100, maxExposure: 1000, selfCrossingRate: "0.005", maxWorkingOrders: 7 }
  protections:
    dailyLoss: { rate: 0.03, mode: halted }
    lossesInARow: { count: 3 }
    staleData: {}
    spread: { maxRate: 0.002 }
`
    const { risk, strategies } = load(text)
    expect(strategies[0]?.risk).toEqual({
      limits: { maxNotional: amountOf('50.01'), maxPosition: { base: amountOf('0.1') } },
      protections: { drawdown: { rate: rateOf('0.2'), mode: 'reducing' } },
    })
    expect(risk).toEqual({
      limits: {
        priceBandRate: rateOf('0.5'),
        maxOrders: { count: 300, perMs: 60_000 },
        maxNotional: amountOf('100'),
        maxExposure: amountOf('1000'),
        selfCrossingRate: rateOf('0.005'),
        maxWorkingOrders: 7,
      },
      protections: {
        dailyLoss: { rate: rateOf('0.03'), mode: 'halted' },
        lossesInARow: { count: 3, pauseMs: 3_600_000, mode: 'reducing' },
        staleData: { gapPauseMs: 0, mode: 'reducing' },
        spread: { maxRate: 0.002, mode: 'reducing' },
      },
    })
  })

  it('are refused with their place and the nearest name', () => {
    const text = `risk:
  limits: { maxNotonal: 5, maxPosition: { quote: 5, base: 5 }, maxExposure: 0 }
  protections:
    dailyLoss: { rate: 0 }
    drawdown: { rate: 1.5, mode: halt }
    cooldownAfterStop: {}
`
    expect(problems(text)).toEqual([
      'bot.yaml:4:13: The key "maxNotonal" is unknown. Did you mean "maxNotional"?',
      'bot.yaml:4:41: risk.limits.maxPosition must have exactly one of the keys quote and base.',
      'bot.yaml:4:77: risk.limits.maxExposure must be an amount above 0, but it is 0.',
      'bot.yaml:6:24: risk.protections.dailyLoss.rate must be a fraction above 0 and below 1 (0.03 is 3%), but it is 0.',
      'bot.yaml:7:23: risk.protections.drawdown.rate must be a fraction from 0 to below 1 (0.001 is 0.1%), but it is 1.5.',
      'bot.yaml:7:34: risk.protections.drawdown.mode must be one of reducing, halted, but it is the text "halt". Did you mean "halted"?',
      'bot.yaml:8:24: risk.protections.cooldownAfterStop.pauseMs is missing; expected a whole number of at least 1.',
    ])
  })

  it('are refused where one makes another pointless', () => {
    expect(
      problems('risk: { limits: { maxNotional: 6, maxPosition: { quote: 5 }, maxExposure: 4 } }\n'),
    ).toEqual([
      'bot.yaml:3:32: risk.limits.maxNotional is above maxPosition: no order could ever be so large.',
      'bot.yaml:3:48: risk.limits.maxPosition is above maxExposure: no position could ever be so large.',
    ])
    const own = `${STRATEGY}, risk: { limits: { maxNotional: 101, priceBandRate: 0.6 } } }\nrisk: { limits: { maxNotional: 100 } }\n`
    const told = problemsOf(own, path => loadBotConfig(path, {}))
    expect(told.map(line => line.replace(/^\S+ /, ''))).toEqual([
      'strategies[0].risk.limits.maxNotional is above risk.limits.maxNotional, which holds for every strategy; the narrower one decides.',
      'strategies[0].risk.limits.priceBandRate is above risk.limits.priceBandRate, which holds for every strategy; the narrower one decides.',
    ])
  })
})

it('risk rules of a backtest are by default none', () => {
  expect(parseConfig(readYamlFile('config/backtest.yaml'), backtestConfigSchema).risk).toBeUndefined()
})

it.each(['config/paper.yaml', 'config/backtest.yaml'])(
  'the commented examples of risk rules in %s can be used',
  file => {
    const text = uncommented(file)
    for (const key of [
      'maxNotional',
      'maxPosition',
      'maxExposure',
      'maxWorkingOrders',
      'selfCrossingRate',
      'dailyLoss',
      'drawdown',
      'lossesInARow',
      'cooldownAfterStop',
    ])
      expect(text).toContain(key)
    const { risk } = load(`${STRATEGIES}${text}\n`)
    expect(Object.keys(risk.limits)).toHaveLength(7)
    expect(Object.keys(risk.protections ?? {}).length).toBeGreaterThanOrEqual(4)
  },
)
