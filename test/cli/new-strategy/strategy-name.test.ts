import { describe, expect, it } from 'vitest'
import { requireStrategyName } from '../../../src/cli/new-strategy/strategy-name.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'

describe('the name of a strategy', () => {
  it.each(['dip', 'rsi-dip', 'grid2', 'a-1-b', 'a'.repeat(40)])('may be %s', name => {
    expect(() => requireStrategyName(name)).not.toThrow()
  })

  it.each([
    ['RsiDip', 'rsi-dip'],
    ['rsi_dip', 'rsi-dip'],
    ['My Idea 2', 'my-idea-2'],
    ['strategies/dip.ts', 'dip'],
    ['-dip-', 'dip'],
    ['2fast', 'my-2fast'],
    ['index', 'my-index'],
    ['utils', 'my-utils'],
    ['a'.repeat(50), 'a'.repeat(40)],
    ['../../etc/dip', 'dip'],
  ])('cannot be %s, but %s', (name, nearest) => {
    expect(() => requireStrategyName(name)).toThrow(UsageError)
    expect(() => requireStrategyName(name)).toThrow(
      `"${name}" cannot be the name of a strategy: use up to 40 small letters and digits in words with a dash between them, such as rsi-dip. Did you mean "${nearest}"?`,
    )
  })

  it.each(['', '...', 'стратегия'])('cannot be "%s", to which nothing is near', name => {
    expect(() => requireStrategyName(name)).toThrow(/such as rsi-dip\.$/)
  })
})
