import { describe, expect, it } from 'vitest'
import { runAgain } from '../../../src/bot/state/run-again.ts'
import type { EngineOutput } from '../../../src/domain/events/engine-output.ts'

/** Runs an entry again that decided `before`, with code that decides `now`. */
async function isSameAs(before: object, ...now: readonly object[]): Promise<boolean> {
  const entry = { seq: 1, time: 0, kind: 'event', body: {}, decisions: [before] } as const
  return (await runAgain({ take: async () => now as readonly EngineOutput[] }, entry)).isSame
}

const denied = (rule: string, message: string, quantity = 1n) => ({
  type: 'denied',
  denial: { rule, limit: `${message}!`, actual: message, message, intent: { quantity } },
  time: 7,
})

describe('a journal that an older version wrote', () => {
  it.each([
    ['a denial', denied('minQuantity', 'old words'), denied('minQuantity', 'new words')],
    [
      'a hold',
      {
        type: 'tradingStateChanged',
        holds: [{ mode: 'halted', source: 'operator', reason: 'old' }],
        time: 1,
      },
      {
        type: 'tradingStateChanged',
        holds: [{ mode: 'halted', source: 'operator', reason: 'new' }],
        time: 1,
      },
    ],
    [
      'a strategy that threw',
      { type: 'strategyFailed', book: 'a', error: new Error('old') },
      { type: 'strategyFailed', strategy: 'one', book: 'a', error: new Error('new') },
    ],
    [
      'a strategy that ended',
      { type: 'strategyEnded', book: 'a', why: 'old' },
      { type: 'strategyEnded', strategy: 'one', book: 'a', why: 'new' },
    ],
    [
      'a halted instrument',
      { type: 'instrumentHalted', symbol: 'A/B', reason: 'old' },
      { type: 'instrumentHalted', symbol: 'A/B', reason: 'new' },
    ],
  ])('decides the same with other words for %s', async (_, before, now) => {
    expect(await isSameAs(before, now)).toBe(true)
  })

  it('decides the same where a missed target is told that the older version did not tell', async () => {
    const order = { type: 'placeOrder', request: { clientOrderId: 'a' } }
    const missed = { type: 'targetMissed', symbol: 'A/B', missing: 1n, price: 1, time: 7 }
    expect(await isSameAs(order, missed, order)).toBe(true)
    expect(await isSameAs(order, missed)).toBe(false)
  })

  it.each([
    ['another rule', denied('minQuantity', 'a'), denied('balance', 'a')],
    ['another quantity', denied('minQuantity', 'a', 1n), denied('minQuantity', 'a', 2n)],
    [
      'another order',
      { type: 'placeOrder', request: { clientOrderId: 'a' } },
      { type: 'placeOrder', request: { clientOrderId: 'b' } },
    ],
    [
      'another hold',
      { type: 'tradingStateChanged', holds: [{ mode: 'halted', source: 'operator', reason: 'a' }], time: 1 },
      {
        type: 'tradingStateChanged',
        holds: [{ mode: 'reducing', source: 'operator', reason: 'a' }],
        time: 1,
      },
    ],
    [
      'another book',
      { type: 'strategyFailed', book: 'a', error: new Error('old') },
      { type: 'strategyFailed', book: 'b', error: new Error('old') },
    ],
  ])('decides differently with %s', async (_, before, now) => {
    expect(await isSameAs(before, now)).toBe(false)
  })
})
