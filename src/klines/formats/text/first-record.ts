import { parse } from 'csv-parse/sync'
import { CSV_OPTIONS } from './csv-options.ts'

/** Fields of the first line of a CSV text; an empty one if the line is blank or has a quote that is not closed. */
export function firstRecord(start: Uint8Array): readonly string[] {
  const [record = ['']] = parse(start, {
    ...CSV_OPTIONS,
    to: 1,
    skip_records_with_error: true,
  })
  return record
}
