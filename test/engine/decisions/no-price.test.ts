import { describe, expect, it } from 'vitest'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import {
  cancelEntries,
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  keepQuotes,
  protect,
  type Signals,
  targetPosition,
  ticker,
} from '../../../src/strategy/index.ts'
import { ETH, fillWords, flat, klinesAt, marketOf, runOf, several } from '../../backtest/markets/several.ts'
import { BotSession } from '../../bot/bot-session.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { EngineSession } from '../engine-session.ts'

const SENTENCE =
  'BTC/USDT has no price yet, because the strategy has not seen a kline of it, so the order can be neither sized nor checked. Signal it once the price is a number: in onKline; or in onStart of a strategy that declares warmUp: () => 1.'

/** Signals something when trading begins, and enters on the first kline. */
const starting = (signals: Signals, warmUp = 0) =>
  defineStrategy({
    name: 'starting',
    warmUp: () => warmUp,
    onStart: () => signals,
    onKline: () => enterLong(),
  })

const below = { type: 'limit', price: 90 } as const

describe('before the first price of its market', () => {
  it.each<readonly [string, Signal | readonly Signal[], number]>([
    ['an entry', enterLong(), 1],
    ['a short entry', enterShort(), 1],
    ['an entry with prices of its own', enterLong({ order: below, stopLoss: 80, size: { base: 1 } }), 1],
    ['an entry by stop', enterLong({ order: { type: 'stop', stopPrice: 110 } }), 1],
    ['an entry of a fraction', enterLong({ size: { equityFraction: 0.5 } }), 1],
    ['a target', targetPosition({ equityFraction: -0.5 }), 1],
    ['quotes', keepQuotes([{ side: 'buy', price: 90, size: { base: 1 } }]), 1],
    ['a list', [enterLong(), enterShort({ order: { type: 'limit', price: 110 } })], 2],
    ['an exit', exit(), 0],
    ['a target of nothing', targetPosition({ base: 0 }), 0],
    ['a change of protection', protect({ stopLoss: 80, trailingStop: { fraction: 0.1 } }), 0],
    ['a cancel', cancelEntries(), 0],
    ['an empty set of quotes', keepQuotes([]), 0],
  ])(
    '%s is denied where it would place an order, with a sentence, and the strategy goes on',
    (_name, signals, denials) => {
      const session = new EngineSession(starting(signals))
      session.process({ type: 'sessionStarted', time: 0 })
      const messages = session.outputs.flatMap(output =>
        output.type === 'denied' ? [output.denial.message] : [],
      )
      expect(messages).toEqual(Array.from({ length: denials }, () => SENTENCE))
      expect(session.kline(100)).toEqual(['entry buy 1 market'])
    },
  )

  it('what is denied is told of as an entry of its side', () => {
    const session = new EngineSession(starting([enterLong(), targetPosition({ base: -1 })]))
    session.process({ type: 'sessionStarted', time: 0 })
    const intents = session.outputs.flatMap(output =>
      output.type === 'denied' ? [output.denial.intent] : [],
    )
    expect(intents).toMatchObject([
      { side: 'buy', purpose: 'entry', reduceOnly: false },
      { side: 'sell', purpose: 'entry', reduceOnly: false },
    ])
  })

  it('nothing is held up once there is one: an entry in onStart after a warm-up of one kline is placed', () => {
    const session = new EngineSession(starting(enterLong(), 1))
    expect(session.process({ type: 'sessionStarted', time: 0 })).toEqual([])
    expect(session.kline(100)).toEqual(['entry buy 1 market'])
  })

  it('an operator closes nothing, and nothing fails', () => {
    const session = new EngineSession(starting(undefined))
    session.process({ type: 'sessionStarted', time: 0 })
    expect(session.command('flatten')).not.toContain('strategy failed')
    expect(session.placed).toEqual([])
  })

  it('a backtest denies what is entered in onStart, and goes on', () => {
    const result = runOf(marketOf(starting(enterLong({ tag: 'start' })), klinesAt([flat(100), flat(100)])))
    expect(result.denials.map(({ message }) => message)).toEqual([SENTENCE])
    expect(fillWords(result)).toEqual(['1: BTC/USDT buy 1 at 100'])
  })

  it('an entry of a second market is denied until that has a price, and the own market trades on', () => {
    const strategy = defineStrategy({
      name: 'two',
      markets: ['hedge'],
      onKline: () => [enterLong(), enterShort({ market: 'hedge' })],
    })
    // The hedge begins two minutes later: its first kline closes at 3:00, and its entry trades at the next open.
    const hedge = { instrument: ETH, klines: klinesAt([flat(50), flat(50), flat(50)], { start: 2 * 60_000 }) }
    const own = klinesAt([flat(100), flat(100), flat(100), flat(100), flat(100)])
    const result = runBacktest(several([marketOf(strategy, own, { roles: { hedge } })]))
    expect(
      result.denials.map(({ rule, intent }) => [rule, intent.symbol, intent.decidedAt / 60_000]),
    ).toEqual([
      ['noPrice', 'ETH/USDT', 1],
      ['noPrice', 'ETH/USDT', 2],
    ])
    expect(fillWords(result)).toEqual(['1: BTC/USDT buy 1 at 100', '3: ETH/USDT sell 1 at 50'])
  })
})

describe('a running bot without a price yet', () => {
  it('denies what is entered in onStart, and trades on the first kline', async () => {
    const session = new BotSession({ strategy: starting(enterLong()) })
    await session.start()
    await session.run(5000)
    expect(session.said('order denied').map(({ why }) => why)).toEqual([SENTENCE])
    await session.run(2 * MINUTE)
    expect(session.failures).toEqual([])
    expect(session.said('fill').length).toBe(1)
  })

  it('enters in onStart after a warm-up of one kline, which the exchange is asked for', async () => {
    const session = new BotSession({ strategy: starting(enterLong(), 1) })
    await session.start()
    expect(session.said('order denied')).toEqual([])
    await session.run(5000)
    expect(session.said('fill').length).toBe(1)
  })

  it('knows a price as soon as a feed shows one', async () => {
    const strategy = defineStrategy({
      name: 'quick',
      feeds: () => ({ quote: ticker({ everyMs: 1000 }) }),
      on: { quote: () => enterLong() },
    })
    const session = new BotSession({ strategy })
    await session.start()
    await session.run(5000)
    expect(session.failures).toEqual([])
    expect(session.said('fill').length).toBe(1)
  })
})
