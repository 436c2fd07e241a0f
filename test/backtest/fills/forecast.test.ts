import { describe, expect, it } from 'vitest'
import { taken } from '../../../backtest/fills/execution-price.ts'
import { fillPrices } from '../../../backtest/fills/fill-prices.ts'
import { modelOrder } from '../../../backtest/fills/model-order.ts'
import { Forecast } from '../../../backtest/fills/path/forecast.ts'
import { type ForecastOrder, forecastOrder } from '../../../backtest/fills/path/forecast-order.ts'
import { DEFAULT_FILL_SETTINGS } from '../../../backtest/models/fill-settings.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { OrderDraft } from '../../../src/domain/orders/order-request.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const KLINE = { openTime: 0, open: 100, high: 110, low: 90, close: 100, volume: 1 }
const forecast = new Forecast(MARGIN, fillPrices(MARGIN, { ...DEFAULT_FILL_SETTINGS, slippageRate: 0 }))

function orderOf(clientOrderId: string, base: number, fields: Partial<OrderDraft>): ForecastOrder {
  const request = requestOf({ clientOrderId, quantity: steps(base * 1000), ...fields })
  return forecastOrder(modelOrder(MARGIN, request, undefined, 0))
}

const exitOf = (protects: string) => ({ side: 'sell', reduceOnly: true, protects }) as const

function stopLoss(protects: string, base: number): ForecastOrder {
  const spec = { type: 'stop', stopPrice: ticks(9500) } as const
  return orderOf(`${protects}-stop`, base, { ...exitOf(protects), purpose: 'stopLoss', spec })
}

function takeProfit(protects: string, name: string, base: number): ForecastOrder {
  const spec = { type: 'limit', price: ticks(10_500) } as const
  return orderOf(`${protects}-${name}`, base, { ...exitOf(protects), purpose: 'takeProfit', spec })
}

/** Orders that are left, with their quantities in base, once `traded` has traded at 100; `held` in base, by entry. */
function leftAfter(
  traded: ForecastOrder,
  others: readonly ForecastOrder[],
  held: Readonly<Record<string, number>>,
): string[] {
  const lots = Object.entries(held).map(([id, base]) => {
    return { id, book: traded.book, isLong: true, quantity: base * 1000 }
  })
  const outlook = { orders: [traded, ...others], lots, tradable: steps(10_000) }
  const outcome = forecast.trade(outlook, traded, taken(100, 'stopInside'), KLINE)
  return outcome.outlook.orders.map(({ id, quantity }) => `${id} ${quantity / 1000}`)
}

describe('a forecast of what the engine does on a fill', () => {
  it('lets a further part of an entry enlarge its own exits, and no others', () => {
    const entry = orderOf('entry', 1, {})
    const exits = [stopLoss('entry', 2), stopLoss('other', 4)]
    expect(leftAfter(entry, exits, { entry: 2, other: 4 })).toEqual(['entry-stop 3', 'other-stop 4'])
  })

  it('leaves the other parts of a take-profit without a stop-loss as they are', () => {
    const parts = [takeProfit('entry', 'second', 2), takeProfit('entry', 'third', 3)]
    const left = leftAfter(takeProfit('entry', 'first', 1), parts, { entry: 6 })
    expect(left).toEqual(['entry-second 2', 'entry-third 3'])
  })

  it('drops the exits of a position that a stop-loss has closed', () => {
    const others = [takeProfit('entry', 'first', 2), takeProfit('other', 'first', 1)]
    expect(leftAfter(stopLoss('entry', 2), others, { entry: 2, other: 1 })).toEqual(['other-first 1'])
  })

  it('takes an exit of its own from the oldest entries, and leaves all others what is then held', () => {
    const spec = { type: 'limit', price: ticks(10_400) } as const
    const own = (name: string, base: number) =>
      orderOf(name, base, { side: 'sell', reduceOnly: true, purpose: 'exit', spec })
    const protective = [stopLoss('old', 2), takeProfit('old', 'first', 2), stopLoss('young', 3)]
    // Of 2 and 3, 3 are sold: none of the older, 2 of the younger are left, for all that want to close them.
    const left = leftAfter(own('exit', 3), [...protective, own('other', 1), own('last', 4)], {
      old: 2,
      young: 3,
    })
    expect(left).toEqual(['young-stop 2', 'other 1', 'last 1'])
  })

  it('has an entry against the position close it before it opens anything', () => {
    const protection = { stopLoss: 105 }
    const short = (base: number) => orderOf('short', base, { side: 'sell', protection })
    expect(leftAfter(short(3), [stopLoss('entry', 4)], { entry: 4 })).toEqual(['entry-stop 1'])
    expect(leftAfter(short(6), [stopLoss('entry', 4)], { entry: 4 })).toEqual(['short 2'])
  })
})
