import { expect, it } from 'vitest'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import type { ViewState } from '../../src/web/sources/view-state.ts'
import { VIEWS } from '../../src/web/sources/views.ts'
import { SPOT_BTC } from '../domain/instruments.ts'

it('rounds the money of limits as everywhere, and says one order', () => {
  const passed = [
    { rule: 'margin', limit: '7994.069995573333333333 USDT', actual: '1000.977817348333333334 USDT' },
    { rule: 'maxOrders', limit: '6 orders in 60 s', actual: '1 orders in 60 s' },
    { rule: 'maximumVolume', limit: '1000.00000 BTC', actual: '0.01000 BTC' },
    { rule: 'maxPosition', limit: '5000000 contracts', actual: '3297 contracts' },
  ]
  const history = {
    session: { instruments: [SPOT_BTC], strategies: [] },
    decisions: [{ orders: [{ passed }] }],
    audit: [],
  }
  const trading = [
    {
      ...{ scope: 'account', mode: 'reducing', effectiveMode: 'reducing' },
      holds: [{ source: 'lossesInARow', reason: 'Two were lost.' }],
      protections: ['lossesInARow', 'dailyLoss'],
    },
  ]
  // The parts that the view reads.
  const state = { history, status: { trading, closing: [] } } as unknown as ViewState
  expect(VIEWS.risk?.(state, {})).toMatchObject({
    trading: [
      {
        scope: 'account',
        heldBy: ['losses in a row: Two were lost. Until resumed.'],
        protections: ['losses in a row', 'daily loss'],
      },
    ],
    limits: [
      { limit: '7,994.07 USDT', actual: '1,000.98 USDT' },
      { limit: '6 orders in 60 s', actual: '1 order in 60 s' },
      { limit: '1,000.00000 BTC', actual: '0.01000 BTC' },
      { limit: '5,000,000 contracts', actual: '3,297 contracts' },
    ],
  })
})

it('names the limits of a strategy by its own scope, as the table of trading does', () => {
  const limited = { symbol: 'BTC/USDT', risk: { limits: { maxNotional: amountOf('1000') } } }
  const history = {
    session: {
      instruments: [SPOT_BTC],
      risk: { limits: { maxNotional: amountOf('9000') } },
      strategies: [{ symbol: 'BTC/USDT' }, limited, limited],
    },
    ...{ decisions: [], audit: [] },
  }
  const strategies = [
    { strategy: 'sma-cross', symbol: 'BTC/USDT', book: 'BTC/USDT' },
    { strategy: 'greedy', symbol: 'BTC/USDT', book: 'BTC/USDT#greedy' },
    { strategy: 'trail', symbol: 'BTC/USDT', book: 'BTC/USDT' },
  ]
  // The parts that the view reads.
  const state = { history, status: { trading: [], closing: [], strategies } } as unknown as ViewState
  expect(VIEWS.risk?.(state, {})).toMatchObject({
    configured: [
      { scope: 'account', name: 'maximum notional', rule: '9,000.00 USDT' },
      { scope: 'greedy on BTC/USDT#greedy', name: 'maximum notional', rule: '1,000.00 USDT' },
      { scope: 'trail on BTC/USDT', name: 'maximum notional', rule: '1,000.00 USDT' },
    ],
  })
})
