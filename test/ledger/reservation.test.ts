import { describe, expect, it } from 'vitest'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf, amountToText } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { OrderDraft, OrderSpec } from '../../src/domain/orders/order-request.ts'
import type { OrderEventType } from '../../src/domain/orders/order-status.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { expectedPrice } from '../../src/ledger/reservation.ts'
import { FUTURES_BTC, MARGIN_BTC, SPOT_BTC } from '../domain/instruments.ts'
import { fillOf, requestOf } from './order-parts.ts'

const LIMIT: OrderSpec = { type: 'limit', price: ticks(9_000) }
const STOP: OrderSpec = { type: 'stop', stopPrice: ticks(11_000) }
const STOP_LIMIT: OrderSpec = { type: 'stopLimit', stopPrice: ticks(11_000), price: ticks(11_100) }
const TRAILING: OrderSpec = { type: 'trailingStop', distance: ticks(500), anchor: ticks(10_500) }

describe('expectedPrice', () => {
  it.each([
    ['market', { type: 'market' }, 10_000],
    ['limit', LIMIT, 9_000],
    ['stop', STOP, 11_000],
    ['stop-limit', STOP_LIMIT, 11_100],
    ['limit order if touched', { type: 'ifTouched', triggerPrice: ticks(9_500) }, 9_500],
    ['trailing stop', TRAILING, 10_000],
  ] as const)('of a %s order with the price at 10000 ticks is %3$d', (_name, spec, price) => {
    expect(expectedPrice(spec, ticks(10_000))).toBe(price)
  })
})

/** A ledger with 1000 USDT and 5 BTC, and one order for one BTC with the price at 100. */
function withOrder(
  instrument: Instrument,
  fields: Partial<OrderDraft>,
  events: OrderEventType[] = [],
): Ledger {
  const ledger = new Ledger(
    [instrument],
    [
      ['USDT', amountOf('1000')],
      ['BTC', amountOf('5')],
    ],
  )
  ledger.orders.add(requestOf({ clientOrderId: 'a', ...fields }))
  for (const event of events) ledger.orders.update('a', event)
  return ledger
}

describe('a working order reserves', () => {
  it.each<[string, typeof SPOT_BTC, Partial<OrderDraft>, string, string]>([
    ['price × quantity for a spot buy', SPOT_BTC, { spec: LIMIT }, '90', '0'],
    ['the latest price for a market buy', SPOT_BTC, {}, '100', '0'],
    ['the limit behind a stop', SPOT_BTC, { spec: STOP_LIMIT }, '111', '0'],
    ['a taker fee too where fees are in quote', MARGIN_BTC, { spec: STOP }, '110.055', '0'],
    ['the base for a spot sell', SPOT_BTC, { side: 'sell', spec: LIMIT }, '0', '1'],
    [
      'nothing for a sell that only reduces',
      SPOT_BTC,
      { side: 'sell', spec: STOP, reduceOnly: true },
      '0',
      '0',
    ],
    ['nothing for a buy that only reduces', MARGIN_BTC, { spec: STOP, reduceOnly: true }, '0', '0'],
  ])('%s', (_name, instrument, fields, quote, base) => {
    const ledger = withOrder(instrument, fields)
    expect(amountToText(ledger.reserved('USDT'))).toBe(quote)
    expect(amountToText(ledger.reserved('BTC'))).toBe(base)
    expect(ledger.free('USDT')).toBe(amountOf('1000') - amountOf(quote))
    expect(ledger.free('BTC')).toBe(amountOf('5') - amountOf(base))
    expect(ledger.reserved('EUR')).toBe(0n)
  })

  it.each<[string, Instrument, Partial<OrderDraft>, string]>([
    ['a market buy', SPOT_BTC, {}, '107'],
    ['a stop, at its own', SPOT_BTC, { spec: STOP }, '117.7'],
    ['an entry if touched', SPOT_BTC, { spec: { type: 'ifTouched', triggerPrice: ticks(9_500) } }, '101.65'],
    ['a trailing stop', SPOT_BTC, { spec: TRAILING }, '107'],
    ['no limit order', SPOT_BTC, { spec: LIMIT }, '90'],
    ['no stop-limit', SPOT_BTC, { spec: STOP_LIMIT }, '111'],
    ['nothing that only reduces', SPOT_BTC, { reduceOnly: true }, '0'],
    // 1000 contracts of 0.01 BTC at 107.0: a tenth, and 0.05%.
    ['a long of contracts', FUTURES_BTC, { referencePrice: ticks(1_000) }, '107.535'],
    ['a short of contracts', FUTURES_BTC, { referencePrice: ticks(1_000), side: 'sell' }, '107.535'],
  ])(
    'what the price up to which a running bot may trade it costs, 7%% higher: %s',
    (_name, market, fields, quote) => {
      const ledger = withOrder({ ...market, maxSlippageRate: 0.07 }, fields)
      expect(amountToText(ledger.reserved('USDT'))).toBe(quote)
    },
  )

  it('as long as it may trade, an unknown outcome included', () => {
    const reservedAfter = (...events: OrderEventType[]) =>
      amountToText(withOrder(SPOT_BTC, { spec: LIMIT }, events).reserved('USDT'))
    expect(reservedAfter('submitted', 'outcomeLost')).toBe('90')
    expect(reservedAfter('submitted', 'accepted')).toBe('90')
    expect(reservedAfter('submitted', 'accepted', 'canceled')).toBe('0')
    expect(reservedAfter('submitted', 'rejected')).toBe('0')
    expect(reservedAfter('submitted', 'outcomeLost', 'notPlaced')).toBe('0')
  })

  it('only for what is still to be filled, and nothing once it is filled', () => {
    const ledger = withOrder(SPOT_BTC, { spec: LIMIT }, ['submitted'])
    const request = requestOf({ clientOrderId: 'a', spec: LIMIT })
    ledger.book(fillOf(request, { id: '1', price: '89', quantity: '0.4' }))
    expect(amountToText(ledger.reserved('USDT'))).toBe('54')
    // 1000 - 0.4 × 89 = 964.4 are left, of which 54 are reserved.
    expect(amountToText(ledger.free('USDT'))).toBe('910.4')
    ledger.book(fillOf(request, { id: '2', price: '90', quantity: '0.6' }))
    expect(amountToText(ledger.reserved('USDT'))).toBe('0')
  })

  it('together with every other one', () => {
    const ledger = withOrder(SPOT_BTC, { spec: LIMIT })
    ledger.orders.add(requestOf({ clientOrderId: 'b', spec: LIMIT, quantity: steps(500) }))
    expect(amountToText(ledger.reserved('USDT'))).toBe('135')
  })
})
