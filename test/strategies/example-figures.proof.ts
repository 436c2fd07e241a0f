import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../cli/sluice-process.ts'
import { blocksOf, commandsIn, pageText } from '../docs/guide-pages.ts'
import { copyOfProject, runIn } from '../project-copy.ts'
import { hasShared, sharedPath } from '../shared-data.ts'

const NAMES = readdirSync(join(ROOT, 'docs/examples'))
  .filter(file => file !== 'README.md')
  .map(file => file.slice(0, -'.md'.length))

/** Files that the commands read, and their names in the shared data. */
const FILES = {
  'btcusdt-15m': 'binance-btcusdt-15m',
  'btcusdt-1h': 'binance-btcusdt-1h',
  'btcusdt-1d': 'binance-btcusdt-1d',
  'ethusdt-1h': 'binance-ethusdt-1h',
  'solusdt-1h': 'binance-solusdt-1h',
  'btcusdtperp-funding': 'binance-btcusdtperp-funding',
  trades: 'hftbacktest-binanceusdm-btcusdt-20240808-trades',
  booktop: 'hftbacktest-binanceusdm-btcusdt-20240808-booktop',
}

type Metrics = Readonly<Record<string, number | null>>

/** The part of the JSON of a backtest that the pages show. */
interface Result {
  readonly metrics: Metrics
  readonly ambiguity: { readonly ambiguousRoundTrips: number; readonly roundTrips: number }
  readonly bounds?: { readonly best: Metrics }
}

/** The figures of a run that a row begins with, in their order; a page may stop early. */
function figuresOf({ metrics, ambiguity, bounds }: Result): Readonly<Record<string, readonly unknown[]>> {
  const { averageLoss, funding } = metrics
  return {
    'USDT became': [metrics.startEquity, metrics.endEquity, metrics.totalReturn, metrics.cagr],
    'buy and hold': [metrics.buyAndHold, metrics.buyAndHoldDrawdown],
    drawdown: [metrics.maxDrawdown],
    'Sharpe ratio': [metrics.sharpe, metrics.sharpeLow, metrics.sharpeHigh],
    'round trips': [metrics.roundTrips, metrics.winRate, metrics.averageWin, -(averageLoss ?? 0)],
    'fees and slippage': [metrics.fees, metrics.slippage, metrics.turnover],
    ambiguous: [ambiguity.ambiguousRoundTrips, ambiguity.roundTrips, bounds?.best.endEquity],
    exposure: [metrics.exposure],
    volatility: [metrics.volatility],
    'funding earned': [-(funding ?? 0)],
    'correlation with buy and hold': [metrics.correlation],
  }
}

const NUMBER = /[+-]?\d[\d,]*(?:\.\d+)?%?/g

/** A figure in the digits and the unit of a text. */
function inFormOf(text: string, figure: unknown): string {
  const decimals = /\.(\d+)/.exec(text)?.[1]?.length ?? 0
  const value = Number(figure) * (text.endsWith('%') ? 100 : 1)
  const sign = text.startsWith('+') ? 'exceptZero' : 'auto'
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return value.toLocaleString('en', { ...digits, signDisplay: sign }) + (text.endsWith('%') ? '%' : '')
}

describe.runIf(hasShared('data'))('the page of an example', () => {
  it.each(NAMES)('shows of %s what its command makes', async name => {
    const folder = copyOfProject()
    mkdirSync(join(folder, 'data'))
    for (const [file, shared] of Object.entries(FILES))
      symlinkSync(sharedPath('data', `${shared}.csv.gz`), join(folder, 'data', `${file}.csv.gz`))
    const page = `examples/${name}.md`
    const [command] = blocksOf(page)
      .flatMap(commandsIn)
      .filter(line => line.includes(' backtest '))
    const { exitCode, out } = await runIn(folder, 'sh', '-c', `${command} --no-study --json -`)
    expect(exitCode).toBe(0)

    const rows = pageText(page).split('\n')
    for (const [begin, figures] of Object.entries(figuresOf(JSON.parse(out)))) {
      const row = rows.find(line => line.startsWith(`| ${begin}`) || line.includes(` ${begin} |`))
      if (row === undefined) continue
      const cell = begin === 'USDT became' ? row : row.split('|')[2]
      const said = figures[0] === null ? [] : (cell?.match(NUMBER) ?? []).slice(0, figures.length)
      expect(said.length > 0 || cell?.startsWith(' n/a'), row).toBe(true)
      expect(said, row).toEqual(said.map((text, index) => inFormOf(text, figures[index])))
    }
  })
})
