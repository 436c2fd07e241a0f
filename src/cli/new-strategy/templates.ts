import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suggestion } from '../../domain/nearest-name.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { type NewFile, newFilesOf } from './new-strategy-files.ts'

/** A generated market that the backtest of a template needs. */
export interface TemplateMarket {
  readonly symbol: string
  readonly seed: number
  readonly startPrice: number
}

/** An example that a new strategy can be copied from. */
interface Template {
  /** Its behaviour, in a line. */
  readonly says: string
  /** Keys of the configuration of its backtest, besides those of every new strategy. */
  readonly account?: string
  readonly markets?: string
  readonly others?: readonly TemplateMarket[]
  /** True if generated klines cannot show its effect: it starts as a bot on a generated market. */
  readonly isBot?: true
}

const ETH: TemplateMarket = { symbol: 'ETH/USDT', seed: 2, startPrice: 3000 }

/** The strategies that come with Sluice, by name. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  'bollinger-squeeze': { says: 'leaves a quiet stretch upwards, in a longer trend; a second interval' },
  'dca-regime': { says: 'buys a fixed amount every week while the trend is up' },
  'donchian-breakout': { says: 'enters where the price leaves its channel, with stop-loss and take-profit' },
  'funding-carry': { says: 'spot against a contract while funding pays; two accounts', isBot: true },
  grid: { says: 'rests bids and offers on the levels of a grid' },
  'market-maker': { says: 'quotes both sides of the order book', isBot: true },
  pairs: {
    says: 'one instrument against another; two markets, long and short',
    account: '{ type: margin, maxLeverage: 2, balance: { USDT: 10000 } }',
    markets: '{ hedge: ETH/USDT }',
    others: [ETH],
  },
  'rsi-reversion': { says: 'buys exhaustion below the price with limit orders' },
  'sma-cross': { says: 'buys and sells where two averages cross' },
  'trend-portfolio': { says: 'holds what trends, sized by its volatility' },
}

/** A line for each template. */
export function templateList(): string {
  const width = Math.max(...Object.keys(TEMPLATES).map(({ length }) => length))
  return Object.entries(TEMPLATES)
    .map(([name, { says }]) => `${name.padEnd(width)}  ${says}\n`)
    .join('')
}

/** Template of a name; throws `UsageError` with the nearest one for an unknown name. */
export function templateOf(name: string): Template {
  const template = Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name] : undefined
  if (template !== undefined) return template
  throw new UsageError(`There is no template "${name}".${suggestion(name, Object.keys(TEMPLATES))}`)
}

/** Files of a strategy copied from an example: its code, its test, and a configuration to run it with. */
export function templateFiles(name: string, from: string, projectFolder: string): readonly NewFile[] {
  const { account, markets, isBot } = templateOf(from)
  const textOf = (path: string): string =>
    readFileSync(join(projectFolder, path), 'utf8')
      .replaceAll(`'${from}'`, `'${name}'`)
      .replaceAll(`strategies/${from}.ts`, `strategies/${name}.ts`)
  const code = { strategy: textOf(`strategies/${from}.ts`), test: textOf(`test/strategies/${from}.test.ts`) }
  if (isBot !== true) return newFilesOf(name, { ...code, account, markets })
  const config = textOf(`config/examples/${from}.yaml`)
    .replace(`bot: ${from}`, `bot: ${name}`)
    .replace(`config/examples/${from}.yaml`, `config/${name}.yaml`)
  return newFilesOf(name, { ...code, config })
}
