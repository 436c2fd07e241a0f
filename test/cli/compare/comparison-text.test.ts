import { expect, it } from 'vitest'
import { comparisonText } from '../../../src/cli/compare/comparison-text.ts'
import type { ComparisonJson, OrderSideRow } from '../../../src/compare/comparison-rows.ts'

it('rounds money as everywhere, and names purposes in words', () => {
  const side: OrderSideRow = {
    ...{ clientOrderId: 'one', quantity: '0.04166', filled: '0.04166', price: '58776.44' },
    ...{ time: '2026-11-27T15:30:00.000Z', fees: '2.448626', feeAsset: 'USDT', status: 'filled' },
  }
  const trip = {
    ...{ entryTime: side.time ?? '', exitTime: side.time ?? '', quantity: '0.04166' },
    ...{ entryPrice: '58776.44', exitPrice: '58600.1', pnl: '-12.2427407', fees: '4.897252' },
  }
  const [many, none] = [
    { ...side, quantity: '1123', filled: '1123' },
    { clientOrderId: 'two', quantity: '1124', filled: '0', fees: '0', status: 'canceled' },
  ]
  const contracts = { ...trip, quantity: '1125' }
  const rows: ComparisonJson = {
    ...{ bot: 'one', quote: 'USDT', from: '2026-11-27T15:00:00.000Z', until: '2026-11-27T16:00:00.000Z' },
    ...{ verdict: 'asPromised', sentence: 'As promised.' },
    ...{ live: '-256.2707422957', backtest: '-304.4503964357', difference: '48.17965414' },
    ...{ turnover: { live: '1', backtest: '1' }, downtime: 0, boundRate: 0.001 },
    predicted: { lower: -0.8, upper: -0.42, live: -2.01, isInside: false, trips: 40, liveTrips: 41 },
    parts: [{ part: 'spread', text: 'spread', amount: '48.17965414' }],
    ...{ funding: { live: '0', backtest: '0' }, leftOut: [] },
    orders: [
      {
        ...{ match: 'onlyLive', decidedAt: '2026-11-27T15:30:00.000Z', symbol: 'BTC/USDT', strategy: 'a' },
        base: 'BTC',
        ...{ side: 'sell', purpose: 'stopLoss', live: side, difference: '0.00423', parts: {} },
      },
      {
        ...{ match: 'matched', decidedAt: '2026-11-27T15:30:00.000Z', symbol: 'E-BTC', strategy: 'a' },
        base: 'BTC',
        ...{ side: 'sell', purpose: 'exit', live: many, backtest: none, difference: '0', parts: {} },
      },
    ],
    trips: [
      { match: 'onlyLive', symbol: 'BTC/USDT', base: 'BTC', direction: 'long', live: trip },
      { match: 'onlyLive', symbol: 'E-BTC', base: 'BTC', direction: 'long', live: contracts },
    ],
  }
  const text = comparisonText(rows)
  expect(text).toContain('live -256.27 USDT, backtest -304.45 USDT, difference +48.18 USDT')
  expect(text).toContain('+48.18 USDT')
  expect(text).toContain(
    '-0.80 USDT to -0.42 USDT on average (95%, bootstrap of 40); live -2.01 USDT lies outside',
  )
  expect(text).toContain('BTC/USDT sell stop-loss')
  expect(text).toContain('0.04166 of 0.04166 BTC at 58,776.44, 2026-11-27 15:30:00Z, fee 2.45 USDT')
  // Two digits of what two decimals would hide.
  expect(text).toContain('+0.0042 USDT')
  expect(text).toContain('0.04166 BTC: 58,776.44 to 58,600.1, -12.24 USDT after fees of 4.90 USDT')
  expect(text).toContain('1,123 of 1,123 BTC at 58,776.44')
  expect(text).toContain('canceled, 0 of 1,124 BTC')
  expect(text).toContain('1,125 BTC: 58,776.44 to')
})
