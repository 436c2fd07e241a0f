import { GENERATED_VENUE } from '../klines/generated-klines.ts'

/** Schemas with the user's strategies, relative to the folder of configurations. */
const OWN_SCHEMAS = 'schema/own'

/** Schemas with the user's strategies, relative to the folder of configurations. */
export interface NewFile {
  /** Relative to the project folder. */
  readonly path: string
  readonly text: string
}

export const FIRST_MARKET = { symbol: 'BTC/USDT', interval: '1h' } as const

interface NewTexts {
  readonly strategy: string
  readonly test: string
  /** Default: configuration of a backtest with the keys below. */
  readonly config?: string
  /** The account of its backtest, in YAML. */
  readonly account?: string | undefined
  /** Instruments of its roles, in YAML. */
  readonly markets?: string | undefined
  /** Its parameters, in YAML. */
  readonly parameters?: string
}

/** A first strategy with its test and the configuration of its backtest. */
export function newStrategyFiles(name: string): readonly NewFile[] {
  const parameters = '{ fast: 10, slow: 40, stop: 0.03 }'
  return newFilesOf(name, { strategy: strategyText(name), test: testText(name), parameters })
}

/** Strategy, test and configuration with their paths. */
export function newFilesOf(name: string, texts: NewTexts): readonly NewFile[] {
  return [
    { path: `strategies/${name}.ts`, text: texts.strategy },
    { path: `test/strategies/${name}.test.ts`, text: texts.test },
    { path: `config/${name}.yaml`, text: texts.config ?? configText(name, texts) },
  ]
}

function strategyText(name: string): string {
  return `import {
  crossesAbove,
  crossesBelow,
  defineStrategy,
  enterLong,
  exit,
  integer,
  number,
  sma,
} from '../src/strategy/index.ts'

/** A first version: follows the trend, with a stop-loss. Change it as you like. */
export default defineStrategy({
  name: '${name}',
  description: 'Buys when the fast average crosses above the slow one, sells when it crosses back.',
  // Set with --param fast=20, or in config/${name}.yaml.
  parameters: {
    fast: integer({ default: 10, min: 1, max: 500, description: 'Klines in the fast average.' }),
    slow: integer({ default: 40, min: 2, max: 500, description: 'Klines in the slow average.' }),
    stop: number({ default: 0.03, min: 0.001, max: 0.5, description: 'Loss to leave at; 0.03 is 3%.' }),
  },
  // Updated at every closed kline; the first decision waits for the longest warm-up.
  indicators: ({ fast, slow }) => ({ fast: sma(fast), slow: sma(slow) }),
  // Called at every closed kline. Its signals trade from the open of the next one on.
  onKline(_kline, { indicators: { fast, slow }, parameters: { stop }, position }) {
    if (position.direction === 'flat' && crossesAbove(fast, slow)) {
      return enterLong({ stopLoss: { fraction: stop } })
    }
    if (position.direction === 'long' && crossesBelow(fast, slow)) return exit()
  },
})
`
}

function testText(name: string): string {
  return `import { expect, it } from 'vitest'
import { klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import strategy from '../../strategies/${name}.ts'

const parameters = { fast: 1, slow: 3, stop: 0.05 }

it('buys when the averages cross, and sells when they cross back', () => {
  // From the third kline on, the average of three is 100, 101, 102, 102.67 and 102.
  const market = klineScript('1h').closes(100, 100, 100, 103, 103, 102, 101, 101)
  const run = tryStrategy(strategy, { klines: market, parameters })
  // A decision trades at the open of the next kline; one unit, without fees.
  expect(run.fills).toMatchObject([
    { kline: 4, side: 'buy', purpose: 'entry', price: 103, quantity: 1 },
    { kline: 6, side: 'sell', purpose: 'exit', price: 102, quantity: 1 },
  ])
  expect(run.denials).toEqual([])
})

it('leaves at the stop-loss', () => {
  // 5% below 103 is 97.85, and the last kline goes down to 90.
  const market = klineScript('1h').closes(100, 100, 100, 103, 103).ohlc([103, 104, 90, 95])
  const run = tryStrategy(strategy, { klines: market, parameters })
  expect(run.roundTrips).toMatchObject([{ exitReason: 'stopLoss', entryPrice: 103, exitPrice: 97.85 }])
})
`
}

function configText(name: string, { account, markets, parameters = '{}' }: NewTexts): string {
  const { symbol, interval } = FIRST_MARKET
  return `# yaml-language-server: $schema=${OWN_SCHEMAS}/backtest.json
# The backtest of ${name}: npm run backtest -- --config config/${name}.yaml
# Every other key, and what it has where it is left out: config/backtest.yaml.

account: ${account ?? '{ balance: { USDT: 10000 } }'}

# Size of an order that does not say its own: exactly one of quote, base, equityFraction and riskFraction.
size: { equityFraction: 0.95 }

strategies:
  - file: strategies/${name}.ts
    symbol: ${symbol}
    # 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w or 1M.
    interval: ${interval}
    # Whose klines of the store (npm run klines -- list). "${GENERATED_VENUE}" is a made-up market, to try things on: nothing
    # that is earned there means anything. Download or import real klines, and name their venue here.
    venue: ${GENERATED_VENUE}
${markets === undefined ? '' : `    markets: ${markets}\n`}    # What is left out has the default that the strategy gives it.
    parameters: ${parameters}
`
}
