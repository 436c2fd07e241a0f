import type { BotStatus, OrderStatusLine, ScopeStatus, StrategyStatus } from '../../bot/log/bot-status.ts'
import { statusWarnings } from '../../bot/log/status-warnings.ts'
import { widerHolder } from '../../bot/log/wider-hold.ts'
import { durationText, momentText } from '../../bot/text/figures.ts'
import { assetList, moneyList, strategyText } from '../../bot/text/log-lines.ts'
import { orderPricesText } from '../../bot/text/order-prices-text.ts'
import { orderStatusText } from '../../bot/text/order-status-text.ts'
import type { PositionStatus } from '../../bot/text/position-status.ts'
import { levelsText, positionNotes, positionText, quantityWithUnit } from '../../bot/text/position-text.ts'
import { protectionWord } from '../../bot/text/rule-texts.ts'
import { grouped } from '../../domain/numbers/grouped.ts'
import { orderWord } from '../../domain/orders/order-words.ts'

/** Status of a bot for people, with problems first. */
export function statusText(status: BotStatus): string {
  const { bot, time, strategies, trading, held, orders, equity, balances, unverified } = status
  const levels = new Set(['stopLoss', 'takeProfit', 'trailingStop'])
  const others = orders.filter(({ purpose, executed }) => !levels.has(purpose) || executed !== undefined)
  const lines = [
    `${bot} at ${momentText(time)}`,
    ...statusWarnings(status),
    ...section('Positions', held.length === 0 ? [noneText(status)] : held.flatMap(positionLines)),
    ...section(
      'Orders',
      orders.length === 0 ? ['none'] : [...others.map(orderLine), ...protectiveLine(status, others)],
    ),
    ...section('Money', [
      `equity ${moneyList(equity)}${oldPricesText(status)}`,
      `balances ${assetList(balances, equity)}`,
    ]),
    ...section('Strategies', strategies.map(strategyLine)),
    ...section(
      'Trading',
      trading.map(one => scopeLine(one, trading)),
    ),
    ...unverified,
  ]
  return `${lines.join('\n')}\n`
}

/** Protective orders, whose levels stand at their positions, by their status; empty without one. */
function protectiveLine({ orders }: BotStatus, others: readonly OrderStatusLine[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { status, watchedBy } of orders.filter(order => !others.includes(order))) {
    const text = orderStatusText(status, watchedBy)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const texts = Array.from(counts, ([text, count]) => `${count} ${text}`)
  return texts.length === 0 ? [] : [`protective, at the levels above: ${texts.join('; ')}`]
}

function noneText({ orders }: BotStatus): string {
  return orders.some(({ executed, purpose }) => executed !== undefined && purpose === 'entry')
    ? 'none booked yet: an entry has executed, and its trades are not listed'
    : 'none'
}

function oldPricesText({ oldPrices }: BotStatus): string {
  if (oldPrices.length === 0) return ''
  const ages = oldPrices.map(({ symbol, ageMs }) => `${symbol} ${durationText(ageMs)} old`)
  return `, at old prices (${ages.join(', ')})`
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return [title, ...lines.map(line => `  ${line}`)]
}

/** A position, followed by the levels at which orders close it. */
export function positionLines(position: PositionStatus): readonly string[] {
  const levels = levelsText(position)
  const line = `${position.book}: ${positionText(position)}`
  const notes = [...(levels === undefined ? [] : [levels]), ...positionNotes(position)]
  return [line, ...notes.map(note => `  ${note}`)]
}

function strategyLine({ stopped, ...strategy }: StrategyStatus): string {
  return `${strategyText({ ...strategy })}${stopped === undefined ? '' : ` (${stopped.how})`}`
}

function scopeLine(
  { scope, mode, effectiveMode, haltedUntilStart, protections }: ScopeStatus,
  all: readonly ScopeStatus[],
): string {
  const watching =
    protections.length === 0 ? '' : `, watched by ${protections.map(protectionWord).join(', ')}`
  const holder = widerHolder({ scope, mode, effectiveMode }, all)
  const inherited = holder === undefined ? '' : `, as ${holder} is`
  const wider = haltedUntilStart === undefined ? inherited : ' until the bot is started again'
  return `${scope}: ${effectiveMode}${wider}${watching}`
}

function executedText({ executed, quantity, filled }: OrderStatusLine): string {
  if (executed === undefined) return ''
  const lack = Number(filled) === 0 ? 'trades not listed yet' : 'not all trades listed yet'
  return `, executed ${grouped(executed)} of ${grouped(quantity)}, ${lack}`
}

function orderLine(order: OrderStatusLine): string {
  const { symbol, side, purpose, type, quantity, filled, unit } = order
  const size = quantityWithUnit(quantity, unit)
  const terms = `${orderWord(type)} ${orderPricesText(order)}`.trimEnd()
  const use = purpose === type ? '' : `, ${orderWord(purpose)}`
  const status = orderStatusText(order.status, order.watchedBy)
  const part = Number(filled) === 0 ? '' : `, ${grouped(filled)} filled`
  return `${symbol}: ${side.toUpperCase()} ${size}, ${terms}${use}, ${status}${part}${executedText(order)}`
}
