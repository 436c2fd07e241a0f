import type { ParameterSet } from '../../../backtest/trials/trial.ts'
import { DEFAULT_STORE } from '../../klines/store/default-store.ts'
import { DEFAULT_STUDY } from '../../studies/default-study.ts'
import type { BacktestCommandOptions } from '../backtest/backtest-command-options.ts'

/** The command that runs one trial again and counts it in the same study, as it is typed. */
export function backtestLine(
  options: BacktestCommandOptions,
  study: string | false,
  parameters: ParameterSet,
): string {
  const { strategy, symbol, interval, data, detail, detailData, book, ticks, funding, venue, store } = options
  const { gaps, config, path, queue, from, to, roles = {}, feedData = {} } = options
  const given: readonly (readonly [name: string, value: unknown])[] = [
    ['symbol', symbol],
    ['interval', interval],
    ['data', data],
    ['book', book],
    ['funding', funding],
    ['venue', venue],
    ['store', store === DEFAULT_STORE ? undefined : store],
    ['gaps', gaps === 'fail' ? undefined : gaps],
    ['config', config === 'config/backtest.yaml' ? undefined : config],
    ['path', path],
    ['queue', queue],
    ['detail', detail],
    ['detail-data', detailData],
    ['from', from],
    ['to', to],
    ...Object.entries(roles).map(([role, { symbol: of }]) => ['market', `${role}=${of}`] as const),
    ...Object.entries(feedData).map(([name, file]) => ['feed-data', `${name}=${file}`] as const),
    ...Object.entries(parameters).map(([name, value]) => ['param', `${name}=${value}`] as const),
  ]
  const words = given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]))
  return backtestWords([strategy, ...words, ...(ticks === true ? ['--ticks'] : []), ...studyWords(study)])
}

/** Words that name a study, where it is not the default. */
export function studyWords(study: string | false): readonly string[] {
  if (study === false) return ['--no-study']
  return study === DEFAULT_STUDY ? [] : ['--study', study]
}

/** The command of a backtest with some words, as it is typed. */
export function backtestWords(words: readonly string[]): string {
  return ['npm run backtest --', ...words].map(quoted).join(' ')
}

/** A word as a shell takes it. */
function quoted(word: string, index: number): string {
  return index === 0 || /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
