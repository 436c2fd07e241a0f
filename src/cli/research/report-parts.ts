import Table from 'cli-table3'
import { fixed } from '../../../backtest/report/text/figure-text.ts'
import type { Statistic } from '../../research/statistics/statistic.ts'

/** A fraction as percent with one decimal. */
export function oneDecimalPercent(fraction: number): string {
  return `${fixed(100 * fraction, 1)}%`
}

/** A statistic for people, or that it is undefined and why. */
export function figureOrReason(
  { value, reason }: Statistic,
  text: (value: number) => string = number => fixed(number, 2),
): string {
  return reason === undefined ? text(value) : `undefined (${reason.replace(/\.$/, '')})`
}

/** A smaller probability is not shown as a number. */
export const LEAST_PROBABILITY = 0.001

/** A probability with three decimals; `< 0.001` for a smaller one, which is not 0. */
export function probabilityText(probability: number): string {
  return probability < LEAST_PROBABILITY ? '< 0.001' : fixed(probability, 3)
}

/** Names in a sentence: `a`, `a and b`, `a, b and c`. */
export function listText(names: readonly string[]): string {
  const others = names.slice(0, -1).join(', ')
  return others === '' ? names.join() : `${others} and ${names.at(-1)}`
}

const NO_LINES = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map(name => [name, '']),
)

/** A table without lines; the first `left` columns are aligned on the left, all others on the right. */
export function plainTable(head: readonly string[], rows: readonly (readonly string[])[], left = 0): string {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (column < left ? 'left' : 'right')),
    chars: NO_LINES,
    style: { head: [], border: [], compact: true, 'padding-left': 2, 'padding-right': 0 },
  })
  table.push(...rows.map(row => [...row]))
  return table.toString()
}
