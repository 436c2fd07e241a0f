import { describe, expect, it } from 'vitest'
import { defineStrategy } from '../../src/strategy/index.ts'
import { StrategyError } from '../../src/strategy/strategy-error.ts'
import { klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'

/** Tries a strategy that does something after each kline. */
const tried = (careless: () => void) =>
  tryStrategy(
    defineStrategy({
      name: 'careless',
      onKline: () => {
        careless()
        return undefined
      },
    }),
    {
      klines: klineScript('1h').closes(100, 101, 102),
    },
  )

describe('tryStrategy', () => {
  it.each<readonly [string, () => void, string]>([
    ['the clock', () => void Date.now(), 'must not use Date.now()'],
    ['randomness', () => void Math.random(), 'must not use Math.random()'],
    ['a timer', () => void setTimeout(() => {}), 'must not use setTimeout()'],
    ['the process', () => void process.env.HOME, 'must not use process'],
    [
      'the clock behind a caught error',
      () => {
        try {
          Date.now()
        } catch {}
      },
      'caught the error. A strategy must not use Date.now()',
    ],
  ])('refuses a strategy %s', (_what, careless, sentence) => {
    expect(() => tried(careless)).toThrow(StrategyError)
    expect(() => tried(careless)).toThrow(sentence)
  })

  it('lets a strategy make a date of market time', () => {
    expect(() => tried(() => void new Date(0).getUTCHours())).not.toThrow()
  })

  it('leaves the clock to the test itself', () => {
    tried(() => {})
    expect(Date.now()).toBeGreaterThan(0)
    expect(new Date()).toBeInstanceOf(Date)
  })
})
