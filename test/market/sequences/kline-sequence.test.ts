import { describe, expect, it } from 'vitest'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { type KlineFinding, KlineSequence } from '../../../src/market/sequences/kline-sequence.ts'
import type { LastPrice } from '../../../src/market/sequences/last-prices.ts'
import { MINUTE, START } from '../../simulator/exchange-caller.ts'

/** The kline of a minute since `START`. */
function minute(number: number, change: Partial<Kline> = {}): Kline {
  return { openTime: at(number), open: 100, high: 102, low: 99, close: 101, volume: 5, ...change }
}

const minutes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => minute(from + index))
const at = (number: number, ms = 0) => START + number * MINUTE + ms

/** Everything up to minute 9 has been told. */
const sequence = () => new KlineSequence({ interval: '1m', part: '1m' }, at(9))

/** What an answer tells that was asked for so many ms after minute `number` began. */
function told(
  klines: KlineSequence,
  number: number,
  ms: number,
  answer: readonly Kline[],
  lastPrice?: LastPrice,
): readonly KlineFinding[] {
  return klines.apply(answer, klines.request(at(number, ms)), at(number, ms), lastPrice)
}

const closed = (...klines: readonly Kline[]) => klines.map(kline => ({ type: 'closed', kline }))

describe('KlineSequence', () => {
  it('tells a kline once the answer shows its successor', () => {
    const klines = sequence()
    expect(told(klines, 11, 500, [minute(9), minute(10), minute(11)])).toEqual(closed(minute(10)))
    expect(told(klines, 11, 900, [minute(9), minute(10), minute(11)])).toEqual([])
    expect(told(klines, 12, 500, [minute(11), minute(12)])).toEqual(closed(minute(11)))
  })

  it('does not believe the newest kline at the first look, however late: it may be an old copy of one that still grew', () => {
    const klines = sequence()
    expect(told(klines, 11, 500, [minute(9), minute(10, { volume: 3 })])).toEqual([])
    expect(told(klines, 11, 9000, [minute(9), minute(10)])).toEqual([])
    expect(told(klines, 11, 9500, [minute(9), minute(10), minute(11)])).toEqual(closed(minute(10)))
  })

  it('believes a newest kline that stays the same once the ticker has told its price for 4 s: the market is quiet', () => {
    const klines = sequence()
    const ticker = { price: 101, askedAt: at(11) }
    expect(told(klines, 11, 0, [minute(10)], ticker)).toEqual([])
    expect(told(klines, 11, 3999, [minute(10)], ticker)).toEqual([])
    expect(told(klines, 11, 4000, [minute(10)], ticker)).toEqual(closed(minute(10)))
  })

  it('refuses a kline that no market can have printed, tells those before it, and asks again for it and those behind', () => {
    const klines = sequence()
    const odd = minute(11, { low: 0 })
    const refused = { type: 'refused', kline: odd, problem: 'its low is 0' }
    expect(told(klines, 13, 500, [minute(9), minute(10), odd, minute(12), minute(13)])).toEqual([
      refused,
      ...closed(minute(10)),
    ])
    expect(told(klines, 13, 900, [minute(10), odd, minute(12), minute(13)])).toEqual([])
    expect(told(klines, 13, 1500, [minute(10), minute(11), minute(12), minute(13)])).toEqual(
      closed(minute(11), minute(12)),
    )
  })

  it('takes a kline that stays impossible for a minute for missing, and goes on', () => {
    const klines = sequence()
    const odd = minute(10, { high: 50 })
    const answer = [odd, minute(11), minute(12)]
    expect(told(klines, 12, 0, answer).map(({ type }) => type)).toEqual(['refused'])
    expect(told(klines, 12, 59_999, answer)).toEqual([])
    expect(told(klines, 13, 0, answer)).toEqual([
      { type: 'missing', from: at(10), until: at(11), reason: 'refused' },
      ...closed(minute(11), minute(12)).slice(0, 1),
    ])
  })

  it('neither takes an impossible kline for a revision, nor minds one that still grows', () => {
    const klines = sequence()
    expect(told(klines, 11, 500, [minute(9), minute(10), minute(11, { open: 0 })])).toEqual(
      closed(minute(10)),
    )
    const changed = [minute(10, { close: -1 }), minute(11), minute(12)]
    expect(told(klines, 12, 500, changed)).toEqual([
      { type: 'refused', kline: changed[0], problem: 'its close is -1' },
      ...closed(minute(11)),
    ])
  })

  it('takes it for an old copy where the ticker tells another price, for as long as that may be', () => {
    const klines = sequence()
    const ticker = { price: 101.5, askedAt: at(11) }
    expect(told(klines, 11, 0, [minute(10)], ticker)).toEqual([])
    expect(told(klines, 99, 0, [minute(10)], ticker)).toEqual([])
  })

  it('waits for a minute where no ticker was asked for after the close', () => {
    const klines = sequence()
    const before = { price: 101.5, askedAt: at(10, 59_999) }
    expect(told(klines, 11, 0, [minute(10)])).toEqual([])
    expect(told(klines, 11, 59_999, [minute(10)], before)).toEqual([])
    expect(told(klines, 12, 0, [minute(10)], before)).toEqual(closed(minute(10)))
  })

  it('does not count a look before the close for that', () => {
    const klines = sequence()
    expect(told(klines, 10, 59_999, [minute(10)])).toEqual([])
    expect(told(klines, 12, 1000, [minute(10)])).toEqual([])
    expect(told(klines, 12, 1001, [minute(10)])).toEqual(closed(minute(10)))
  })

  it('does not take the newest of two new klines for closed because our clock says so: an old copy shows both while it grows', () => {
    const klines = sequence()
    const growing = minute(11, { close: 99.5, volume: 3 })
    expect(told(klines, 12, 500, [minute(9), minute(10), growing])).toEqual(closed(minute(10)))
    expect(told(klines, 12, 900, [minute(9), minute(10), minute(11)])).toEqual([])
    expect(told(klines, 12, 1500, [minute(10), minute(11), minute(12)])).toEqual(closed(minute(11)))
  })

  it('never tells a kline before it closes by our clock, whatever follows it', () => {
    expect(told(sequence(), 10, 59_999, [minute(10), minute(11)])).toEqual([])
  })

  it('tells several in order, from an answer that is shuffled and says things twice', () => {
    const answer = [minute(12), minute(10), minute(13), minute(11), minute(10), minute(12)]
    expect(told(sequence(), 13, 500, answer)).toEqual(closed(minute(10), minute(11), minute(12)))
  })

  it('tells a revision of a told kline once, as an event of its own', () => {
    const klines = sequence()
    told(klines, 11, 500, [minute(10), minute(11)])
    const revised = minute(10, { close: 101.5 })
    const answer = [revised, minute(11), minute(12)]
    expect(told(klines, 12, 500, answer)).toEqual([
      { type: 'revised', kline: revised, before: minute(10) },
      ...closed(minute(11)),
    ])
    expect(told(klines, 12, 900, answer)).toEqual([])
  })

  it('takes an old copy of the latest told kline for no revision', () => {
    const klines = sequence()
    told(klines, 11, 500, [minute(10), minute(11)])
    expect(told(klines, 11, 600, [minute(9), minute(10, { volume: 2 })])).toEqual([])
  })

  it('waits for a kline that is not there while its successor grows, and calls it missing once that has closed', () => {
    const klines = sequence()
    expect(told(klines, 11, 500, [minute(9), minute(11)])).toEqual([])
    expect(told(klines, 12, 500, [minute(9), minute(11), minute(12)])).toEqual([
      { type: 'missing', from: at(10), until: at(11), reason: 'absent' },
      ...closed(minute(11)),
    ])
  })

  it('tells a missing kline that turns up after all as a revision of nothing', () => {
    const klines = sequence()
    told(klines, 12, 500, [minute(9), minute(11), minute(12)])
    expect(told(klines, 12, 900, [minute(9), minute(10), minute(11), minute(12)])).toEqual([
      { type: 'revised', kline: minute(10), before: undefined },
    ])
  })

  it('asks for what it missed and ten more, because they cost nothing and may have been revised', () => {
    expect(sequence().request(at(11, 500))).toEqual({ limit: 2 + 1 + 10 })
    expect(sequence().request(at(299, 0))).toEqual({ limit: 300 })
  })

  it('pages through more than an answer holds by windows that can hold no more than one', () => {
    const klines = sequence()
    const findings: KlineFinding[] = []
    const limits: number[] = []
    for (let page = 0; page < 10 && klines.next < at(1000); page++) {
      const now = at(1000, 500)
      const request = klines.request(now)
      limits.push(request.limit)
      const { startTime, endTime } = request.window ?? { startTime: 0, endTime: now }
      const answer = minutes(0, 1000).filter(({ openTime }) => openTime >= startTime && openTime <= endTime)
      expect(answer.length).toBeLessThanOrEqual(request.window === undefined ? 1001 : 300)
      findings.push(...klines.apply(answer.slice(-request.limit), request, now))
    }
    expect(findings).toEqual(closed(...minutes(10, 999)))
    expect(limits).toHaveLength(4)
  })

  it('sees in the first page what was revised during an outage', () => {
    const klines = sequence()
    told(klines, 13, 500, minutes(9, 13))
    const revised = minute(11, { close: 99.5 })
    const request = klines.request(at(1000, 500))
    const { startTime = 0, endTime = 0 } = request.window ?? {}
    const answer = [minute(10), revised, ...minutes(12, 1000)].filter(
      ({ openTime }) => openTime >= startTime && openTime <= endTime,
    )
    expect(klines.apply(answer, request, at(1000, 500))[0]).toEqual({
      type: 'revised',
      kline: revised,
      before: minute(11),
    })
  })

  it('walks over windows without a single kline, each asked for twice', () => {
    const klines = sequence()
    const now = at(1000, 500)
    const windows: (number | undefined)[] = []
    const findings: KlineFinding[] = []
    const answerOf = (startTime: number, endTime: number) =>
      [minute(8), minute(9), ...minutes(900, 1000)].filter(
        ({ openTime }) => openTime >= startTime && openTime <= endTime,
      )
    for (let read = 0; read < 12 && klines.next < at(1000); read++) {
      const request = klines.request(now)
      const { startTime, endTime } = request.window ?? { startTime: 0, endTime: now }
      windows.push(request.window?.startTime)
      findings.push(...klines.apply(answerOf(startTime, endTime).slice(-request.limit), request, now))
    }
    expect(findings).toEqual([
      { type: 'missing', from: at(10), until: at(900), reason: 'absent' },
      ...closed(...minutes(900, 999)),
    ])
    expect(windows[1]).toBe(windows[0])
    expect(windows[2]).toBeGreaterThan(windows[1] ?? 0)
  })

  it('says what is out of reach where the exchange takes no times, and goes on with the latest', () => {
    const klines = sequence()
    const now = at(1000, 500)
    const request = klines.request(now)
    expect(request.window).toBeDefined()
    expect(klines.apply(minutes(701, 1000), request, now)).toEqual([
      { type: 'missing', from: at(10), until: at(701), reason: 'outOfReach' },
      ...closed(...minutes(701, 999)),
    ])
  })

  it('calls nothing out of reach where the latest klines reach back, though they do not follow the window', () => {
    const klines = sequence()
    const now = at(305, 500)
    const request = klines.request(now)
    expect(request.window?.endTime).toBeLessThan(now)
    const [found] = klines.apply([minute(6), minute(9), ...minutes(12, 305)], request, now)
    expect(found).toEqual({ type: 'missing', from: at(10), until: at(12), reason: 'absent' })
  })

  it('looks by a window where the latest klines do not reach back, because our clock is behind', () => {
    const klines = sequence()
    const request = klines.request(at(11, 500))
    const answer = minutes(20, 20 + request.limit - 1)
    expect(klines.apply(answer, request, at(11, 500))).toEqual([])
    expect(klines.request(at(11, 600)).window).toBeDefined()
  })

  it('follows months by the calendar', () => {
    const [january, february, march] = [Date.UTC(2024, 0), Date.UTC(2024, 1), Date.UTC(2024, 2)]
    const klines = new KlineSequence({ interval: '1M', part: '1M' }, Date.UTC(2023, 11))
    expect(klines.nextClose).toBe(february)
    const answer = [january, february, march].map(openTime => minute(0, { openTime }))
    const now = march + 500
    expect(klines.apply(answer, klines.request(now), now)).toEqual(closed(...answer.slice(0, 2)))
    expect(klines.next).toBe(march)
  })
})
