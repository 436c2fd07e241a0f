import { expect, it } from 'vitest'
import type { DenialRule } from '../../../src/domain/orders/denial.ts'
import type { OrderPlan, Purpose } from '../../../src/domain/orders/order-intent.ts'
import type { OrderStatus } from '../../../src/domain/orders/order-status.ts'
import { orderWord } from '../../../src/domain/orders/order-words.ts'

// The type checker refuses these lists when one of the names is missing.
const PURPOSES = {
  ...{ entry: 1, exit: 1, stopLoss: 1, takeProfit: 1, trailingStop: 1, endOfData: 1, ruin: 1 },
  ...{ liquidation: 1, outsideClose: 1, operator: 1 },
} satisfies Record<Purpose, 1>
const TYPES = {
  ...{ market: 1, limit: 1, stop: 1, stopLimit: 1, ifTouched: 1, trailingStop: 1 },
} satisfies Record<OrderPlan['type'], 1>
const RULES = {
  ...{ grid: 1, minimumVolume: 1, maximumVolume: 1, minimumNotional: 1, minimumPrice: 1, leverage: 1 },
  ...{ balance: 1, margin: 1, tradingState: 1, instrumentStatus: 1, limitKind: 1, priceBand: 1 },
  ...{ maxNotional: 1, maxPosition: 1, maxExposure: 1, maxOrders: 1, maxWorkingOrders: 1 },
  ...{ selfCrossing: 1, sizing: 1, protection: 1, triggerPassed: 1, nothingLeft: 1, noPrice: 1 },
  checkFailed: 1,
} satisfies Record<DenialRule, 1>
const STATUSES = {
  ...{
    pending: 1,
    submitted: 1,
    open: 1,
    partiallyFilled: 1,
    filled: 1,
    canceled: 1,
    rejected: 1,
    expired: 1,
    unknown: 1,
  },
} satisfies Record<OrderStatus, 1>

it.each([PURPOSES, TYPES, RULES, STATUSES].flatMap(Object.keys))('%s is shown in plain words', name => {
  expect(orderWord(name)).toMatch(/^[a-z]+(?:'s)?(?:[ -][a-z]+|,)*$/)
})

it('uses the words of the field', () => {
  expect(
    ['stopLoss', 'takeProfit', 'ifTouched', 'partiallyFilled', 'maxNotional', 'maximumVolume'].map(orderWord),
  ).toEqual([
    'stop-loss',
    'take-profit',
    'if-touched',
    'partially filled',
    'maximum notional',
    'maximum quantity',
  ])
})
