import { describe, expect, it } from 'vitest'
import {
  annualVolatility,
  atrRisk,
  atrTrail,
  breakeven,
  chandelierExit,
  cooldownAfterLoss,
  fixedFraction,
  kellyFraction,
  kellySizing,
  leavingWith,
  maxTradesPerDay,
  timeStop,
  tradingHours,
  trailingStop,
  trendFilter,
  volatilityBand,
  volatilityTarget,
} from '../../../src/strategy/index.ts'
import { PartSession } from './part-session.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('trendFilter', () => {
  it('opens longs above the average and shorts below it, and neither on it', () => {
    const session = new PartSession(trendFilter({ klines: 3 })).klines(1, 2, 3)
    const both = () => [session.allows('long'), session.allows('short')]
    // The averages are 2, 2, 2 and 7 / 3.
    expect(both()).toEqual([true, false])
    expect([session.klines(1), both()][1]).toEqual([false, true])
    expect([session.klines(2), both()][1]).toEqual([false, false])
    expect([session.klines(4), both()][1]).toEqual([true, false])
  })

  it('may follow an exponential average', () => {
    // EMA of 3 starts at the average 2 of the first three; 4 makes it 3, 2 makes it 2.5.
    const session = new PartSession(trendFilter({ klines: 3, average: 'ema' })).klines(1, 2, 3, 4, 2)
    expect([session.allows('long'), session.allows('short')]).toEqual([false, true])
  })
})

describe('annualVolatility', () => {
  it('grows with the root of the klines in a year', () => {
    expect(annualVolatility(0.02, '1d')).toBeCloseTo(0.02 * Math.sqrt(365), 14)
    expect(annualVolatility(0.001, '1m')).toBeCloseTo(0.001 * Math.sqrt(525_600), 14)
  })
})

/** Closes whose logarithmic returns are +r, -r, +r, -r: their mean is 0, and their deviation r × √(4 ÷ 3). */
const swinging = (r: number) => [100, 100 * Math.exp(r), 100, 100 * Math.exp(r), 100]
const R = 0.0005
/** 0.0005 × √(4 ÷ 3) a minute is 0.000577…, times √525600 is 0.41857… */
const ANNUAL = R * Math.sqrt(4 / 3) * Math.sqrt(525_600)

describe('volatilityBand', () => {
  it.each([
    [0.4, 0.42, true],
    [0.42, 1, false],
    [0, 0.41, false],
    [undefined, 0.42, true],
    [0.41, undefined, true],
  ])('from %d to %d', (min, max, expected) => {
    const band = { klines: 4, ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
    const session = new PartSession(volatilityBand(band)).klines(...swinging(R))
    expect(ANNUAL).toBeCloseTo(0.41857, 5)
    expect([session.allows('long'), session.allows('short')]).toEqual([expected, expected])
  })

  it('opens nothing before it has a value', () => {
    expect(new PartSession(volatilityBand({ klines: 4 })).klines(1, 2).allows('long')).toBe(false)
  })
})

describe('tradingHours', () => {
  // 1 January 1970 was a Thursday.
  it.each([
    ['from its first minute on', { from: '08:00', to: '20:00' }, 8 * HOUR, true],
    ['not just before', { from: '08:00', to: '20:00' }, 8 * HOUR - 1, false],
    ['not at its end', { from: '08:00', to: '20:00' }, 20 * HOUR, false],
    ['on other days too', { from: '08:00', to: '20:00' }, 9 * DAY + 19 * HOUR, true],
    ['over midnight, before it', { from: '22:00', to: '02:00' }, 23 * HOUR, true],
    ['over midnight, after it', { from: '22:00', to: '02:00' }, DAY + HOUR, true],
    ['over midnight, not at noon', { from: '22:00', to: '02:00' }, 12 * HOUR, false],
    ['on a Thursday', { days: ['Thu'] }, 5 * HOUR, true],
    ['not on a Friday', { days: ['Thu'] }, DAY, false],
    ['on a Monday', { days: ['Mon', 'Tue'] }, 4 * DAY, true],
    ['in the night that a Thursday begins', { from: '22:00', to: '02:00', days: ['Thu'] }, DAY + HOUR, true],
    ['not in the one that ends in it', { from: '22:00', to: '02:00', days: ['Thu'] }, HOUR, false],
    ['to the end of the day', { from: '23:30' }, DAY - 1, true],
  ] as const)('opens positions %s', (_what, hours, time, expected) => {
    const session = new PartSession(tradingHours(hours))
    session.view.time = time
    expect(session.allows('long')).toBe(expected)
  })

  it.each(['8', '25:00', '12:60', 'noon'])('refuses "%s"', text => {
    // What a file without types may hold.
    expect(() => tradingHours({ from: text as '08:00' })).toThrow(`"${text}" is no time of the day`)
  })
})

describe('fixedFraction', () => {
  it('sizes by equity', () => {
    expect(new PartSession(fixedFraction(0.25)).terms({ size: { base: 9 } })).toEqual({
      size: { equityFraction: 0.25 },
    })
  })
})

describe('volatilityTarget', () => {
  it('takes the part of equity that varies as is wanted, and no more than its bound', () => {
    const terms = (annual: number, max?: number) =>
      new PartSession(volatilityTarget({ annual, klines: 4, ...(max !== undefined && { max }) }))
        .klines(...swinging(R))
        .terms()
    const fraction = (annual: number, max?: number) =>
      JSON.parse(JSON.stringify(terms(annual, max))).size.equityFraction
    expect(fraction(0.2)).toBeCloseTo(0.2 / ANNUAL, 9)
    expect(fraction(0.9)).toBe(1)
    expect(fraction(0.9, 3)).toBeCloseTo(0.9 / ANNUAL, 9)
  })

  it('skips entries while nothing moves, or is known', () => {
    const part = volatilityTarget({ annual: 0.2, klines: 2 })
    expect(new PartSession(part).klines(5, 5, 5).terms()).toBe('skip')
    expect(new PartSession(part).klines(5, 6).terms()).toBe('skip')
  })
})

describe('atrRisk', () => {
  const part = atrRisk({ klines: 2, multiple: 3, fraction: 0.01 })
  /** True ranges 4 and 6, hence an ATR of 5; the close is 104. */
  const ranged = () => new PartSession(part).kline(100).kline(102, 104, 100).kline(104, 106, 100)
  const size = { riskFraction: 0.01 }

  it.each([
    ['below the close', {}, { size, stopLoss: 89 }],
    ['above it for a short', { direction: 'short' }, { size, stopLoss: 119 }],
    ['below the price of a limit order', { order: { type: 'limit', price: 90 } }, { size, stopLoss: 75 }],
    ['below a stop price', { order: { type: 'stop', stopPrice: 110 } }, { size, stopLoss: 95 }],
    ['below a trigger', { order: { type: 'ifTouched', triggerPrice: 80 } }, { size, stopLoss: 65 }],
    ['where the entry wants it', { stopLoss: { fraction: 0.1 } }, { size }],
    ['not at or below zero', { order: { type: 'limit', price: 15 } }, 'skip'],
  ] as const)('puts the stop three ATRs away: %s', (_what, entry, expected) => {
    expect(ranged().terms(entry)).toEqual(expected)
  })

  it('caps the size where it is told to', () => {
    const capped = atrRisk({ klines: 2, multiple: 3, fraction: 0.01, maxEquityFraction: 0.95 })
    const session = new PartSession(capped).kline(100).kline(102, 104, 100).kline(104, 106, 100)
    expect(session.terms({})).toEqual({ size: { riskFraction: 0.01, maxEquityFraction: 0.95 }, stopLoss: 89 })
  })

  it('skips entries before there is an ATR', () => {
    expect(new PartSession(part).kline(100).terms()).toBe('skip')
  })
})

describe('trailingStop', () => {
  const late = { callbackRate: 0.02, activation: { fraction: 0.03 } }
  it.each([
    ['an entry without one', {}, { trailingStop: late }],
    ['not one that has its own', { trailingStop: { distance: 3 } }, {}],
    ['also one with a stop-loss', { stopLoss: 95 }, { trailingStop: late }],
  ] as const)('gives it to %s', (_what, entry, expected) => {
    expect(new PartSession(trailingStop(late)).kline(100).terms(entry)).toEqual(expected)
  })
})

describe('kellyFraction', () => {
  it.each([
    // Half of the trades win 10%, half lose 5%: 0.5 ÷ 0.05 - 0.5 ÷ 0.1 = 10 - 5.
    [[0.1, -0.05, 0.1, -0.05], 5],
    // Even money, three of four won: 0.75 - 0.25, the fraction of the classic bet.
    [[1, 1, 1, -1], 0.5],
    [[0.1, -0.2], 0.5 / 0.2 - 0.5 / 0.1],
    [[0.1, 0.1], Number.POSITIVE_INFINITY],
    [[-0.1], Number.NEGATIVE_INFINITY],
    // What neither won nor lost still counts as a trade: 0.5 ÷ 1 - 0.25 ÷ 1.
    [[1, 1, 0, -1], 0.25],
  ])('of %j is %d', (returns, expected) => {
    expect(kellyFraction(returns)).toBeCloseTo(expected, 12)
  })
})

describe('kellySizing', () => {
  /** Trades of 100 that win or lose so much. */
  function termsAfter(...results: readonly number[]) {
    const session = new PartSession(kellySizing({ trades: 4, share: 0.5, min: 0.01, max: 0.3 })).kline(100)
    for (const result of results) {
      session.trade('buy', 100, 1)
      session.trade('sell', 100 + result, 0)
    }
    return session.terms()
  }

  it.each([
    ['the least before there were enough trades', [100, 100, -100], 0.01],
    ['half of what Kelly says', [100, 100, -100, -50], 0.5 * (0.5 / 0.75 - 0.5 / 1)],
    ['the most where nothing was lost', [1, 1, 1, 1], 0.3],
    ['the least where it loses', [-1, -1, -1, -1], 0.01],
    ['the last trades only', [-100, -100, -100, 100, 100, -100, -50], 0.5 * (0.5 / 0.75 - 0.5 / 1)],
  ])('takes %s', (_what, results, expected) => {
    const terms = termsAfter(...results)
    expect(terms).toEqual({ size: { equityFraction: expect.closeTo(expected, 12) } })
  })

  it('counts a position that was built and closed in parts as one trade', () => {
    const session = new PartSession(kellySizing({ trades: 1, share: 1, min: 0, max: 9 })).kline(100)
    session.trade('buy', 100, 1)
    session.trade('buy', 120, 2)
    // At 110 on average: 11 won, then 22 lost, of 220.
    session.trade('sell', 121, 1)
    expect(session.run.memory).toMatchObject({ returns: [] })
    session.trade('sell', 88, 0)
    expect(session.run.memory).toMatchObject({ returns: [expect.closeTo(-11 / 220, 12)], open: undefined })
  })

  it('counts a position that was turned as closed, and the other side as opened', () => {
    const session = new PartSession(kellySizing({ trades: 1, share: 1, min: 0, max: 9 })).kline(100)
    session.trade('buy', 100, 1)
    session.trade('sell', 90, -1, 2)
    expect(session.run.memory).toMatchObject({ returns: [-0.1], open: { direction: 'short', quantity: 1 } })
    session.trade('buy', 81, 0)
    expect(session.run.memory).toMatchObject({ returns: [expect.closeTo(0.1, 12)], open: undefined })
  })
})

describe('timeStop', () => {
  it.each([
    ['klines', { klines: 3 }],
    ['ms', { ms: 3 * MINUTE }],
  ])('leaves at the close that is so many %s after the entry', (_what, after) => {
    const session = new PartSession(timeStop(after)).kline(100)
    session.trade('buy', 100, 1)
    const leaves = [1, 2, 3, 4].map(() => session.kline(100).leaves())
    expect(leaves).toEqual([false, false, true, true])
  })
})

describe('chandelierExit', () => {
  const part = chandelierExit({ klines: 2, multiple: 2 })
  /** True ranges 4 and 6, hence an ATR of 5; highest high 106, lowest low 99. */
  const ranged = () =>
    new PartSession(part).kline(100).kline(102, 104, 100).kline(104, 106, 99.9).kline(104, 105, 100)

  it('hangs below the highest high, and above the lowest low of a short', () => {
    // True ranges 4, 6.1 and 5 after Wilder: (4 + 6.1) ÷ 2 = 5.05, then (5.05 + 5) ÷ 2 = 5.025.
    const session = ranged()
    session.trade('buy', 104, 1)
    expect(session.stop()).toBeCloseTo(106 - 10.05, 10)
    session.trade('sell', 104, -1, 2)
    expect(session.stop()).toBeCloseTo(99.9 + 10.05, 10)
  })

  it('is there from the entry on, unless that has a stop or would be beyond it', () => {
    expect(ranged().terms()).toEqual({ stopLoss: expect.closeTo(95.95, 10) })
    expect(ranged().terms({ stopLoss: 90 })).toEqual({})
    expect(ranged().terms({ order: { type: 'limit', price: 95 } })).toEqual({})
  })
})

describe('atrTrail', () => {
  it('follows the best close since the entry', () => {
    const session = new PartSession(atrTrail({ klines: 1, multiple: 1 })).kline(100).kline(110)
    session.trade('buy', 110, 1)
    // An ATR of one kline is its true range.
    expect(session.kline(112, 113, 109).stop()).toBe(112 - 4)
    expect(session.kline(111, 112, 110).stop()).toBe(112 - 2)
    expect(session.kline(115, 115, 111).stop()).toBe(115 - 4)
  })

  it('begins anew with another position', () => {
    const session = new PartSession(atrTrail({ klines: 1, multiple: 1 })).kline(100)
    session.trade('buy', 100, 1)
    expect(session.kline(150, 150, 150).stop()).toBe(100)
    session.trade('sell', 150, 0)
    session.trade('buy', 140, 1)
    expect(session.kline(140, 141, 139).stop()).toBe(140 - 11)
    session.trade('sell', 140, -1, 2)
    expect(session.kline(138, 140, 138).stop()).toBe(138 + 2)
  })
})

describe('breakeven', () => {
  it.each([
    ['a price', { stopLoss: 90 }, [undefined, undefined, 100]],
    ['a fraction', { stopLoss: { fraction: 0.1 } }, [undefined, undefined, 100]],
    ['none', {}, [undefined, undefined, undefined]],
  ])(
    'moves the stop to the entry after twice the risk, where the stop-loss is %s',
    (_what, entry, expected) => {
      const session = new PartSession(breakeven({ after: 2 })).kline(100)
      session.enter(entry)
      session.trade('buy', 100, 1)
      expect([110, 119, 120].map(close => session.kline(close).stop())).toEqual(expected)
    },
  )

  it('does so for a short as well', () => {
    const session = new PartSession(breakeven({ after: 1 })).kline(100)
    session.enter({ direction: 'short', stopLoss: 105 })
    session.trade('sell', 100, -1)
    expect([96, 95].map(close => session.kline(close).stop())).toEqual([undefined, 100])
  })

  it('goes by the entry that began the position', () => {
    const session = new PartSession(breakeven({ after: 1 })).kline(100)
    session.enter({ stopLoss: 90 })
    session.trade('buy', 100, 1)
    session.enter({ stopLoss: 99, scaleIn: true })
    expect([105, 110].map(close => session.kline(close).stop())).toEqual([undefined, 100])
  })
})

describe('cooldownAfterLoss', () => {
  function allowedAfter(price: number): boolean[] {
    const session = new PartSession(cooldownAfterLoss({ klines: 2 })).kline(100)
    session.trade('buy', 100, 1)
    session.trade('sell', price, 0)
    const now = session.allows('long')
    return [now, session.kline(100).allows('long'), session.kline(100).allows('long')]
  }

  it('opens nothing for so long after a loss, and everything after a gain', () => {
    expect(allowedAfter(99)).toEqual([false, false, true])
    expect(allowedAfter(100)).toEqual([true, true, true])
    expect(allowedAfter(101)).toEqual([true, true, true])
  })
})

describe('maxTradesPerDay', () => {
  it('counts positions that were opened on a day, not fills', () => {
    const session = new PartSession(maxTradesPerDay(2)).kline(100)
    session.trade('buy', 100, 1)
    session.trade('buy', 100, 2)
    session.trade('sell', 100, 0, 2)
    expect(session.allows('long')).toBe(true)
    session.trade('sell', 100, -1)
    expect(session.allows('long')).toBe(false)
    session.view.time = DAY - 1
    expect(session.allows('long')).toBe(false)
    session.view.time = DAY
    expect(session.allows('long')).toBe(true)
    session.trade('buy', 100, 1, 2)
    expect(session.allows('long')).toBe(true)
  })
})

describe('leavingWith', () => {
  it('closes what its filter would not open', () => {
    const session = new PartSession(leavingWith(trendFilter({ klines: 2 }))).klines(1, 3)
    session.trade('buy', 3, 1)
    expect([session.leaves(), session.allows('long')]).toEqual([false, true])
    session.kline(1)
    expect([session.leaves(), session.allows('long')]).toEqual([true, false])
  })
})
