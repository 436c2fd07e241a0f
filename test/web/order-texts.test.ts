import { expect, it } from 'vitest'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { ticks } from '../../src/domain/numbers/grid.ts'
import type { OrderIntent } from '../../src/domain/orders/order-intent.ts'
import { assess } from '../../src/risk/assess.ts'
import { configuredChecks } from '../../src/risk/configured-checks.ts'
import {
  approvedOrder,
  assessedOrder,
  deniedOrder,
  newOrderRecord,
} from '../../src/web/history/order-texts.ts'
import { FUTURES_BTC, MARGIN_BTC } from '../domain/instruments.ts'
import { intentOf, viewOf } from '../risk/risk-parts.ts'

// A tick is 0.01 and a step 0.001. 0.2% of 59,442.88 are 118.88576, 118.89 to the nearest tick; an exit that sells at a
// target of 60,037.3088 sells at 60,037.31, the next tick up, and one that sells at a stop of 58,848.4512 does so at 58,848.45.
const ANCHOR = 59_442.88
const PLANS: readonly (readonly [OrderIntent['plan'], string])[] = [
  [{ type: 'market' }, 'market'],
  [{ type: 'ifTouched', triggerPrice: 60_037.3088 }, 'if-touched 60037.31'],
  [{ type: 'stop', stopPrice: 58_848.4512 }, 'stop 58848.45'],
  [{ type: 'stopLimit', stopPrice: 58_848.4512, price: 58_848.4 }, 'stop-limit 58848.45 58848.40'],
  [{ type: 'limit', price: 57_786.285299999996 }, 'limit 57786.29'],
  [{ type: 'trailingStop', anchor: ANCHOR, distance: ANCHOR * 0.002 }, 'trailing stop by 118.89'],
  [
    { type: 'trailingStop', anchor: ANCHOR, callbackRate: 0.002, activationPrice: 60_037.3088 },
    'trailing stop by 0.2%, active from 60037.31',
  ],
]

it.each(PLANS)('shows %j in one wording, as it was wished, approved and placed', (plan, text) => {
  const intent = intentOf({
    plan,
    side: 'sell',
    quantity: amountOf('0.0168'),
    referencePrice: ticks(5_944_288),
  })
  const { approved, ...assessment } = assess(intent, viewOf(), [])
  if (!('request' in assessment)) throw new Error(`It is approved: ${approved}.`)
  const assessed = { type: 'orderAssessed', intent, passed: [] } as const
  const money = { equity: amountOf('1000'), free: amountOf('1000') }
  const { request } = assessment
  expect([
    assessedOrder(MARGIN_BTC, { ...assessed, ...money }).plan,
    approvedOrder(MARGIN_BTC, request).plan,
    newOrderRecord(MARGIN_BTC, request, 1).plan,
  ]).toEqual([text, text, text])
})

it('rounds equity and what is free to cents', () => {
  const assessed = { type: 'orderAssessed', intent: intentOf({}), passed: [] } as const
  const money = { equity: amountOf('10234.565000000000000001'), free: amountOf('0.5') }
  expect(assessedOrder(MARGIN_BTC, { ...assessed, ...money })).toMatchObject({
    equity: '10,234.57 USDT',
    free: '0.50 USDT',
  })
})

it.each([
  ['account', 'risk.limits.maxNotional'],
  ['strategy', 'strategies[].risk.limits.maxNotional'],
] as const)('names a limit of the %s by %s, whether it let an order pass or denied it', (of, key) => {
  const checks = configuredChecks({ maxNotional: amountOf('50') }, undefined, of)
  const keys: (string | undefined)[] = []
  // One BTC at 49, and at 51.
  for (const price of [4900, 5100]) {
    const intent = intentOf({ referencePrice: ticks(price) })
    const assessment = assess(intent, viewOf(), checks, passed => keys.push(passed.key))
    if (!assessment.approved) keys.push(deniedOrder(MARGIN_BTC, assessment.denial).denial?.key)
  }
  expect(keys).toEqual([key, key])
})

it('names the type alone where a price is on no grid', () => {
  const intent = intentOf({ plan: { type: 'limit', price: 1e300 } })
  const assessed = { type: 'orderAssessed', intent, passed: [] } as const
  const money = { equity: amountOf('1000'), free: amountOf('1000') }
  expect(assessedOrder(MARGIN_BTC, { ...assessed, ...money }).plan).toBe('limit')
})

it.each([
  ['1.2', MARGIN_BTC, '1.200 BTC'],
  ['0.0168', MARGIN_BTC, '0.0168 BTC'],
  ['0.016812345678901234', MARGIN_BTC, '0.016812 BTC'],
  ['0.000000123456', MARGIN_BTC, '0.00000012 BTC'],
  // 0.025 BTC are 2.5 contracts of 0.01 BTC.
  ['0.025', FUTURES_BTC, '2.5 contracts'],
  ['0.03', FUTURES_BTC, '3 contracts'],
])(
  'shows a wanted quantity of %s with the decimals of its grid, and at most three more',
  (quantity, instrument, text) => {
    const intent = intentOf({ quantity: amountOf(quantity) })
    const assessed = { type: 'orderAssessed', intent, passed: [] } as const
    const money = { equity: amountOf('1000'), free: amountOf('1000') }
    expect(assessedOrder(instrument, { ...assessed, ...money }).wanted).toBe(text)
  },
)
