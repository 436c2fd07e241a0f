import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import { ROOT } from '../../cli/sluice-process.ts'
import { type DrawnInterval, drawnKlines } from './drawn-klines.ts'

/** A search that a seed decides. */
export interface DrawnSearch {
  readonly strategy: string
  /** Words after `npm run optimize --`, without `--study`. */
  readonly words: readonly string[]
}

/** A strategy with the parameters that a search may vary, and further words that it needs. */
interface Searched {
  readonly file: string
  readonly parameters: Readonly<Record<string, readonly string[]>>
  readonly needs?: 'margin' | 'pair'
}

/** Each parameter with narrowings of which one is drawn; an empty one leaves the parameter as the strategy has it. */
const SEARCHED: readonly Searched[] = [
  { file: 'sma-cross', parameters: { fast: ['2:20:3', '1:15', '7'], slow: ['21:60:4', '30:90'] } },
  {
    file: 'rsi-reversion',
    parameters: {
      klines: ['3:20', '8'],
      oversold: ['20:45', '25.5:40:0.7'],
      overbought: ['50:70:2.5', '55'],
      discount: ['0:0.7', '0.1:0.5:0.1'],
      stop: ['0.5:4', '3'],
    },
  },
  {
    file: 'donchian-breakout',
    needs: 'margin',
    parameters: {
      klines: ['5:40', '8:32:8'],
      stopLoss: ['0.001:0.03', '0.01'],
      takeProfit: ['0.002:0.05:0.003', '0.005:0.08'],
      direction: ['long,both', ''],
    },
  },
  {
    file: 'bollinger-squeeze',
    parameters: {
      window: ['5:20'],
      deviations: ['0.5:2.5'],
      channel: ['0.5:3'],
      longer: ['4h'],
      trend: ['2:20'],
    },
  },
  {
    file: 'grid',
    parameters: {
      levels: ['2:9'],
      spacing: ['0.001:0.02'],
      exposure: ['0.3:1', '0.9'],
      giveUp: ['0:0.2', '1'],
    },
  },
  {
    file: 'trend-portfolio',
    parameters: {
      trend: ['10:60'],
      window: ['5:40:5'],
      target: ['0.1:2'],
      markets: ['1:3'],
      band: ['0:0.1', ''],
    },
  },
  {
    file: 'dca-regime',
    parameters: { hours: ['4:48:4', '24'], amount: ['50:400', '333.33'], regime: ['5:80'] },
  },
  {
    file: 'pairs',
    needs: 'pair',
    parameters: { window: ['5:60'], entry: ['0.005:0.05'], stop: ['0.06:0.2', '0.1'], share: ['0.1:0.45'] },
  },
  {
    file: 'own',
    parameters: { chance: ['0:0.4', ''], mode: ['', "it's,$HOME"], long: ['true,false', ''], by: [''] },
  },
  { file: 'random', needs: 'margin', parameters: { seed: ['0:2147483648', '5:500:5'] } },
]

/** A strategy whose file, parameters and options a shell could take for something else. */
const OWN = `
import { boolean, choice, defineStrategy, enterLong, exit, number } from '${join(ROOT, 'src/strategy/index.ts')}'
export default defineStrategy({
  name: 'own',
  parameters: {
    chance: number({ default: 0.1, min: 0, max: 1, description: 'Share of klines that enter.' }),
    mode: choice({ default: 'a b', options: ['a b', "it's", '$HOME', '--x', '\`id\`', 'ü;&|*'], description: 'Any.' }),
    long: boolean({ default: true, description: 'Waits longer.' }),
    by: number({ default: 0, min: -1e-7, max: 1e-7, description: 'Near zero.' }),
  },
  onKline({ close, openTime }, { position, parameters: { chance, mode, long, by } }) {
    const draw = Math.abs(Math.sin(openTime / 1000 + close * (mode.length + by))) % 1
    if (position.direction === 'long') return draw > (long ? 0.9 : 0.5) ? exit() : undefined
    return draw < chance ? enterLong() : undefined
  },
})
`

/** Signals of any kind, by a seed of their own. */
const RANDOM = `
export { randomSignals as default } from '${join(ROOT, 'test/backtest/random-market.ts')}'
`

/** Draws strategy, klines, parameters, configuration and options; writes what it needs into a folder. */
export function drawnSearch(seed: number, folder: string): DrawnSearch {
  const { uniform } = seededRandom(`rerun ${seed}`)
  const below = (count: number) => Math.floor(uniform() * count)
  const oneOf = <Of>(values: readonly Of[]): Of => values[below(values.length)] as Of // at least one
  const isOnce = (share: number) => uniform() < share
  const place = join(folder, `search's ${seed}`)
  mkdirSync(place, { recursive: true })

  // One strategy after the other, so that each has its part of any hundred.
  const searched = SEARCHED[seed % SEARCHED.length] as Searched
  const interval =
    searched.file === 'bollinger-squeeze' ? '1h' : oneOf<DrawnInterval>(['15m', '1h', '4h', '1d'])
  const count = { '15m': 3200, '1h': 900, '4h': 400, '1d': 300 }[interval]
  const gaps = searched.needs !== 'pair' && isOnce(0.2)
  const market = drawnKlines(place, 'btc', { seed, interval, count, gaps })
  const words = [
    fileOf(searched, place),
    ...['--data', market.file, '--symbol', 'BTC/USDT', '--interval', interval],
    ...['--config', writtenConfig(place, searched, { oneOf, isOnce, uniform })],
    ...[
      '--sampler',
      oneOf(['tpe', 'random', 'sobol']),
      '--trials',
      `${4 + below(14)}`,
      '--seed',
      `${below(1000)}`,
    ],
    ...['--objective', oneOf(['sharpe', 'sortino', 'return-over-drawdown', 'sharpe,return-over-drawdown'])],
  ]
  if (gaps) words.push('--gaps', oneOf(['skip', 'fill']))
  if (isOnce(0.3)) words.push('--from', `${market.timeOf(below(count / 10))}`)
  if (isOnce(0.3)) words.push('--to', new Date(market.timeOf(count - below(count / 10))).toISOString())
  const hasDetail = interval !== '15m' && searched.needs !== 'pair' && isOnce(0.25)
  if (hasDetail) words.push('--detail', '15m', '--detail-data', market.finer)
  else if (isOnce(0.4)) words.push('--path', oneOf(['pessimistic', 'optimistic', 'ohlc', 'olhc']))
  if (searched.needs === 'pair') {
    const hedge = drawnKlines(place, 'eth', { seed: seed + 1e6, interval, count, gaps })
    words.push('--market', 'hedge=ETH/USDT', '--feed-data', `hedge=${hedge.file}`)
  }
  for (const [name, narrowings] of Object.entries(searched.parameters)) {
    const narrowing = oneOf(narrowings)
    if (narrowing !== '') words.push('--param', `${name}=${narrowing}`)
  }
  words.push('--jobs', isOnce(0.1) ? '2' : '1')
  return { strategy: searched.file, words }
}

function fileOf({ file }: Searched, place: string): string {
  const code = { own: OWN, random: RANDOM }[file]
  if (code === undefined) return join('strategies', `${file}.ts`)
  const path = join(place, `${file}.ts`)
  writeFileSync(path, code)
  return path
}

/** Chances of a draw. */
interface Chances {
  readonly oneOf: <Of>(values: readonly Of[]) => Of
  readonly isOnce: (share: number) => boolean
  readonly uniform: () => number
}

function writtenConfig(place: string, { needs }: Searched, { oneOf, isOnce, uniform }: Chances): string {
  const path = join(place, 'config.yaml')
  const account =
    needs === undefined
      ? { type: oneOf(['spot', 'margin']), balance: { USDT: 10_000 } }
      : { type: 'margin', balance: { USDT: 10_000 }, maxLeverage: 2 }
  const fee = oneOf(['0', '0.0005', '0.001'])
  const values = {
    account,
    riskFreeRate: oneOf([0, 0.03]),
    instruments: { default: { makerFeeRate: fee, takerFeeRate: fee } },
    size: isOnce(0.5) ? { equityFraction: 0.1 + 0.8 * uniform() } : { quote: 1000 },
    fills: {
      slippageRate: oneOf(['0', '0.0002', '0.001']),
      ...(isOnce(0.3) && { spreadRate: '0.0004' }),
      ...(isOnce(0.3) && { latencyMs: 90_000 }),
      ...(isOnce(0.3) && { maxVolumeShare: 0.05 }),
      ...(isOnce(0.3) && { limitFill: 'touch' }),
      ...(isOnce(0.3) && { sizingReference: 'nextOpen' }),
      closeAtEnd: oneOf(['no', 'lastClose', 'lastOpen']),
    },
    ...(isOnce(0.2) && { risk: { protections: { dailyLoss: { rate: '0.02' } } } }),
  }
  // JSON is YAML as well.
  writeFileSync(path, JSON.stringify(values))
  return path
}
