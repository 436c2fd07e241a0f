import { describe, expect, it } from 'vitest'
import { RateLimitedError } from '../../../src/exchange/budget/rate-limited-error.ts'
import { Backoff } from '../../../src/market/polls/backoff.ts'

const FAILURE = new Error('no answer')

/** The pauses after so many failures in a row, each at 0. */
function pauses(count: number, random: number, longestMs = 30_000): readonly number[] {
  const backoff = new Backoff(() => random, longestMs)
  return Array.from({ length: count }, () => {
    backoff.failed(FAILURE, 0)
    return backoff.until
  })
}

describe('Backoff', () => {
  it('doubles its pause with every failure in a row, up to the longest one', () => {
    expect(pauses(9, 0.5)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
    expect(pauses(5, 0.5, 2000)).toEqual([500, 1000, 2000, 2000, 2000])
  })

  it('spreads pauses over half to one and a half of their length', () => {
    expect(pauses(2, 0)).toEqual([250, 500])
    expect(pauses(2, 1)).toEqual([750, 1500])
  })

  it('waits for as long as the exchange asks for', () => {
    const backoff = new Backoff(() => 0.5, 30_000)
    backoff.failed(new RateLimitedError({ endpoint: 'spotKlines', what: 'test', until: 60_000 }), 1000)
    expect(backoff.until).toBe(60_000)
    backoff.failed(new RateLimitedError({ endpoint: 'spotKlines', what: 'test', until: 60_001 }), 60_000)
    expect(backoff.until).toBe(61_000)
  })

  it('begins anew once something has worked', () => {
    const backoff = new Backoff(() => 0.5, 30_000)
    backoff.failed(FAILURE, 0)
    backoff.failed(FAILURE, 0)
    expect(backoff.failures).toBe(2)
    backoff.succeeded()
    expect(backoff.failures).toBe(0)
    expect(backoff.until).toBe(Number.NEGATIVE_INFINITY)
    backoff.failed(FAILURE, 100)
    expect(backoff.until).toBe(600)
  })
})
