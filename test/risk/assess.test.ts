import { describe, expect, it } from 'vitest'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { type Assessment, assess, STANDARD_CHECKS } from '../../src/risk/assess.ts'
import type { RiskCheck } from '../../src/risk/risk-check.ts'
import { FUTURES_BTC, OWN_FUNDS_BTC, SPOT_BTC } from '../domain/instruments.ts'
import { intentOf, viewOf } from './risk-parts.ts'

const refusal = (actual: string) =>
  ({ rule: 'sizing', limit: 'none', actual, message: `It is ${actual}.` }) as const
const ruleOf = (assessment: Assessment) => (assessment.approved ? 'approved' : assessment.denial.rule)

describe('assess', () => {
  it('approves what passes every check, on the grid', () => {
    const plan = { type: 'limit', price: 99.999 } as const
    const assessment = assess(intentOf({ plan, quantity: amountOf('0.5009') }), viewOf())
    expect(assessment).toMatchObject({
      approved: true,
      request: { clientOrderId: 'a', quantity: 500, spec: { type: 'limit', price: 9_999 } },
    })
  })

  it.each([
    ['tradingState', intentOf(), viewOf({ mode: 'halted' })],
    ['instrumentStatus', intentOf(), viewOf({ isTradable: false })],
    [
      'limitKind',
      intentOf({ plan: { type: 'limit', price: 100, timeInForce: 'FOK' } }),
      viewOf({ instrument: OWN_FUNDS_BTC }),
    ],
    ['minimumVolume', intentOf({ quantity: amountOf('0.001') }), viewOf()],
    ['maximumVolume', intentOf({ quantity: amountOf('5000') }), viewOf()],
    ['minimumPrice', intentOf({ plan: { type: 'limit', price: 0.5 } }), viewOf()],
    ['minimumNotional', intentOf({ quantity: amountOf('0.05') }), viewOf()],
    ['leverage', intentOf({ quantity: amountOf('50') }), viewOf()],
    ['balance', intentOf({ side: 'sell' }), viewOf({ instrument: SPOT_BTC })],
    ['margin', intentOf({ quantity: amountOf('80') }), viewOf({ instrument: FUTURES_BTC })],
  ] as const)('asks %s by default', (rule, intent, view) => {
    expect(ruleOf(assess(intent, view))).toBe(rule)
    expect(STANDARD_CHECKS).toHaveLength(10)
  })

  it('denies to open what the exchange does not let be traded, and lets it be closed', () => {
    const view = viewOf({ isTradable: false })
    expect(assess(intentOf(), view)).toMatchObject({
      denial: {
        rule: 'instrumentStatus',
        limit: 'an instrument that can be traded',
        actual: 'BTC/USDT, which cannot',
        message: 'The exchange does not let BTC/USDT be traded now.',
      },
    })
    expect(assess(intentOf({ side: 'sell', reduceOnly: true }), view).approved).toBe(true)
  })

  it('denies with the intent and the first refusal', () => {
    const intent = intentOf()
    const assessment = assess(intent, viewOf(), [
      () => undefined,
      () => refusal('first'),
      () => refusal('second'),
    ])
    expect(assessment).toEqual({ approved: false, denial: { ...refusal('first'), intent } })
  })

  it('asks no further check after a refusal', () => {
    const asked: string[] = []
    const named = (name: string, answer: ReturnType<RiskCheck>): RiskCheck => {
      return () => {
        asked.push(name)
        return answer
      }
    }
    assess(intentOf(), viewOf(), [named('a', undefined), named('b', refusal('no')), named('c', undefined)])
    expect(asked).toEqual(['a', 'b'])
  })

  it.each([
    ['an error', new RangeError('Division by zero')],
    ['text', 'Division by zero'],
  ])('denies when a check throws %s', (_name, thrown) => {
    const failing: RiskCheck = () => {
      throw thrown
    }
    expect(assess(intentOf(), viewOf(), [failing])).toEqual({
      approved: false,
      denial: {
        rule: 'checkFailed',
        limit: 'every check completes',
        actual: 'Division by zero',
        message: 'A risk check failed, so the order is denied: Division by zero',
        intent: intentOf(),
      },
    })
  })

  it('denies a price that cannot be put on the grid', () => {
    const assessment = assess(intentOf({ plan: { type: 'limit', price: Number.NaN } }), viewOf())
    expect(ruleOf(assessment)).toBe('checkFailed')
  })
})
