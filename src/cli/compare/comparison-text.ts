import Table from 'cli-table3'
import { momentText } from '../../bot/text/figures.ts'
import type { ComparisonJson, OrderRow, TripRow } from '../../compare/comparison-rows.ts'

/** A comparison for people: its verdict, the account of the difference, orders and round trips beside each other. */
export function comparisonText(rows: ComparisonJson): string {
  const { sentence, from, until, quote } = rows
  const head = `${rows.bot}: live beside the backtest of what it has seen, ${momentText(from)} to ${momentText(until)}\n${sentence}\n`
  if (rows.verdict === 'nothingYet' || rows.verdict === 'notComparable') return head
  return [
    head,
    `live ${rows.live} ${quote}, backtest ${rows.backtest} ${quote}, difference ${rows.difference} ${quote}`,
    accountTable(rows),
    ordersTable(rows.orders),
    tripsTable(rows.trips),
    '',
  ].join('\n')
}

/** The parts that are not zero; they add up to the difference. */
function accountTable({ parts, quote, difference }: ComparisonJson): string {
  const table = tableOf(['of the difference', quote], ['left', 'right'])
  for (const { text, amount } of parts) if (amount !== '0') table.push([text, amount])
  table.push(['in all', difference])
  return table.toString()
}

function ordersTable(orders: readonly OrderRow[]): string {
  const table = tableOf(
    ['decided', 'order', 'which', 'live', 'backtest', 'difference', 'cause'],
    ['left', 'left', 'left', 'left', 'left', 'right', 'left'],
  )
  for (const order of orders)
    table.push([
      momentText(order.decidedAt),
      `${order.symbol} ${order.side} ${order.purpose}`,
      WHICH[order.match],
      sideText(order.live),
      sideText(order.backtest),
      order.difference,
      order.cause ?? '',
    ])
  return table.toString()
}

const WHICH = { matched: 'matched', onlyLive: 'only live', onlyBacktest: 'only backtest' } as const

function sideText(side: OrderRow['live']): string {
  if (side === undefined) return '–'
  const { filled, quantity, price, time, fees, status } = side
  if (price === undefined || time === undefined) return `${status}, 0 of ${quantity}`
  return `${filled} of ${quantity} at ${price}, ${momentText(time)}, fee ${fees}`
}

function tripsTable(trips: readonly TripRow[]): string {
  const table = tableOf(['round trip', 'which', 'live', 'backtest'], ['left', 'left', 'left', 'left'])
  for (const trip of trips)
    table.push([
      `${trip.symbol} ${trip.direction}`,
      WHICH[trip.match],
      tripText(trip.live),
      tripText(trip.backtest),
    ])
  return trips.length === 0 ? 'No round trip is over yet.' : table.toString()
}

function tripText(side: TripRow['live']): string {
  if (side === undefined) return '–'
  return `${side.quantity}: ${side.entryPrice} to ${side.exitPrice}, ${side.pnl} after fees of ${side.fees}`
}

function tableOf(head: string[], colAligns: ('left' | 'right')[]) {
  return new Table({ head, colAligns, style: { head: [], border: [], compact: true } })
}
