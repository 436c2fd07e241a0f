import { UsageError } from '../../../domain/sluice-error.ts'
import { KLINE_COLUMNS } from './kline-layouts.ts'

/** Other names of columns in files; __index_level_0__ is an unnamed index of pandas. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  openTime: [
    'date',
    'idx',
    'open_time',
    'opentime',
    'timestamp',
    'datetime',
    'time',
    'ts',
    '__index_level_0__',
  ],
  volume: ['volume', 'vol'],
}

/**
 * A file's names of the six kline columns, in the order of `KLINE_COLUMNS`; throws `UsageError` if one is
 * missing.
 */
export function klineColumnNames(names: readonly string[], source: string): readonly string[] {
  return KLINE_COLUMNS.map(column => {
    const wanted = OTHER_NAMES[column] ?? [column]
    const found = wanted.flatMap(name => names.filter(there => there.toLowerCase() === name))[0]
    if (found !== undefined) return found
    throw new UsageError(
      `${source} has no column ${wanted[0]}; expected date, open, high, low, close and volume, but it has ${names.join(', ')}.`,
    )
  })
}
