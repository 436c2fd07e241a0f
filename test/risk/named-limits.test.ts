import { describe, expect, it } from 'vitest'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { steps } from '../../src/domain/numbers/grid.ts'
import { maxPosition } from '../../src/risk/checks/max-position.ts'
import { configuredChecks } from '../../src/risk/configured-checks.ts'
import { SPOT_BTC } from '../domain/instruments.ts'
import { draftOf, viewOf } from './risk-parts.ts'

describe('a configured limit', () => {
  it.each([
    ['account', 'risk.limits.maxNotional'],
    ['strategy', 'strategies[].risk.limits.maxNotional'],
  ] as const)('names its key where that of the %s denies', (of, key) => {
    const [check] = configuredChecks({ maxNotional: amountOf('500') }, undefined, of)
    // 5.001 BTC at 100.
    expect(check?.(draftOf({ side: 'buy', quantity: steps(5001) }), viewOf())?.message).toBe(
      `The order is worth 500.1 USDT, above the 500 USDT that one order may be worth (${key}).`,
    )
  })
})

describe('a position limit where the fee is taken in base', () => {
  const view = viewOf({
    instrument: SPOT_BTC,
    markets: [{ instrument: SPOT_BTC, price: undefined, long: 0, short: 0 }],
  })
  const messageOf = (base: string, quantity: number) =>
    maxPosition({ base: amountOf(base) }, 'account')(
      draftOf({ side: 'buy', quantity: steps(quantity) }),
      view,
    )?.message

  it('says that the fee is not set off where that decides', () => {
    // A fee of 0.1% of 10.010 BTC leaves 9.99999 BTC; of 10.011 BTC it leaves 10.000989.
    expect(messageOf('10', 10_010)).toBe(
      'If everything fills, the position comes to 10.010 BTC, above the 10.000 BTC that may be held; the fee that is taken in BTC is not set off.',
    )
    expect(messageOf('10', 10_011)).toBe(
      'If everything fills, the position comes to 10.011 BTC, above the 10.000 BTC that may be held.',
    )
  })
})
