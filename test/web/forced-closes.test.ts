import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../src/domain/events/engine-event.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf, rateOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import { enterLong } from '../../src/strategy/index.ts'
import { TradingHistory } from '../../src/web/history/trading-history.ts'
import { exportFile } from '../../src/web/sources/export-files.ts'
import { EngineSession, MARGIN, scripted } from '../engine/engine-session.ts'

const MINUTE = 60_000

/** Contracts of 0.001 BTC, held with ten times leverage. */
const CONTRACT: Instrument = {
  ...MARGIN,
  ...{ accountType: 'futures', quantityPrecision: 0, contractSize: amountOf('0.001') },
  futures: {
    leverage: 10,
    marginMode: 'isolated',
    positionMode: 'oneWay',
    maintenance: [{ rate: rateOf('0.01') }],
  },
}

const newSession = () =>
  new EngineSession(scripted({ 0: enterLong({ size: { base: 10 } }) }), {
    ...{ instrument: CONTRACT, quote: '1000', isObserved: true },
  })

/** The history of a bot that bought 10 BTC in contracts, lost 4 of them to others and 6 to the exchange. */
function historyOf(): TradingHistory {
  const session = newSession()
  session.kline(100)
  session.fill(1, 100)
  const closed = (quantity: number, price: number, fee: string) => ({
    ...({ symbol: 'BTC/USDT', book: 'BTC/USDT', direction: 'long', fee: amountOf(fee) } as const),
    ...{ quantity: steps(quantity), price: ticks(price * 100) },
  })
  const byOthers = { ...closed(4000, 95, '0.25'), by: 'others' } as const
  session.process({ type: 'liquidated', liquidation: byOthers, fillId: 'closed', time: 2 * MINUTE })
  const taken = closed(6000, 91, '2')
  session.process({ type: 'liquidated', liquidation: taken, fillId: 'taken', time: 3 * MINUTE })
  return taking(session.events)
}

function taking(events: readonly EngineEvent[]): TradingHistory {
  const history = new TradingHistory()
  const { engine } = newSession()
  history.onEntry({ kind: 'session', time: 0, body: { instruments: [CONTRACT] } })
  for (const body of events)
    history.onEntry({ kind: 'event', time: MINUTE, body, decisions: engine.process(body) })
  return history
}

/** Cells of the columns of a list in CSV. */
function cells(list: string, ...columns: readonly string[]): readonly (readonly (string | undefined)[])[] {
  const [head = '', ...rows] = String(exportFile(historyOf(), `${list}.csv`)?.content)
    .trimEnd()
    .split('\n')
  const places = columns.map(column => head.split(',').indexOf(column))
  return rows.map(row => places.map(place => row.split(',')[place]))
}

describe('closes without an order of the bot', () => {
  it('are fills with their price and fee, so that all fills add up to what is held', () => {
    expect(cells('fills', 'side', 'purpose', 'time', 'price', 'quantity', 'fee')).toEqual([
      ['buy', 'entry', '1970-01-01T00:01:00.000Z', '100.00', '10000 contracts', '0 USDT'],
      ['sell', 'outsideClose', '1970-01-01T00:02:00.000Z', '95.00', '4000 contracts', '0.25 USDT'],
      ['sell', 'liquidation', '1970-01-01T00:03:00.000Z', '91.00', '6000 contracts', '2 USDT'],
    ])
  })

  it('are orders that are over, and are named as none of the bot', () => {
    expect(cells('orders', 'side', 'purpose', 'plan', 'quantity', 'filled', 'status')).toEqual([
      ['buy', 'entry', 'market', '10000 contracts', '10000', 'filled'],
      ['sell', 'outsideClose', 'not an order of this bot', '4000 contracts', '4000', 'filled'],
      ['sell', 'liquidation', 'not an order of this bot', '6000 contracts', '6000', 'filled'],
    ])
    const steps = historyOf()
      .orders.all.slice(1)
      .map(order => order.steps.map(({ what }) => what))
    expect(steps).toEqual([
      ['filled 4000 contracts at 95.00 USDT (taker)'],
      ['filled 6000 contracts at 91.00 USDT (taker)'],
    ])
  })

  it('are marked in the chart', () => {
    expect(historyOf().fills.map(({ side, price }) => [side, price])).toEqual([
      ['buy', 100],
      ['sell', 95],
      ['sell', 91],
    ])
  })
})
