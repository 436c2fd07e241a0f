import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { parquetMetadata, parquetSchema } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { resultCsv } from '../../backtest/report/export/result-csv.ts'
import { resultJson } from '../../backtest/report/export/result-json.ts'
import { atOnce } from '../../backtest/run/resumable.ts'
import { exportStudies } from '../../src/cli/research/export-studies.ts'
import { comparisonJson, type OrderRow, type TripRow } from '../../src/compare/comparison-rows.ts'
import { ZERO } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import { encodeKlines } from '../../src/klines/formats/encode-klines.ts'
import { columnsFrom } from '../../src/klines/kline-columns.ts'
import { StudyFile } from '../../src/studies/study-file.ts'
import { TradingHistory } from '../../src/web/history/trading-history.ts'
import { exportFile } from '../../src/web/sources/export-files.ts'
import { sampleReport } from '../backtest/report/sample-report.ts'
import { fileWith } from '../cli/sluice-process.ts'
import { sampleComparison } from '../compare/sample-comparison.ts'
import { pageText } from './guide-pages.ts'
import { membersOf, namesOf, rowsOf, textsOf } from './page-tables.ts'

const PAGE = 'reference-exports.md'
const EVIDENCE = 'src/matching/fill-evidence.ts'

describe('the page of exported files', () => {
  it.each([
    ['`round-trips.csv`', 0],
    ['`fills.csv`', 1],
    ['`equity.csv`', 2],
    ['`ambiguity.csv`', 3],
  ])('lists every column of %s', (heading, file) => {
    const report = sampleReport()
    const [market] = report.markets
    const several = { ...report, markets: [market, { ...market, book: 'other' }] } as typeof report
    const { name, text } = atOnce(resultCsv(several))[file] as { name: string; text: string }
    expect(heading).toBe(`\`${name}\``)
    expect(namesOf(PAGE, heading)).toEqual(columnsOf(text))
  })

  it('lists every key of the JSON of a backtest', () => {
    const report = sampleReport()
    const cut = { symbol: 'BTC/USDT', purpose: 'entry', cause: 'fok', count: 1 } as const
    const exit = { type: 'exitReplaced', symbol: 'BTC/USDT', book: 'BTC/USDT', strategy: 'one' } as const
    const missed = {
      type: 'targetMissed',
      ...{ symbol: 'BTC/USDT', book: 'BTC/USDT', strategy: 'one' },
      ...{ missing: ZERO, price: ticks(1), time: 0 },
    } as const
    const json = resultJson({
      ...report,
      cutOrders: [{ ...cut, ordered: steps(1), untraded: steps(1) }],
      missedTargets: [{ count: 1, first: missed }],
      replacedExits: [{ ...exit, side: 'sell', quantity: steps(1), by: 'enter', time: 0 }],
      fills: report.fills.map(fill => ({ ...fill, rule: 'triggeredRest' })),
      ...{ tradingChanges: [], accounts: [], funding: [], parts: [] },
      bounds: { worst: report.metrics, best: report.metrics, areAlike: true },
      margin: {
        ...{
          leverage: 1,
          marginMode: 'cross',
          positionMode: 'oneWay',
          mark: 'tradedKlines',
          funding: 'none',
        },
        ...{ highestLeverage: 0, highestUse: 0, borneLoss: ZERO, liquidations: [] },
      },
    })
    expect(namesOf(PAGE, '`--json` of a backtest')).toEqual(
      Object.keys(JSON.parse(String(Buffer.from(json)))),
    )
  })

  it('lists every rule of fills', () => {
    const textsOn = (heading: string) => namesOf(PAGE, heading).map(name => `'${name}'`)
    expect(textsOn('Rules of fills on klines')).toEqual(textsOf('backtest/models/fill-rule.ts', 'FillRule'))
    expect(textsOn('Rules of fills on recorded trades')).toEqual(textsOf(EVIDENCE, 'MatchingRule'))
    expect(namesOf(PAGE, 'Evidence of fills')).toEqual(membersOf(EVIDENCE, 'FillEvidence'))
  })

  it('lists every source of profit', () => {
    const { profit } = JSON.parse(String(Buffer.from(resultJson(sampleReport()))))
    expect(namesOf(PAGE, 'Sources of `profit`')).toEqual(Object.keys(profit))
  })

  it('lists every key of the JSON of a comparison', () => {
    const { orders, trips, ...rest } = comparisonJson(sampleComparison())
    expect(namesOf(PAGE, '`--json` of `compare`')).toEqual([...Object.keys(rest), 'orders', 'trips'])
    const keysOf = (row: OrderRow | TripRow) => [...Object.keys(row), ...Object.keys(row.live ?? {})]
    expect(namesOf(PAGE, 'Orders of `compare`')).toEqual(orders.flatMap(keysOf))
    expect(namesOf(PAGE, 'Round trips of `compare`')).toEqual(trips.flatMap(keysOf))
  })

  it('names every key inside those of a comparison', () => {
    const { predicted, turnover, parts, funding, leftOut } = comparisonJson(sampleComparison())
    const rows = rowsOf(PAGE, '`--json` of `compare`')
    const meaningOf = (key: string) => rows.find(([name]) => name === `\`${key}\``)?.[2]
    const inside = { predicted, turnover, funding, parts: parts[0], leftOut: leftOut[0] }
    for (const [key, value] of Object.entries(inside))
      for (const name of Object.keys(value ?? {})) expect(meaningOf(key)).toContain(`\`${name}\``)
  })

  it('lists every column of an export of trials', () => {
    const study = join(dirname(fileWith('nothing', '')), 'study.sqlite')
    new StudyFile(study).close()
    const [csv, parquet] = ['csv', 'parquet'].map(ending => {
      const file = `${study}.${ending}`
      exportStudies(file, study, { write: () => {} })
      return readFileSync(file)
    })
    const said = namesOf(PAGE, 'Trials of a study')
    expect(said).toEqual(columnsOf(String(csv)))
    expect(said).toEqual(parquetColumns(parquet as Uint8Array))
  })

  it.each([
    ['Round trips of a bot', 'trips'],
    ['Orders of a bot', 'orders'],
    ['Fills of a bot', 'fills'],
  ])('lists every column of %s', (heading, list) => {
    const [csv, parquet] = ['csv', 'parquet'].map(
      ending => exportFile(new TradingHistory(), `${list}.${ending}`)?.content,
    )
    const inParquetAlone = rowsOf(PAGE, heading)
      .filter(([, , meaning]) => meaning?.endsWith('in Parquet alone'))
      .map(([name = '']) => name.replaceAll('`', ''))
    const said = namesOf(PAGE, heading)
    expect(said.filter(name => !inParquetAlone.includes(name))).toEqual(columnsOf(String(csv)))
    expect(said).toEqual(parquetColumns(parquet as Uint8Array))
  })

  it('lists every column of klines', async () => {
    const klines = columnsFrom([{ openTime: 0, open: 1, high: 1, low: 1, close: 1, volume: 1 }])
    const csv = Buffer.from(await encodeKlines(klines, 'csv')).toString()
    expect(namesOf(PAGE, 'Klines as CSV')).toEqual(columnsOf(csv))
    const arrow = tableFromIPC(await encodeKlines(klines, 'arrow')).schema.fields.map(({ name }) => name)
    expect(namesOf(PAGE, 'Klines as Parquet and Arrow')).toEqual(arrow)
    expect(parquetColumns(await encodeKlines(klines, 'parquet'))).toEqual(arrow)
  })

  it('has a unit and a meaning of each', () => {
    const rows = headings().flatMap(heading => rowsOf(PAGE, heading))
    expect(rows.length).toBeGreaterThan(100)
    for (const row of rows) expect([row.length, row.every(cell => cell !== '')], row[0]).toEqual([3, true])
  })
})

/** The names in the first line of a CSV. */
function columnsOf(csv: string): readonly string[] {
  return csv.split('\n', 1)[0]?.split(',') ?? []
}

function parquetColumns(file: Uint8Array): readonly string[] {
  const { children } = parquetSchema(parquetMetadata(new Uint8Array(file).buffer))
  return children.map(({ element }) => element.name)
}

function headings(): readonly string[] {
  return [...pageText(PAGE).matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading)
}
