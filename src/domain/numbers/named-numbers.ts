import { isRecord } from '../is-record.ts'

/** The finite numbers among values; those of records by both names, `band upper`. */
export function namedNumbers(
  values: Readonly<Record<string, unknown>>,
  prefix = '',
): readonly (readonly [name: string, value: number])[] {
  return Object.entries(values).flatMap(([name, value]): readonly (readonly [string, number])[] => {
    if (typeof value === 'number') return Number.isFinite(value) ? [[`${prefix}${name}`, value]] : []
    return isRecord(value) ? namedNumbers(value, `${prefix}${name} `) : []
  })
}
