import { type MoneyFormat, minuteText } from '../../backtest/report/text/figure-text.ts'
import { sourcesTable } from '../../backtest/report/text/profit-table.ts'
import type { Breakdown } from '../../backtest/report/text/report-section.ts'
import type { RecordedOrder } from '../compare/trading-record.ts'
import { type Amount, add, subtract, ZERO } from '../domain/numbers/amount.ts'
import { isWorking } from '../domain/orders/order-status.ts'
import { orderWord } from '../domain/orders/order-words.ts'
import type { RecordedRun } from './recorded-run.ts'
import type { Worth } from './run-start.ts'

/** From start to final equity: round trips, open positions, funding, what was moved, and the rest. */
export function changeOfEquity(run: RecordedRun, start: Worth, money: MoneyFormat): Breakdown {
  const { trading, moved, worth } = run
  const sum = (amounts: readonly Amount[]) => amounts.reduce(add, ZERO)
  const trips = sum(trading.trips.filter(({ symbol }) => run.countsIn(symbol)).map(({ pnl }) => pnl))
  const open = subtract(worth.open, start.open)
  const funding = subtract(ZERO, sum(trading.fundings.map(({ amount }) => amount)))
  const known = [start.equity, trips, open, funding, moved].reduce(add, ZERO)
  const others: readonly (readonly [string, Amount])[] = [
    ['Open positions, after fees', open],
    ['Funding, received less paid', funding],
    ['Moved in or out, or traded by others', moved],
    ['Holdings besides positions, and remainders of fees', subtract(worth.equity, known)],
  ]
  return sourcesTable(
    [
      ['Start equity', start.equity],
      ['Round trips, after fees', trips],
      ...others.filter(([, amount]) => amount !== ZERO),
    ],
    worth.equity,
    money,
  )
}

/** Orders that ended without a fill, protective ones apart, by status and purpose. */
export function endedWithoutFill({ trading }: RecordedRun): Breakdown {
  const ended = [...trading.orders.values()].filter(
    ({ request, status, fills }) =>
      request.protects === undefined && !isWorking(status) && fills.length === 0,
  )
  const groups = Map.groupBy(
    ended,
    ({ status, request }) => `${orderWord(status)} ${orderWord(request.purpose)}`,
  )
  return {
    title: 'Orders that ended without a fill',
    head: ['Order', 'Count', 'First', 'Its reason'],
    rows: [...groups].map(([name, [first, ...others]]) => [
      name,
      String(1 + others.length),
      ...firstTexts(first),
    ]),
  }
}

function firstTexts(order: RecordedOrder | undefined): readonly string[] {
  return order === undefined ? [] : [minuteText(order.request.decidedAt), order.reason ?? '']
}
