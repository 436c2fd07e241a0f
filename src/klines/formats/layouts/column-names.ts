import { UsageError } from '../../../domain/sluice-error.ts'
import { KLINE_COLUMNS } from './kline-layouts.ts'

/** What files call the columns that do not everywhere have one name; __index_level_0__ is an index without a name, of pandas. */
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

/** What a file calls its six kline columns, in the order of `KLINE_COLUMNS`; throws `UsageError` where one is absent. */
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
