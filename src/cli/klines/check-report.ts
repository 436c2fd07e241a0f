import Table from 'cli-table3'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { isClean, type KlineReport, missingIn, type RowFinding } from '../../klines/check/kline-report.ts'
import type { UnreadableRow } from '../../klines/formats/text/unreadable-row.ts'
import { counted } from './import-report.ts'

/** Checked klines. */
export interface Checked {
  /** Name for the user. */
  readonly name: string
  readonly report: KlineReport
  /** One sentence about each unreadable file. */
  readonly damage: readonly string[]
}

/** Number of examples per finding in the table; JSON has all. */
const EXAMPLES = 3

/** True if a backtest may use the klines. */
export function isCheckedClean({ report, damage }: Checked): boolean {
  return damage.length === 0 && isClean(report)
}

/** All findings, as one line of JSON. */
export function checkedJson(all: readonly Checked[]): string {
  const checked = all.map(({ name, report, damage }) => ({
    name,
    clean: isCheckedClean({ name, report, damage }),
    ...report,
    missing: missingIn(report),
    damage,
  }))
  return JSON.stringify({ clean: all.every(isCheckedClean), checked })
}

/** Findings as a table with examples; one line for klines without any. */
export function checkedText(checked: Checked): string {
  const { name, report, damage } = checked
  const { rows, first, last, interval, advice } = report
  const span = first === undefined || last === undefined ? '' : ` from ${utcText(first)} to ${utcText(last)}`
  const title = `${name}: ${counted(rows, 'kline')} of ${interval}${span}`
  const found = foundIn(report)
  if (isCheckedClean(checked) && found.length === 0 && advice === undefined) return `${title}. Clean.\n`
  const lines = [
    title,
    ...(found.length === 0 ? [] : [tableOf(found)]),
    ...(advice === undefined ? [] : [advice]),
    ...damage,
    isCheckedClean(checked) ? 'Clean.' : 'Not clean.',
  ]
  return `${lines.join('\n')}\n\n`
}

function tableOf(found: readonly Found[]): string {
  const table = new Table({
    head: ['found', 'count', 'such as'],
    colAligns: ['left', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  })
  for (const [what, count, texts] of found) table.push([what, count.length, texts.join('\n')])
  return table.toString()
}

type Found = readonly [what: string, found: readonly unknown[], examples: readonly string[]]

/** Kinds of findings that there are. */
function foundIn(report: KlineReport): readonly Found[] {
  const { findings, warnings } = report
  const kinds: readonly Found[] = [
    ['gaps', findings.gaps, gapTexts(report)],
    ['rows out of order', findings.disorder, examples(findings.disorder)],
    ['duplicates', findings.duplicates, examples(findings.duplicates)],
    ['times of no kline', findings.misaligned, examples(findings.misaligned)],
    ['impossible klines', findings.insane, examples(findings.insane)],
    ['unreadable rows', findings.unreadable, findings.unreadable.slice(0, EXAMPLES).map(unreadableText)],
    ['(no volume)', warnings.zeroVolume, examples(warnings.zeroVolume)],
    ['(outliers)', warnings.outliers, examples(warnings.outliers)],
  ]
  return kinds.filter(([, found]) => found.length > 0)
}

/** Sum of the gaps, and the longest ones. */
function gapTexts(report: KlineReport): readonly string[] {
  const { gaps } = report.findings
  if (gaps.length === 0) return []
  const longest = gaps.toSorted((left, right) => right.missing - left.missing).slice(0, EXAMPLES)
  return [
    `${counted(missingIn(report), 'kline')} absent`,
    ...longest.map(({ from, missing }) => `${missing} of them from ${utcText(from)}`),
  ]
}

function examples(found: readonly RowFinding[]): readonly string[] {
  return found
    .slice(0, EXAMPLES)
    .map(({ place, openTime, detail }) => `${place} (${utcText(openTime)}) ${detail}`)
}

function unreadableText({ place, problem }: UnreadableRow): string {
  return `${place} ${problem}`
}
