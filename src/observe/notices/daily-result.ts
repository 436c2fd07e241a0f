import type { BotStatus } from '../../bot/log/bot-status.ts'
import { momentText, moneyText, signedMoneyText } from '../../bot/text/figures.ts'
import { positionText } from '../../bot/text/position-text.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { decimalOf } from '../../domain/numbers/decimal.ts'
import { type BotNotice, botNotice } from './bot-notice.ts'

/** Counts from one daily result to the next; survives a restart. Money is exact text, by quote. */
export interface DayCounts {
  /** ms UTC; when counting began. */
  readonly since: number
  /** Equity then; absent before the first look. */
  equity?: Readonly<Record<string, string>>
  fills: number
  roundTrips: number
  wins: number
  denials: number
  rejections: number
  /** Results of the round trips after fees. */
  realised: Record<string, string>
}

/** Counts from zero. */
export function newDay(since: number, equity?: DayCounts['equity']): DayCounts {
  const counts = { fills: 0, roundTrips: 0, wins: 0, denials: 0, rejections: 0 }
  return { since, ...(equity !== undefined && { equity }), ...counts, realised: {} }
}

/** Counts a notice. */
export function countNotice(counts: DayCounts, { kind, figures }: BotNotice): void {
  if (kind === 'fill') counts.fills++
  if (kind === 'orderDenied') counts.denials++
  if (kind === 'orderRejected') counts.rejections++
  if (kind !== 'roundTrip') return
  const { quote = '', pnl = '0' } = figures
  counts.roundTrips++
  if (!pnl.startsWith('-') && pnl !== '0') counts.wins++
  counts.realised[quote] = decimalOf(counts.realised[quote] ?? '0')
    .plus(decimalOf(pnl))
    .toFixed()
}

/** The result since counting began. */
export function dailyResult(counts: DayCounts, status: BotStatus, time: number): BotNotice {
  const { equity, trading } = status
  const money = Object.entries(equity).map(([quote, now]) => {
    const before = counts.equity?.[quote]
    const change = before === undefined ? undefined : decimalOf(now).minus(decimalOf(before)).toFixed()
    return `Equity ${moneyText(now, quote)}${change === undefined ? '' : ` (${signedMoneyText(change, quote)})`}.`
  })
  const closed = Object.entries(counts.realised).map(([quote, pnl]) => signedMoneyText(pnl, quote))
  const heldBack = trading
    .filter(({ mode }) => mode !== 'active')
    .map(({ scope, mode }) => `${scope} is ${mode}`)
  const sentences = [
    `Since ${momentText(utcText(counts.since))}:`,
    ...money,
    counts.roundTrips === 0
      ? 'No round trip was closed.'
      : `Round trips closed: ${counts.roundTrips}, ${counts.wins} with a profit, ${closed.join(', ')} after fees.`,
    `Fills: ${counts.fills}, denials: ${counts.denials}, rejections: ${counts.rejections}.`,
    heldSentence(status),
    ...(heldBack.length === 0 ? [] : [`Held back: ${heldBack.join(', ')}.`]),
  ]
  const figures = Object.fromEntries([
    ...Object.entries(equity).map(([quote, now]) => [`equity ${quote}`, now]),
    ...Object.entries(counts.realised).map(([quote, pnl]) => [`realised ${quote}`, inDecimals(pnl)]),
    ...(['fills', 'roundTrips', 'wins', 'denials', 'rejections'] as const).map(name => [
      name,
      `${counts[name]}`,
    ]),
  ])
  return botNotice({
    kind: 'dailyResult',
    key: `dailyResult ${time}`,
    sentence: sentences.join(' '),
    figures,
    time,
  })
}

/** Decimals of a figure that was summed up; exchanges have no finer ones in their balances. */
const FIGURE_DECIMALS = 8

function inDecimals(amount: string): string {
  return decimalOf(amount).toDecimalPlaces(FIGURE_DECIMALS).toFixed()
}

/** Positions of a bot in a sentence. */
export function heldSentence({ held }: Pick<BotStatus, 'held'>): string {
  return held.length === 0
    ? 'Nothing is held.'
    : `Held: ${held.map(one => `${one.book} ${positionText(one)}`).join('; ')}.`
}
