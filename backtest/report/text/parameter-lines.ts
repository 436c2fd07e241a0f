import type { BacktestReport } from '../backtest-report.ts'
import { marketName } from './report-parts.ts'

/**
 * The parameters of a run, a line for each strategy that has some: `fast 5, slow 10`, and where there are several markets
 * `sma-cross on BTC/USDT 1h: fast 5, slow 10`, unless all have the same.
 */
export function parameterLines({ manifest, markets }: BacktestReport): readonly string[] {
  if (manifest.markets === undefined) return [parametersText(manifest.parameters)].filter(text => text !== '')
  const all = manifest.markets.map(({ strategy, parameters }) => ({
    strategy,
    text: parametersText(parameters),
  }))
  const [first] = all
  if (all.every(({ strategy, text }) => strategy === first?.strategy && text === first.text))
    return [first?.text ?? ''].filter(text => text !== '')
  return all.flatMap(({ text }, index) => {
    const market = markets[index]
    return text === '' || market === undefined ? [] : [`${marketName(market)}: ${text}`]
  })
}

/** `fast 5, slow 10`. */
export function parametersText(parameters: Readonly<Record<string, unknown>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}
