import { closeSync, openSync, writeSync } from 'node:fs'
import { csvField } from '../../../backtest/report/export/csv-field.ts'
import { TRIAL_FIGURES, type TrialFigure } from '../../../backtest/trials/trial.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import {
  ParquetTableFile,
  type TableColumn,
  type TableValue,
} from '../../klines/formats/parquet/parquet-table-file.ts'
import type { StudyFile } from '../../studies/study-file.ts'
import type { CommandOutput } from '../streams.ts'
import { replaceAtomically } from '../write-atomically.ts'
import { type AskedTrial, askedTrial, plainNumbers, withStudy } from './opened-study.ts'

/** Characters of CSV that are written at once. */
const CHUNK = 2 ** 20

/** Writes all trials of a study to a CSV or a Parquet file, trial by trial; returns exit code 0, throws `UsageError`. */
export function exportStudies(file: string, path: string | false, out: CommandOutput): number {
  const isCsv = file.endsWith('.csv')
  if (!isCsv && !file.endsWith('.parquet'))
    throw new UsageError(`${file} has no known ending; give a file that ends with .csv or .parquet.`)
  return withStudy(path, study => {
    let trials = 0
    replaceAtomically(file, temporary => {
      trials = isCsv ? writeCsv(temporary, study) : writeParquet(temporary, study)
    })
    out.write(`${file} has ${trials === 1 ? '1 trial' : `${trials} trials`}.\n`)
    return 0
  })
}

interface ExportColumn extends TableColumn {
  readonly of: (trial: AskedTrial) => TableValue | undefined
}

/** Figures that are whole numbers. */
const WHOLE: ReadonlySet<TrialFigure> = new Set(['roundTrips', 'longestDurationMs', 'fills'])

/** A column for each part of a trial; records, and in CSV lists, are JSON. */
const COLUMNS: readonly ExportColumn[] = [
  text('key', ({ key }) => key),
  text('strategy', ({ strategy }) => strategy),
  text('symbol', ({ symbol }) => symbol),
  text('interval', ({ interval }) => interval),
  whole('from', ({ from }) => from),
  whole('to', ({ to }) => to),
  text('span', ({ isSpan }) => (isSpan ? 'part' : 'all')),
  text('code', ({ code }) => code),
  text('data', ({ data }) => data),
  text('config', ({ config }) => config),
  text('parameters', ({ parameters }) => JSON.stringify(parameters)),
  text('outcome', ({ outcome }) => outcome),
  text('problem', ({ problem }) => problem),
  ...TRIAL_FIGURES.map(name => (WHOLE.has(name) ? whole : double)(name, ({ figures }) => figures?.[name])),
  whole('openForMs', ({ figures }) => figures?.openForMs),
  whole('firstDay', ({ firstDay }) => firstDay),
  { name: 'dailyReturns', type: 'DOUBLES', of: ({ dailyReturns }) => dailyReturns },
  text('searches', ({ asked }) => JSON.stringify(asked)),
]

function text(name: string, of: (trial: AskedTrial) => string | undefined): ExportColumn {
  return { name, type: 'STRING', of }
}

function whole(name: string, of: (trial: AskedTrial) => number | null | undefined): ExportColumn {
  return { name, type: 'INT64', of }
}

function double(name: string, of: (trial: AskedTrial) => number | null | undefined): ExportColumn {
  return { name, type: 'DOUBLE', of }
}

function* rowsOf(study: StudyFile): Generator<readonly TableValue[]> {
  for (const group of study.groups()) {
    for (const trial of study.trialsOf(group)) {
      const asked = askedTrial(study, trial)
      yield COLUMNS.map(({ of }) => of(asked) ?? null)
    }
  }
}

/** Returns the number of trials. */
function writeParquet(file: string, study: StudyFile): number {
  let trials = 0
  const table = new ParquetTableFile(file, 'trials', COLUMNS)
  for (const row of rowsOf(study)) {
    table.add(row)
    trials++
  }
  table.finish()
  return trials
}

/** Returns the number of trials. */
function writeCsv(file: string, study: StudyFile): number {
  let trials = 0
  const opened = openSync(file, 'w')
  try {
    let chunk = `${COLUMNS.map(({ name }) => name).join()}\n`
    for (const row of rowsOf(study)) {
      chunk += `${row.map(value => csvField(csvText(value))).join()}\n`
      trials++
      if (chunk.length < CHUNK) continue
      writeWhole(opened, chunk)
      chunk = ''
    }
    writeWhole(opened, chunk)
  } finally {
    closeSync(opened)
  }
  return trials
}

function csvText(value: TableValue): string {
  return value instanceof Float64Array ? JSON.stringify(plainNumbers(value)) : String(value ?? '')
}

/** Writes all of a text: one write may take a part of it. */
function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
}
