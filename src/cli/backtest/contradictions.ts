import { utcText } from '../../domain/civil-date.ts'
import { UsageError } from '../../domain/sluice-error.ts'

/** What was given on the command line of a backtest. */
export interface GivenOptions {
  /** Names of the options that were given, as they are written: `--data`. */
  readonly names: ReadonlySet<string>
  /** First open time and end, ms UTC. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Options that each say the opposite of one of the others, and why. */
const PAIRS: readonly (readonly [option: string, others: readonly string[], because: string])[] = [
  ['--data', ['--store', '--venue'], 'the klines are those of a file or those of the store'],
  ['--prove-causal', ['--json', '--csv', '--html'], 'it answers a question and writes no report'],
  ['--certify-warmup', ['--json', '--csv', '--html'], 'it answers a question and writes no report'],
]

/** Throws `UsageError` for options that contradict each other. */
export function requireNoContradiction({ names, from, to }: GivenOptions): void {
  for (const [option, others, because] of PAIRS) {
    const other = names.has(option) ? others.find(name => names.has(name)) : undefined
    if (other !== undefined)
      throw new UsageError(`${option} and ${other} contradict each other: ${because}; leave one out.`)
  }
  if (from === undefined || to === undefined || from < to) return
  throw new UsageError(
    `--from ${utcText(from)} is not before --to ${utcText(to)}, so no kline lies between; swap them or correct one.`,
  )
}

/** Throws `UsageError` for anything beside `--verify`, which takes everything from the result. */
export function requireOnlyVerify(names: ReadonlySet<string>, strategy: string | undefined): void {
  const other = strategy ?? [...names].find(name => name !== '--verify')
  if (other === undefined) return
  throw new UsageError(`--verify takes everything from the result, so ${other} contradicts it; leave it out.`)
}
