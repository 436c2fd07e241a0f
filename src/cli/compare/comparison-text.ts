import Table from 'cli-table3'
import { momentText, moneyText, signedMoneyText } from '../../bot/text/figures.ts'
import type { ComparisonJson, OrderRow, TripRow } from '../../compare/comparison-rows.ts'
import type { PredictedResult } from '../../compare/predicted-result.ts'
import { AMOUNT_DECIMALS } from '../../domain/numbers/amount.ts'
import { grouped } from '../../domain/numbers/grouped.ts'
import { orderWord } from '../../domain/orders/order-words.ts'

/** A comparison for people: its verdict, the account of the difference, orders and round trips beside each other. */
export function comparisonText(rows: ComparisonJson): string {
  const { sentence, from, until, quote } = rows
  const head = `${rows.bot}: live beside the backtest of what it has seen, ${momentText(from)} to ${momentText(until)}\n${sentence}\n`
  if (rows.verdict === 'nothingYet' || rows.verdict === 'notComparable') return head
  return [
    head,
    `live ${moneyText(rows.live, quote)}, backtest ${moneyText(rows.backtest, quote)}, difference ${signedMoneyText(rows.difference, quote)}`,
    ...(rows.predicted === undefined ? [] : [predictedText(rows.predicted, quote)]),
    accountTable(rows),
    ordersTable(rows.orders, quote),
    tripsTable(rows.trips, quote),
    '',
  ].join('\n')
}

/** The average result of a round trip, live and predicted, in the words of the window. */
function predictedText({ lower, upper, live, isInside, trips }: PredictedResult, quote: string): string {
  const money = (amount: number) => moneyText(amount.toFixed(AMOUNT_DECIMALS), quote)
  return `a round trip, as the backtest predicts: ${money(lower)} to ${money(upper)} on average (95%, bootstrap of ${trips}); live ${money(live)} lies ${isInside ? 'inside' : 'outside'}`
}

/** The parts that are not zero; they add up to the difference. */
function accountTable({ parts, quote, difference }: ComparisonJson): string {
  const table = tableOf(['of the difference', 'amount'], ['left', 'right'])
  for (const { text, amount } of parts) if (amount !== '0') table.push([text, signedMoneyText(amount, quote)])
  table.push(['in all', signedMoneyText(difference, quote)])
  return table.toString()
}

function ordersTable(orders: readonly OrderRow[], quote: string): string {
  const table = tableOf(
    ['decided', 'order', 'which', 'live', 'backtest', 'difference', 'cause'],
    ['left', 'left', 'left', 'left', 'left', 'right', 'left'],
  )
  for (const order of orders)
    table.push([
      momentText(order.decidedAt),
      `${order.symbol} ${order.side} ${orderWord(order.purpose)}`,
      WHICH[order.match],
      sideText(order.live, order.base),
      sideText(order.backtest, order.base),
      signedMoneyText(order.difference, quote),
      order.cause ?? '',
    ])
  return table.toString()
}

const WHICH = { matched: 'matched', onlyLive: 'only live', onlyBacktest: 'only backtest' } as const

function sideText(side: OrderRow['live'], base: string): string {
  if (side === undefined) return '–'
  const { filled, quantity, price, time, fees, feeAsset = '', status } = side
  if (price === undefined || time === undefined)
    return `${orderWord(status)}, 0 of ${grouped(quantity)} ${base}`
  return `${grouped(filled)} of ${grouped(quantity)} ${base} at ${grouped(price)}, ${momentText(time)}, fee ${moneyText(fees, feeAsset)}`
}

function tripsTable(trips: readonly TripRow[], quote: string): string {
  const table = tableOf(['round trip', 'which', 'live', 'backtest'], ['left', 'left', 'left', 'left'])
  for (const trip of trips)
    table.push([
      `${trip.symbol} ${trip.direction}`,
      WHICH[trip.match],
      tripText(trip.live, trip.base, quote),
      tripText(trip.backtest, trip.base, quote),
    ])
  return trips.length === 0 ? 'No round trip is over yet.' : table.toString()
}

function tripText(side: TripRow['live'], base: string, quote: string): string {
  if (side === undefined) return '–'
  return `${grouped(side.quantity)} ${base}: ${grouped(side.entryPrice)} to ${grouped(side.exitPrice)}, ${signedMoneyText(side.pnl, quote)} after fees of ${moneyText(side.fees, quote)}`
}

function tableOf(head: string[], colAligns: ('left' | 'right')[]) {
  return new Table({ head, colAligns, style: { head: [], border: [], compact: true } })
}
