import type { BotStatus, DayStatus } from '../../bot/log/bot-status.ts'
import { durationText, momentText, signedMoneyText, signedPercentText } from '../../bot/text/figures.ts'
import { moneyList } from '../../bot/text/log-lines.ts'
import { quantityWithUnit } from '../../bot/text/position-text.ts'
import { closeTimeOf, intervalOf, openTimeOf } from '../../domain/market-data/interval.ts'
import { decimalOf } from '../../domain/numbers/decimal.ts'
import { readinessOf } from '../../observe/metrics/readiness.ts'

/** A part of the line; of those that do not fit, the ones with the largest rank are left out. */
interface Part {
  readonly text: string
  readonly rank: number
}

const SEPARATOR = ' | '
/** Positions that are shown each by itself. */
const MOST_POSITIONS = 2
/** First code point of scripts whose signs may take two columns. */
const FIRST_WIDE = 0x11_00

/**
 * `12:34:56Z | OK | equity 10,012.50 USDT | today +12.50 USDT (+0.13%) | LONG 0.01668 BTC +1.20 USDT | close in 23 s`, in at most
 * so many columns.
 */
export function statusLineText(status: BotStatus, columns: number): string {
  const { reasons } = readinessOf(status)
  const [first] = reasons
  const parts: readonly Part[] = [
    { text: momentText(status.time).split(' ').at(-1) ?? '', rank: 1 },
    { text: first === undefined ? 'OK' : `NOT READY: ${first}`, rank: 0 },
    { text: `equity ${moneyList(status.equity)}`, rank: 2 },
    { text: `today ${todayText(status.day)}`, rank: 3 },
    { text: positionsText(status), rank: 4 },
    ...closeParts(status),
  ]
  return fitted(parts, columns)
}

/** The most important parts that fit, in their order, and as much of the most important one as fits. */
function fitted(parts: readonly Part[], columns: number): string {
  const text = parts.map(part => part.text).join(SEPARATOR)
  if (columnsOf(text) <= columns) return text
  if (parts.length > 1) {
    const last = Math.max(...parts.map(({ rank }) => rank))
    return fitted(
      parts.filter(({ rank }) => rank !== last),
      columns,
    )
  }
  let cut = ''
  for (const sign of text) {
    if (columnsOf(cut) + columnsOf(sign) > columns - 1) break
    cut += sign
  }
  return columns < 1 ? '' : `${cut.trimEnd()}…`
}

function columnsOf(text: string): number {
  return [...text].reduce(
    (sum, sign) => sum + ((sign.codePointAt(0) ?? 0) >= FIRST_WIDE && sign !== '…' ? 2 : 1),
    0,
  )
}

function todayText({ equity, change }: DayStatus): string {
  return Object.entries(change)
    .map(([quote, amount]) => {
      const start = decimalOf(equity[quote] ?? '0')
      const percent =
        start.isPositive() && !start.isZero()
          ? ` (${signedPercentText(decimalOf(amount).div(start).toFixed())})`
          : ''
      return `${signedMoneyText(amount, quote)}${percent}`
    })
    .join(', ')
}

function positionsText({ held }: BotStatus): string {
  if (held.length === 0) return 'flat'
  const shown = held
    .slice(0, MOST_POSITIONS)
    .map(({ direction, quantity, unit, symbol, quote, unrealised }) => {
      const size =
        unit === 'contracts'
          ? `${quantityWithUnit(quantity, unit)} of ${symbol}`
          : quantityWithUnit(quantity, unit)
      const result = unrealised === undefined ? '' : ` ${signedMoneyText(unrealised, quote)}`
      return `${direction.toUpperCase()} ${size}${result}`
    })
  const more = held.length - shown.length
  return [...shown, ...(more === 0 ? [] : [`${more} more`])].join(', ')
}

/** The next close of a kline on which a strategy decides. */
function closeParts({ strategies, time }: BotStatus): readonly Part[] {
  const now = Date.parse(time)
  const closes = strategies.map(({ interval }) => {
    const known = intervalOf(interval)
    return closeTimeOf(openTimeOf(now, known), known)
  })
  if (closes.length === 0) return []
  return [{ text: `close in ${durationText(Math.min(...closes) - now)}`, rank: 5 }]
}
