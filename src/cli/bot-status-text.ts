import type { BotStatus, OrderStatusLine, ScopeStatus } from '../bot/bot-status.ts'

/** The status of a bot for people. */
export function statusText(status: BotStatus): string {
  const { bot, time, trading, positions, liquidationPrices, orders, equity, unverified } = status
  const lines = [
    `${bot} at ${time}`,
    'Trading',
    ...trading.flatMap(scopeLines),
    'Positions',
    ...Object.entries(positions).map(([book, quantity]) => {
      const price = liquidationPrices[book]
      return `  ${book.padEnd(WIDTH)}${quantity}${price === undefined ? '' : `, liquidated at ${price}`}`
    }),
    'Equity',
    ...Object.entries(equity).map(([asset, amount]) => `  ${asset.padEnd(WIDTH)}${amount}`),
    `Orders: ${orders.length === 0 ? 'none' : orders.length}`,
    ...orders.map(orderLine),
    ...unverified,
  ]
  return `${lines.join('\n')}\n`
}

const WIDTH = 24

function scopeLines({ scope, mode, holds, protections }: ScopeStatus): readonly string[] {
  const watching = protections.length === 0 ? '' : `, watched by ${protections.join(', ')}`
  return [
    `  ${scope.padEnd(WIDTH)}${mode}${watching}`,
    ...holds.map(({ mode: held, source, reason, since, until }) => {
      const end = until === undefined ? '' : ` until ${until}`
      return `    ${held} by ${source} since ${since}${end}: ${reason}`
    }),
  ]
}

function orderLine({
  symbol,
  side,
  purpose,
  type,
  quantity,
  filled,
  prices,
  status,
}: OrderStatusLine): string {
  return `  ${symbol} ${purpose} ${side} ${quantity} ${[type, ...prices].join(' ')}, ${filled} filled, ${status}`
}
