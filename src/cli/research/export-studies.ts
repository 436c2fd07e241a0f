import { csvField } from '../../../backtest/report/export/csv-field.ts'
import { TRIAL_FIGURES } from '../../../backtest/trials/trial.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { encodeParquetTable, type TableColumn } from '../../klines/formats/parquet/encode-parquet-table.ts'
import type { CommandOutput } from '../streams.ts'
import { writeAtomically } from '../write-atomically.ts'
import { type AskedTrial, askedTrial, plainNumbers, withStudy } from './opened-study.ts'

/** Writes all trials of a study to a CSV or a Parquet file; returns exit code 0, throws `UsageError`. */
export function exportStudies(file: string, path: string | false, out: CommandOutput): number {
  const isCsv = file.endsWith('.csv')
  if (!isCsv && !file.endsWith('.parquet'))
    throw new UsageError(`${file} has no known ending; give a file that ends with .csv or .parquet.`)
  return withStudy(path, study => {
    const trials = study
      .groups()
      .flatMap(group => [...study.trialsOf(group)].map(trial => askedTrial(study, trial)))
    const columns = columnsOf(trials)
    writeAtomically(file, isCsv ? csvOf(columns, trials.length) : encodeParquetTable('trials', columns))
    out.write(`${file} has ${trials.length === 1 ? '1 trial' : `${trials.length} trials`}.\n`)
    return 0
  })
}

/** A row for each trial; lists and records are JSON. */
function columnsOf(trials: readonly AskedTrial[]): readonly TableColumn[] {
  const text = (name: string, of: (trial: AskedTrial) => string | undefined): TableColumn => ({
    ...{ name, type: 'STRING', values: trials.map(trial => of(trial) ?? null) },
  })
  const double = (name: string, of: (trial: AskedTrial) => number | null | undefined): TableColumn => ({
    ...{ name, type: 'DOUBLE', values: trials.map(trial => of(trial) ?? null) },
  })
  return [
    text('key', ({ key }) => key),
    text('strategy', ({ strategy }) => strategy),
    text('symbol', ({ symbol }) => symbol),
    text('interval', ({ interval }) => interval),
    double('from', ({ from }) => from),
    double('to', ({ to }) => to),
    text('span', ({ isSpan }) => (isSpan ? 'part' : 'all')),
    text('code', ({ code }) => code),
    text('data', ({ data }) => data),
    text('config', ({ config }) => config),
    text('parameters', ({ parameters }) => JSON.stringify(parameters)),
    text('outcome', ({ outcome }) => outcome),
    text('problem', ({ problem }) => problem),
    ...TRIAL_FIGURES.map(name => double(name, ({ figures }) => figures?.[name])),
    double('firstDay', ({ firstDay }) => firstDay),
    text('dailyReturns', ({ dailyReturns }) => dailyReturns && JSON.stringify(plainNumbers(dailyReturns))),
    text('searches', ({ asked }) => JSON.stringify(asked)),
  ]
}

function csvOf(columns: readonly TableColumn[], rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) =>
    columns.map(({ values }) => csvField(String(values[row] ?? ''))).join(),
  )
  return `${[columns.map(({ name }) => name).join(), ...lines].join('\n')}\n`
}
