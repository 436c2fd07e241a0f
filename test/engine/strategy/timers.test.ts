import { describe, expect, it } from 'vitest'
import { defineStrategy, every, ticker } from '../../../src/strategy/index.ts'
import { EngineSession, MARGIN } from '../engine-session.ts'

const MINUTE = 60_000

/** A session whose strategy notes what it is asked, in minutes: `kline 1`, `book 1.5`, `short 3`. */
function ringing(options: { readonly warmUp?: number; readonly onlyShort?: boolean } = {}) {
  const asked: string[] = []
  const note = (name: string, time: number) => {
    asked.push(`${name} ${time / MINUTE}`)
    return undefined
  }
  const strategy = defineStrategy({
    name: 'ringing',
    feeds: () => ({ quote: ticker({ everyMs: 1000 }) }),
    timers: { short: every('3m'), long: every('4m') },
    warmUp: () => options.warmUp ?? 0,
    onKline: (_kline, { time }) => note('kline', time),
    on: {
      quote: ({ time }) => note('quote', time),
      short: time => note('short', time),
      long: time => note('long', time),
    },
  })
  const session = new EngineSession(strategy)
  const quote = (minutes: number) =>
    session.process({
      type: 'tickerSeen',
      symbol: MARGIN.symbol,
      ticker: { time: minutes * MINUTE, last: 100, bid: 99, ask: 101, high: 101, low: 99, volume: 1 },
    })
  const klines = (count: number) => {
    for (let index = 0; index < count; index++) session.kline(100)
  }
  return { asked, session, quote, klines }
}

describe('timers', () => {
  it('ring once at each of their times, after the kline that closes then', () => {
    const { asked, klines } = ringing()
    klines(8)
    expect(asked).toEqual([
      ...['kline 1', 'kline 2', 'kline 3', 'short 3', 'kline 4', 'long 4', 'kline 5'],
      ...['kline 6', 'short 6', 'kline 7', 'kline 8', 'long 8'],
    ])
  })

  it('that are due when a datum comes wait for the kline that closes then; those before it do not', () => {
    const { asked, klines, quote } = ringing()
    klines(2)
    quote(3)
    klines(1)
    quote(3.5)
    quote(4.5)
    klines(1)
    expect(asked.slice(2)).toEqual([
      'quote 3',
      'kline 3',
      'short 3',
      'quote 3.5',
      'quote 4.5',
      'long 4',
      'kline 4',
    ])
  })

  it('that were passed over several times ring once, with the last of these times', () => {
    const { asked, klines, quote } = ringing()
    klines(1)
    quote(10)
    expect(asked.slice(1)).toEqual(['quote 10', 'short 9', 'long 8'])
  })

  it('do not ring for what passed before the first decision', () => {
    const { asked, klines } = ringing({ warmUp: 3 })
    klines(6)
    expect(asked).toEqual(['kline 4', 'long 4', 'kline 5', 'kline 6', 'short 6'])
  })

  it('do not ring for history', () => {
    const { asked, session, klines } = ringing()
    for (let index = 0; index < 3; index++) session.history(100)
    klines(1)
    expect(asked).toEqual(['kline 4', 'long 4'])
  })
})
