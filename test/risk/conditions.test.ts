import { describe, expect, it } from 'vitest'
import { clockUncertainty } from '../../src/risk/protections/clock-uncertainty.ts'
import { spreadTooWide } from '../../src/risk/protections/spread-too-wide.ts'
import { staleData } from '../../src/risk/protections/stale-data.ts'
import { answers, clock, fresh, missed, mode, spread, stale } from './risk-facts.ts'

describe('staleData', () => {
  it('holds from the first silent stream to the last', () => {
    const protection = staleData({ mode, gapPauseMs: 0 })
    const facts = [
      stale('a', 1),
      stale('a', 2),
      stale('b', 3),
      fresh('a', 4),
      fresh('c', 5),
      fresh('b', 6),
      missed(7),
    ]
    expect(answers(protection, facts)).toEqual([
      'open',
      undefined,
      'open',
      'open',
      undefined,
      'lift',
      undefined,
    ])
  })

  it('holds for a while after klines were missed, silence or not', () => {
    const protection = staleData({ mode, gapPauseMs: 100 })
    const facts = [
      missed(1000),
      stale('a', 1010),
      missed(1020),
      fresh('a', 1030),
      stale('a', 1200),
      fresh('a', 1300),
    ]
    expect(answers(protection, facts)).toEqual([1100, 'open', undefined, 1120, 'open', 'lift'])
  })

  it('goes on after the gap ends, to the millisecond', () => {
    const protection = staleData({ mode, gapPauseMs: 100 })
    expect(answers(protection, [missed(1000), stale('a', 1050), fresh('a', 1099)])).toEqual([
      1100,
      'open',
      1100,
    ])
    expect(answers(protection, [stale('a', 1099), fresh('a', 1100)])).toEqual(['open', 'lift'])
  })

  it('names the silent streams, and the klines that were missed', () => {
    const protection = staleData({ mode, gapPauseMs: 100 })
    const reasons = [stale('a', 1), stale('b', 2), fresh('a', 3), missed(4), fresh('b', 5)].map(fact => {
      const change = protection.observe(fact)
      return change?.type === 'hold' ? [change.hold.reason, change.hold.since] : change
    })
    const gap = 'Klines of BTC/USDT from 1970-01-01T00:00:00.000Z to 1970-01-02T00:00:00.000Z were missed.'
    expect(reasons).toEqual([
      ['The market data a are stale.', 1],
      ['The market data a, b are stale.', 2],
      ['The market data b are stale.', 3],
      undefined,
      [gap, 4],
    ])
  })

  it('forgets silence and gaps', () => {
    const protection = staleData({ mode, gapPauseMs: 100 })
    answers(protection, [stale('a', 1), missed(2)])
    protection.forget()
    expect(answers(protection, [fresh('a', 3), stale('a', 4), fresh('a', 5)])).toEqual([
      undefined,
      'open',
      'lift',
    ])
  })
})

describe('what holds while a bound is exceeded', () => {
  it('spread holds above 0.2% until every spread is back', () => {
    const protection = spreadTooWide({ maxRate: 0.002, mode })
    const facts = [
      spread(0.002),
      spread(0.0021),
      spread(0.5),
      spread(9, 'ETH/USDT'),
      spread(0.001),
      spread(0, 'ETH/USDT'),
      spread(Number.NaN),
    ]
    expect(answers(protection, facts)).toEqual([
      undefined,
      'open',
      undefined,
      'open',
      undefined,
      'lift',
      'open',
    ])
  })

  it('spread says whose spread is how wide, and forgets', () => {
    const protection = spreadTooWide({ maxRate: 0.002, mode })
    const change = {
      type: 'hold',
      hold: {
        mode,
        source: 'spread',
        reason: 'The spread of ETH/USDT is 50% of the price; the limit is 0.2%.',
        since: 7,
      },
    }
    expect(protection.observe(spread(0.5, 'ETH/USDT'))).toEqual(change)
    protection.forget()
    expect(protection.observe(spread(0.001, 'ETH/USDT'))).toBeUndefined()
    expect(protection.observe(spread(0.5, 'ETH/USDT'))).toEqual(change)
  })

  it('clockUncertainty says how much, in whole milliseconds', () => {
    expect(clockUncertainty({ maxMs: 1000, mode }).observe(clock(1000.2))).toEqual({
      type: 'hold',
      hold: {
        mode,
        source: 'clockUncertainty',
        reason: "The exchange's time is only known to within 1001 ms, and 1000 ms is allowed.",
        since: 7,
      },
    })
  })

  it('clockUncertainty holds above a second, and while nothing is known', () => {
    const protection = clockUncertainty({ maxMs: 1000, mode })
    const facts = [clock(1000), clock(Number.POSITIVE_INFINITY), clock(1001), clock(999)]
    expect(answers(protection, facts)).toEqual([undefined, 'open', undefined, 'lift'])
  })
})
