import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../src/domain/events/engine-event.ts'
import type { Interval } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { EngineState } from '../../src/engine/engine-state.ts'
import { fromJournalText, journalText } from '../../src/journal/journal-text.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import {
  defineStrategy,
  depth,
  enterLong,
  enterShort,
  every,
  exit,
  klines,
  of,
  type Strategy,
  sma,
} from '../../src/strategy/index.ts'
import { MARGIN } from './engine-session.ts'

const MINUTE = 60_000
const ETH = { ...MARGIN, symbol: 'ETH/USDT', base: 'ETH' }

function engineOf(strategy: Strategy): Engine {
  const ledger = new Ledger([MARGIN, ETH], [['USDT', amountOf('1000000')]])
  const traded = {
    ...{ strategy, parameters: {}, symbol: 'BTC/USDT', size: { base: 1 } },
    interval: '1m' as const,
    markets: { other: { symbol: 'ETH/USDT', size: { base: 2 } } },
  }
  return new Engine({ bot: 'test', ledger, strategies: [traded] })
}

/** Remembers, looks back, follows two intervals, a book and two timers, and trades two instruments by all of it. */
const strategyOf = () =>
  defineStrategy({
    name: 'everything',
    markets: ['other'],
    feeds: () => ({
      slow: klines({ interval: '5m' }),
      book: depth({ market: 'other', levels: 1, everyMs: 1000 }),
    }),
    timers: { often: every('3m'), seldom: every('8m') },
    indicators: () => ({ trend: of('slow', sma(2)), fast: sma(3) }),
    history: 4,
    state: () => ({ starts: 0, rings: [] as number[], shown: new Map<number, number>() }),
    onStart({ state }) {
      state.starts++
      return enterLong({ tag: `start ${state.starts}` })
    },
    onKline(kline, { state, history, feeds, indicators, markets }) {
      state.shown.set(kline.openTime, feeds.book.latest?.bids[0]?.price ?? 0)
      const earliest = history[0]?.close ?? 0
      if (markets.other.position.direction === 'flat')
        return enterShort({ market: 'other', tag: `${earliest} ${indicators.trend.value}` })
      return indicators.fast.value > indicators.trend.value ? exit({ market: 'other' }) : undefined
    },
    on: {
      slow: (_kline, { indicators }) =>
        enterLong({ scaleIn: true, tag: `slow ${indicators.trend.previous}` }),
      book: ({ bids }, { feeds }) =>
        feeds.slow.latest === undefined ? undefined : exit({ tag: `book ${bids[0]?.price}` }),
      often(time, { state }) {
        state.rings.push(time)
        return enterLong({ scaleIn: true, tag: `often ${state.rings.length}` })
      },
      seldom: time => exit({ tag: `seldom ${time}` }),
    },
  })

function kline(symbol: string, interval: Interval, openTime: number, close: number): EngineEvent {
  const own = { openTime, open: close, high: close, low: close, close, volume: 1 }
  return { type: 'klineClosed', symbol, interval, kline: own }
}

/** Forty minutes of both instruments, five-minute klines, and a book now and then. */
const EVENTS: readonly EngineEvent[] = [
  { type: 'sessionStarted', time: 0 },
  ...Array.from({ length: 40 }, (_, minute): readonly EngineEvent[] => {
    const [open, close] = [minute * MINUTE, 100 + 9 * Math.sin(minute)]
    const bids = [{ price: 50 + minute, quantity: 1 }]
    return [
      ...((minute + 1) % 5 === 0 ? [kline('BTC/USDT', '5m', open - 4 * MINUTE, close)] : []),
      kline('ETH/USDT', '1m', open, close / 2),
      kline('BTC/USDT', '1m', open, close),
      ...(minute % 7 === 3
        ? [
            {
              type: 'depthSeen',
              symbol: 'ETH/USDT',
              depth: { time: open + MINUTE + 20_000, bids, asks: [{ price: 60 + minute, quantity: 1 }] },
            } as const,
          ]
        : []),
    ]
  }).flat(),
]

/** Processes an event; every order is submitted, accepted and filled at once, some ms after the close that it was decided on. */
function process(engine: Engine, event: EngineEvent, takesMs = 0): string {
  const outputs = engine.process(event)
  const told = [journalText(outputs)]
  for (const output of outputs) {
    if (output.type !== 'placeOrder') continue
    const { clientOrderId, symbol, side, quantity, referencePrice: price } = output.request
    const fill = { id: clientOrderId, clientOrderId, symbol, side, price, quantity, fee: amountOf('0') }
    const time = output.request.decidedAt + takesMs
    told.push(process(engine, { type: 'orderUpdated', clientOrderId, event: 'submitted', time }, takesMs))
    told.push(process(engine, { type: 'orderUpdated', clientOrderId, event: 'accepted', time }, takesMs))
    const filled = { ...fill, feeAsset: 'USDT', liquidity: 'taker', time } as const
    told.push(process(engine, { type: 'filled', fill: filled }, takesMs))
  }
  return told.join('\n')
}

function klinesSeen(events: readonly EngineEvent[]) {
  return (symbol: string, interval: Interval): readonly Kline[] =>
    events.flatMap(event =>
      event.type === 'klineClosed' && event.symbol === symbol && event.interval === interval
        ? [event.kline]
        : [],
    )
}

describe('an engine of a strategy with feeds, timers and roles', () => {
  it.each([0, 700])('goes on from a snapshot at any moment as if it had never stopped: %i', takesMs => {
    const whole = engineOf(strategyOf())
    const told = EVENTS.map(event => process(whole, event, takesMs))
    for (let cut = 0; cut <= EVENTS.length; cut += 5) {
      const engine = engineOf(strategyOf())
      for (const event of EVENTS.slice(0, cut)) process(engine, event, takesMs)
      // What `snapshot` gave.
      const state = fromJournalText(journalText(engine.snapshot())) as EngineState
      const again = engineOf(strategyOf())
      again.restore(state, klinesSeen(EVENTS.slice(0, cut)))
      expect(EVENTS.slice(cut).map(event => process(again, event, takesMs))).toEqual(told.slice(cut))
      expect(journalText(again.snapshot())).toBe(journalText(whole.snapshot()))
    }
    const all = told.join('\n')
    for (const tag of ['start 1', 'slow ', 'book ', 'often 5', 'seldom '])
      expect(all).toContain(`"tag":"${tag}`)
    expect(all).toContain('"symbol":"ETH/USDT"')
  })
})

describe('the state of a strategy', () => {
  const counting = (state: {
    version?: number
    migrate?: (old: unknown, version: number) => { count: number }
  }) =>
    defineStrategy({
      name: 'counting',
      state: { version: 2, make: () => ({ count: 0 }), ...state },
      onKline: (_kline, context) => void context.state.count++,
    })
  const plain = defineStrategy({
    name: 'counting',
    state: () => [0],
    onKline: (_kline, { state }) => void state.push(state.length),
  })
  const engineFor = (strategy: Strategy) => {
    const ledger = new Ledger([MARGIN], [['USDT', amountOf('10000')]])
    const traded = {
      strategy,
      parameters: {},
      symbol: 'BTC/USDT',
      interval: '1m',
      size: { base: 1 },
    } as const
    return new Engine({ bot: 'test', ledger, strategies: [traded] })
  }
  const afterThree = (strategy: Strategy) => {
    const engine = engineFor(strategy)
    for (const minute of [0, 1, 2]) engine.process(kline('BTC/USDT', '1m', minute * MINUTE, 100))
    return engine.snapshot()
  }
  const memoryIn = (engine: Engine) => engine.snapshot().desks[0]?.memory

  it('goes on as it was where its version is the same', () => {
    const engine = engineFor(counting({}))
    engine.restore(afterThree(counting({})), () => [])
    expect(memoryIn(engine)).toEqual({ count: 3 })
  })

  it('is made anew of another version by migrate', () => {
    const migrate = (old: unknown, version: number) => ({ count: version * 100 + (old as number[]).length })
    const engine = engineFor(counting({ migrate }))
    engine.restore(afterThree(plain), () => [])
    expect(memoryIn(engine)).toEqual({ count: 104 })
  })

  it('of another version is refused where nothing migrates it', () => {
    const engine = engineFor(counting({}))
    expect(() => engine.restore(afterThree(plain), () => [])).toThrow(
      'The kept state of strategy "counting" is of version 1, but the strategy is at version 2 and has no migrate for it.',
    )
  })

  it('is refused where the strategy says so', () => {
    const strategy = defineStrategy({
      name: 'counting',
      state: { version: 1, make: () => [0], check: () => 'it is too old.' },
    })
    expect(() => engineFor(strategy).restore(afterThree(plain), () => [])).toThrow(
      'The kept state of strategy "counting" cannot be used: it is too old.',
    )
  })
})
