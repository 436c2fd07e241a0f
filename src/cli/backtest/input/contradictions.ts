import { utcText } from '../../../domain/market-data/civil-date.ts'
import { UsageError } from '../../../domain/sluice-error.ts'

/** Options given on the command line of a backtest. */
export interface GivenOptions {
  /** Names of the given options, such as `--data`. */
  readonly names: ReadonlySet<string>
  /** Path policy within klines. */
  readonly path?: string | undefined
  /** First open time and end, ms UTC. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Options that exclude others, with the reason. */
const PAIRS: readonly (readonly [option: string, others: readonly string[], because: string])[] = [
  ['--book', ['--detail', '--detail-data', '--bounds'], 'trades already show the path inside a kline'],
  [
    '--ticks',
    ['--data', '--book', '--detail', '--detail-data', '--bounds', '--path'],
    'recorded trades already are the data and the path',
  ],
  ['--bounds', ['--prove-causal', '--certify-warmup'], 'it is a part of the report, and they write none'],
  ['--prove-causal', ['--json', '--csv', '--html'], 'it answers a question and writes no report'],
  ['--watch', ['--prove-causal', '--certify-warmup'], 'they answer a question and watch nothing'],
  ['--certify-warmup', ['--json', '--csv', '--html'], 'it answers a question and writes no report'],
]

const FROM_STORE = ['--store', '--venue']

/** Throws `UsageError` for options that contradict each other. */
export function requireNoContradiction({ names, from, to, path }: GivenOptions): void {
  for (const [option, others, because] of PAIRS) refuseBoth(names, option, others, because)
  refuseUselessDetail(names, path)
  if (names.has('--book') && !names.has('--data'))
    throw new UsageError('--book needs the trades that it was recorded with; name their file with --data.')
  const readsStore = !names.has('--data') || (names.has('--detail') && !names.has('--detail-data'))
  if (!readsStore) {
    refuseBoth(names, '--data', FROM_STORE, 'the klines are those of a file or those of the store')
  }
  if (from === undefined || to === undefined || from < to) return
  throw new UsageError(
    `--from ${utcText(from)} is not before --to ${utcText(to)}, so no kline lies between; swap them or correct one.`,
  )
}

function refuseBoth(
  names: ReadonlySet<string>,
  option: string,
  others: readonly string[],
  because: string,
): void {
  const other = names.has(option) ? others.find(name => names.has(name)) : undefined
  if (other === undefined) return
  throw new UsageError(`${option} and ${other} contradict each other: ${because}; leave one out.`)
}

function refuseUselessDetail(names: ReadonlySet<string>, path: string | undefined): void {
  if (names.has('--detail-data') && !names.has('--detail')) {
    throw new UsageError(
      '--detail-data needs the interval of its klines; say it with --detail, as in --detail 1m.',
    )
  }
  if (path === undefined || path === 'detail') return
  if (!names.has('--detail')) return
  throw new UsageError(
    `--path ${path} and --detail contradict each other: finer klines already show the path; leave one out.`,
  )
}

/** Throws `UsageError` for any option besides `--verify`, which takes all inputs from the result. */
export function requireOnlyVerify(names: ReadonlySet<string>, strategy: string | undefined): void {
  const other = strategy ?? [...names].find(name => name !== '--verify')
  if (other === undefined) return
  throw new UsageError(`--verify takes everything from the result, so ${other} contradicts it; leave it out.`)
}
