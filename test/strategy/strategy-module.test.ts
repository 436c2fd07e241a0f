import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { defineStrategy } from '../../src/strategy/define-strategy.ts'
import { strategyIn } from '../../src/strategy/strategy-module.ts'

const STRATEGY = defineStrategy({ name: 'fine' })

describe('strategyIn', () => {
  it('takes the default export', () => {
    expect(strategyIn({ default: STRATEGY, other: 1 }, 'fine.ts')).toBe(STRATEGY)
  })

  it.each([
    ['nothing', {}, 'it has no default export.'],
    ['only other things', { helper: 1 }, 'it has no default export.'],
    [
      'its strategy by name',
      { myStrategy: STRATEGY },
      'its strategy is exported as "myStrategy", but must be the default export.',
    ],
    [
      'a bare definition with a handler',
      { default: { onKline: () => undefined } },
      'its default export is a plain object that was not passed through defineStrategy.',
    ],
    [
      'a bare definition with a name',
      { default: { name: 'bare' } },
      'its default export is a plain object that was not passed through defineStrategy.',
    ],
    ['a function', { default: () => STRATEGY }, 'its default export is a function, not what defineStrategy'],
    ['null', { default: null }, 'its default export is null, not what defineStrategy returns.'],
    ['undefined', { default: undefined }, 'its default export is a undefined, not what defineStrategy'],
  ])('says what is wrong with a file that exports %s', (_name, module, problem) => {
    expect(() => strategyIn(module, 'strategies/mine.ts')).toThrow(UsageError)
    expect(() => strategyIn(module, 'strategies/mine.ts')).toThrow(
      `strategies/mine.ts is not a strategy: ${problem}`,
    )
    expect(() => strategyIn(module, 'strategies/mine.ts')).toThrow(
      'Write: export default defineStrategy({ … }).',
    )
  })
})
