/** Names of the strategies that come with Sluice; a user has more. */
export const SHIPPED = [
  'bollinger-squeeze',
  'dca-regime',
  'donchian-breakout',
  'funding-carry',
  'grid',
  'market-maker',
  'pairs',
  'rsi-reversion',
  'sma-cross',
  'trend-portfolio',
] as const

const CONFIGS = ['backtest', 'exchange', 'paper', 'paper-futures', 'paper-live', 'paper-margin']
const STRATEGY_TESTS = ['certificates', 'example-pages', 'shipped', ...SHIPPED]

/** Folders in which a user puts files of their own, and those of them that come with Sluice. */
const SHIPPED_IN: readonly (readonly [files: RegExp, names: readonly string[]])[] = [
  [/^strategies\/(.+)\.ts$/, SHIPPED],
  [/^config\/([^/]+)\.yaml$/, CONFIGS],
  [/^config\/schema\/(own)$/, []],
  [/^test\/strategies\/(.+)\.test\.ts$/, STRATEGY_TESTS],
]

/** Whether a file of the project (its path from the root on) comes with Sluice, and is not one that its user has added. */
export function isShipped(path: string): boolean {
  return SHIPPED_IN.every(([files, names]) => {
    const name = files.exec(path)?.[1]
    return name === undefined || names.includes(name)
  })
}
