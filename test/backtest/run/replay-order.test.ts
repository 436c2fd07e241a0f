import { describe, expect, it } from 'vitest'
import { defineStrategy, enterLong, enterShort, exit, type Signal } from '../../../src/strategy/index.ts'
import { fillWords, QUIET, type Row, run, runScript } from '../kline-table.ts'

const WIDE: Row = [100, 105, 95, 100]

/** Enters once, then says `then` when the entry fills. */
function afterEntry(then: Signal, entry: Signal = enterLong()) {
  return defineStrategy({
    name: 'after-entry',
    state: () => ({ entered: false }),
    onKline(_kline, { state }) {
      if (state.entered) return
      state.entered = true
      return entry
    },
    onFill: ({ purpose }) => (purpose === 'entry' ? then : undefined),
  })
}

describe('an order that a fill led to', () => {
  const table: readonly (readonly [string, Signal, string])[] = [
    ['market', exit(), '2: sell 1 at 100 taker'],
    ['limit', exit({ order: { type: 'limit', price: 103 } }), '2: sell 1 at 103 maker'],
  ]
  it.each(table)('works from the next kline on: %s', (_name, signal, expected) => {
    expect(fillWords(run(afterEntry(signal), [QUIET, WIDE, WIDE]))).toEqual([
      '1: buy 1 at 100 taker',
      expected,
    ])
  })

  it('works from the next kline on after a fill inside a kline, too', () => {
    const entry = enterLong({ order: { type: 'limit', price: 98 } })
    const strategy = afterEntry(exit({ order: { type: 'limit', price: 103 } }), entry)
    expect(fillWords(run(strategy, [QUIET, WIDE, WIDE]))).toEqual([
      '1: buy 1 at 98 maker',
      '2: sell 1 at 103 maker',
    ])
  })
})

describe('on one kline', () => {
  it('market orders trade before anything else at the open', () => {
    const script = {
      0: [
        enterLong({ order: { type: 'stop', stopPrice: 99, triggerAtOnce: true }, scaleIn: true }),
        enterShort({ size: { base: 2 } }),
      ],
    }
    expect(fillWords(runScript(script, [QUIET, QUIET]))).toEqual([
      '1: sell 2 at 100 taker',
      '1: buy 1 at 100 taker',
    ])
  })

  it('the price comes to another entry before a stop-loss that lies further', () => {
    const script = {
      0: enterLong({ stopLoss: 96 }),
      1: enterLong({ order: { type: 'limit', price: 97 }, scaleIn: true, size: { base: 2 } }),
    }
    expect(fillWords(runScript(script, [QUIET, QUIET, WIDE])).slice(1)).toEqual([
      '2: buy 2 at 97 maker',
      '2: sell 1 at 96 taker',
    ])
  })

  it('the price comes to a take-profit before another exit that lies further', () => {
    const script = {
      0: enterLong({ takeProfit: 103 }),
      1: exit({ order: { type: 'limit', price: 104 }, fraction: 0.5 }),
    }
    expect(fillWords(runScript(script, [QUIET, QUIET, WIDE])).slice(1)).toEqual(['2: sell 1 at 103 taker'])
  })

  it('orders whose fills no path changes trade in the order of their placement', () => {
    const script = {
      0: [
        enterShort({ order: { type: 'limit', price: 104 } }),
        enterLong({ order: { type: 'limit', price: 97 }, size: { base: 2 } }),
      ],
    }
    expect(fillWords(runScript(script, [QUIET, WIDE]))).toEqual([
      '1: sell 1 at 104 maker',
      '1: buy 2 at 97 maker',
    ])
  })
})

it('a replaced entry never fills beside its replacement', () => {
  const bid = (price: number) => enterLong({ order: { type: 'limit', price } })
  const result = runScript({ 0: bid(98), 1: bid(97), 2: bid(96) }, [QUIET, QUIET, QUIET, [100, 100, 90, 95]])
  expect(fillWords(result)).toEqual(['3: buy 1 at 96 maker'])
})

it('a strategy that throws ends the backtest with its error', () => {
  const strategy = defineStrategy({
    name: 'broken',
    onKline() {
      throw new Error('boom')
    },
  })
  expect(() => run(strategy, [QUIET])).toThrow(
    'Strategy "broken" on BTC/USDT at 1970-01-01T00:01:00.000Z threw in onKline: boom',
  )
})
