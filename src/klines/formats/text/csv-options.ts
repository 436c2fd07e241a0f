import type { Options } from 'csv-parse'

/**
 * Dialect of CSV files: commas, any line end, fields in quotes if need be. Every line is a record, and may have any number of
 * fields, so that those which are no rows can be named.
 */
export const CSV_OPTIONS = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
} as const satisfies Options
