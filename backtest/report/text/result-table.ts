import { styleText } from 'node:util'
import Table from 'cli-table3'
import type { BacktestReport } from '../backtest-report.ts'
import { breakdownsOf } from './breakdown.ts'
import { conventionText } from './convention-text.ts'
import { figureText, fixed, type MoneyFormat, minuteText } from './figure-text.ts'
import { METRIC_GROUPS, type MetricGroup } from './metric-group.ts'
import { MONTH_NAMES, yearsOf } from './month-table.ts'
import { parameterLines } from './parameter-lines.ts'
import { missingFigures, reportNotes } from './report-notes.ts'
import type { Breakdown } from './report-section.ts'
import { deniedOrders, reportWarnings } from './report-warnings.ts'

export interface TableLook {
  /** Characters in a line; below 100 everything stands in one column. */
  readonly columns: number
  /** True for bold titles, on a terminal. */
  readonly styled: boolean
}

/** Default, for a file or a pipe. */
const PLAIN_LOOK: TableLook = { columns: 100, styled: false }

const WIDTH_FOR_TWO = 100
const LABEL_WIDTH = 24
const VALUE_WIDTH = 23
const LEFT_WIDTH = 50
const INDENT = '  '
const BORDERS = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
]
const LINES = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle']
const NO_BORDERS = Object.fromEntries([...BORDERS, ...LINES].map(name => [name, '']))

/** A title and its content. */
interface Block {
  readonly title: string
  readonly lines: readonly string[]
}

/** The report as text: every metric, months, drawdowns, groups of round trips, and notes. */
export function resultTable(report: BacktestReport, look: TableLook = PLAIN_LOOK): string {
  const money = { asset: report.quote }
  const blocks = [
    ...breakdownsOf(report, money).map(breakdownBlock),
    monthBlock(report),
    missingBlock(report, look),
  ]
  return [
    ...warningText(report, look),
    textOf(headingBlock(report), look),
    metricText(report, money, look),
    ...blocks.filter(({ lines }) => lines.length > 0).map(block => textOf(block, look)),
    [...conventionText(report.metrics.convention), ...reportNotes(report)]
      .flatMap(text => wrapped(text, look.columns))
      .join('\n'),
  ].join('\n\n')
}

/** The warnings, shown before any figure and red on a terminal. */
function warningText(report: BacktestReport, look: TableLook): string[] {
  const lines = reportWarnings(report).flatMap(text => wrapped(`Warning: ${text}`, look.columns))
  if (lines.length === 0) return []
  const shown = look.styled
    ? lines.map(line => styleText(['bold', 'red'], line, { validateStream: false }))
    : lines
  return [shown.join('\n')]
}

function headingBlock(report: BacktestReport): Block {
  const { strategy, manifest } = report
  const { symbol, interval, from, to, klines, gaps } = manifest
  const [given, ...more] = parameterLines(report)
  const done = gaps.policy === 'fill' ? 'filled' : 'skipped'
  return {
    title: `${strategy} on ${symbol} ${interval}`,
    lines: [
      `${minuteText(from)} to ${minuteText(to)} UTC, ${fixed(klines, 0)} klines`,
      ...(gaps.count === 0 ? [] : [`Gaps: ${gaps.count} ${done} (${gaps.missing} klines)`]),
      ...(given === undefined ? [] : [`Parameters: ${more.length === 0 ? given : ''}`]),
      ...(more.length === 0 ? [] : [given, ...more].map(line => `${INDENT}${line}`)),
    ],
  }
}

/** The groups of metrics, in two columns where a line is long enough for them. */
function metricText(report: BacktestReport, money: MoneyFormat, look: TableLook): string {
  const blocks = METRIC_GROUPS.map(group => metricBlock(group, report, money))
  if (look.columns < WIDTH_FOR_TWO) return blocks.map(block => textOf(block, look)).join('\n\n')
  const isRight = ({ title }: Block) => title === 'Risk' || title === 'Round trips'
  return sideBySide(
    blocks.filter(block => !isRight(block)),
    blocks.filter(isRight),
    look,
  )
}

function metricBlock({ title, metrics }: MetricGroup, report: BacktestReport, money: MoneyFormat): Block {
  const {
    metrics: { figures },
    signals,
  } = report
  const orders = [
    ['Signals', fixed(signals, 0)],
    ['Denied orders', fixed(deniedOrders(report), 0)],
  ]
  const rows = metrics.map(({ key, label, unit }) => [label, figureText(figures[key], unit, money)])
  const all = metrics.some(({ key }) => key === 'fills') ? [...rows, ...orders] : rows
  return { title, lines: tableLines(all, [LABEL_WIDTH, VALUE_WIDTH]) }
}

function breakdownBlock({ title, head, rows }: Breakdown): Block {
  return { title, lines: tableLines([head, ...rows]) }
}

/** Months in percent, where there is more than one. */
function monthBlock({ metrics: { months } }: BacktestReport): Block {
  const percent = (value: number | null | undefined) =>
    value === null || value === undefined ? '' : fixed(value * 100, 1)
  const rows = yearsOf(months).map(({ year, months: ofYear, value }) => [
    String(year),
    ...ofYear.map(month => percent(month?.value)),
    percent(value),
  ])
  return {
    title: 'Returns by month in percent',
    lines: months.length < 2 ? [] : tableLines([['', ...MONTH_NAMES, 'Total'], ...rows]),
  }
}

function missingBlock(report: BacktestReport, { columns }: TableLook): Block {
  const lines = missingFigures(report).flatMap(text => wrapped(text, columns - INDENT.length))
  return { title: 'Not available (n/a)', lines }
}

/** A text in lines of at most so many characters, broken between words; all lines but the first are indented. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined) lines.push(word)
    else if (line.length + word.length < columns) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(`${INDENT}${word}`)
  }
  return lines
}

/** Rows in columns without borders: the first aligned left, the others right. */
function tableLines(rows: readonly (readonly string[])[], colWidths?: number[]): string[] {
  const [first = []] = rows
  const table = new Table({
    chars: NO_BORDERS,
    colAligns: first.map((_, column) => (column === 0 ? 'left' : 'right')),
    ...(colWidths !== undefined && { colWidths }),
    style: { head: [], border: [], 'padding-left': colWidths === undefined ? 2 : 0, 'padding-right': 0 },
  })
  table.push(...rows.map(row => [...row]))
  return table.toString().split('\n')
}

function textOf(block: Block, look: TableLook): string {
  return linesOf(block)
    .map(line => styled(line, look))
    .join('\n')
}

/** Blocks one below the other, in two columns. */
function sideBySide(left: readonly Block[], right: readonly Block[], look: TableLook): string {
  const [leftLines, rightLines] = [left, right].map(blocks =>
    blocks.flatMap((block, index) => (index === 0 ? linesOf(block) : [BLANK, ...linesOf(block)])),
  )
  const count = Math.max(leftLines?.length ?? 0, rightLines?.length ?? 0)
  return Array.from({ length: count }, (_, index) => {
    const [before, after] = [leftLines?.[index] ?? BLANK, rightLines?.[index] ?? BLANK]
    return `${styled(before, look, after === BLANK ? 0 : LEFT_WIDTH)}${styled(after, look)}`
  }).join('\n')
}

interface Line {
  readonly text: string
  readonly isTitle: boolean
}

const BLANK: Line = { text: '', isTitle: false }

function linesOf({ title, lines }: Block): Line[] {
  return [
    { text: title, isTitle: true },
    ...lines.map(line => ({ text: `${INDENT}${line}`.trimEnd(), isTitle: false })),
  ]
}

function styled({ text, isTitle }: Line, look: TableLook, width = 0): string {
  const padded = text.padEnd(width)
  return isTitle && look.styled ? styleText('bold', padded, { validateStream: false }) : padded
}
