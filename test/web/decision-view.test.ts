import { expect, it } from 'vitest'
import type { ViewState } from '../../src/web/sources/view-state.ts'
import { VIEWS } from '../../src/web/sources/views.ts'
import { SPOT_BTC } from '../domain/instruments.ts'

it('rounds the figures of checks, and leaves them exact where rounding would make two figures one', () => {
  const passed = [
    { rule: 'margin', limit: '7994.069995573333333333 USDT', actual: '1000.977817348333333334 USDT' },
    { rule: 'maxOrders', limit: '6 orders in 60 s', actual: '1 orders in 60 s' },
  ]
  const denial = {
    ...{ rule: 'maxNotional', message: 'It is too large.' },
    ...{ limit: '2500 USDT', actual: '2500.0012 USDT' },
  }
  const decision = { id: 7, symbol: 'BTC/USDT', orders: [{ clientOrderId: 'a', passed, denial }] }
  const history = {
    session: { instruments: [SPOT_BTC] },
    ...{ decisions: [decision], orders: { all: [] }, trips: [] },
  }
  // The parts that the view reads.
  expect(VIEWS.decision?.({ history } as unknown as ViewState, { id: '7' })).toMatchObject({
    decision: {
      orders: [
        {
          passed: [
            { limit: '7,994.07 USDT', actual: '1,000.98 USDT' },
            { limit: '6 orders in 60 s', actual: '1 order in 60 s' },
          ],
          denial: { limit: '2500 USDT', actual: '2500.0012 USDT' },
        },
      ],
    },
  })
})
