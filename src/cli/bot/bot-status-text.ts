import type { BotStatus, OrderStatusLine, ScopeStatus, StrategyStatus } from '../../bot/log/bot-status.ts'
import { statusWarnings } from '../../bot/log/status-warnings.ts'
import { durationText, grouped, momentText, numberText, percentText } from '../../bot/text/figures.ts'
import { assetList, moneyList, orderStatusText, strategyText } from '../../bot/text/log-lines.ts'
import type { PositionStatus } from '../../bot/text/position-status.ts'
import { levelsText, positionNotes, positionText, quantityWithUnit } from '../../bot/text/position-text.ts'
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
    ...section('Orders', others.length === 0 ? ['none'] : others.map(orderLine)),
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
  const watching = protections.length === 0 ? '' : `, watched by ${protections.join(', ')}`
  const inherited = mode === effectiveMode ? '' : `, as ${holderOf(scope, effectiveMode, all)} is`
  const wider = haltedUntilStart === undefined ? inherited : ' until the bot is started again'
  return `${scope}: ${effectiveMode}${wider}${watching}`
}

/** The wider scope whose mode a scope has: the account, or its instrument. */
function holderOf(scope: string, mode: ScopeStatus['mode'], all: readonly ScopeStatus[]): string {
  const isHeld = (name: string) =>
    all.some(one => one.scope === name && (one.mode === mode || one.haltedUntilStart !== undefined))
  if (isHeld('account')) return 'the account'
  return (
    all.find(one => one.scope !== scope && scope.includes(one.scope) && isHeld(one.scope))?.scope ??
    'its instrument'
  )
}

function executedText({ executed, quantity, filled }: OrderStatusLine): string {
  if (executed === undefined) return ''
  const lack = Number(filled) === 0 ? 'trades not listed yet' : 'not all trades listed yet'
  return `, executed ${grouped(executed)} of ${grouped(quantity)}, ${lack}`
}

function orderLine(order: OrderStatusLine): string {
  const { symbol, side, purpose, type, quantity, filled, unit, prices, callbackRate } = order
  const size = quantityWithUnit(quantity, unit)
  const rate = callbackRate === undefined ? [] : [`by ${percentText(callbackRate)}`]
  const terms = [orderWord(type), ...prices.map(numberText), ...rate].join(' ')
  const use = purpose === type ? '' : `, ${orderWord(purpose)}`
  const status = orderStatusText(order.status, order.watchedBy)
  const part = Number(filled) === 0 ? '' : `, ${grouped(filled)} filled`
  return `${symbol}: ${side.toUpperCase()} ${size}, ${terms}${use}, ${status}${part}${executedText(order)}`
}
