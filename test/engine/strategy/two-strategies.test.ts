import { describe, expect, it } from 'vitest'
import type { TradingCommanded } from '../../../src/domain/events/trading-event.ts'
import type { Interval } from '../../../src/domain/market-data/interval.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import type { OrderRequest } from '../../../src/domain/orders/order-request.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import {
  defineStrategy,
  enterLong,
  enterShort,
  type Signal,
  type Strategy,
} from '../../../src/strategy/index.ts'
import { MARGIN, SPOT, scripted } from '../engine-session.ts'

const OTHER = { ...MARGIN, symbol: 'ETH/USDT', base: 'ETH' }

/** Two strategies on an account that owns 10 ETH and 1,000 USDT; the one on BTC/USDT buys half of equity on its first kline. */
function account(symbols: readonly string[] = ['BTC/USDT', 'ETH/USDT']) {
  const balances = [['USDT', amountOf('1000')] as const, ['ETH', amountOf('10')] as const]
  const ledger = new Ledger([MARGIN, OTHER], balances)
  const strategies = symbols.map(symbol => {
    const strategy = scripted(
      symbol === 'BTC/USDT' ? { 0: enterLong({ size: { equityFraction: 0.5 } }) } : {},
    )
    return { strategy, parameters: {}, symbol, interval: '1m', size: { base: 1 } } as const
  })
  const engine = new Engine({ bot: 'test', ledger, strategies })
  const close = (type: 'klineClosed' | 'historySeen', symbol: string, openTime: number, price: number) => {
    const kline = { openTime, open: price, high: price, low: price, close: price, volume: 1 }
    return engine.process({ type, symbol, interval: '1m', kline })
  }
  return { engine, close }
}

describe('two strategies on one account', () => {
  it('are sized by what everything is worth now, not when it was last traded', () => {
    const { close } = account()
    close('historySeen', 'ETH/USDT', 0, 100)
    close('klineClosed', 'ETH/USDT', 60_000, 200)
    // (1,000 + 10 × 200) × 0.5 ÷ 100 = 15 BTC
    const placed = close('klineClosed', 'BTC/USDT', 60_000, 100).find(output => output.type === 'placeOrder')
    expect(placed?.request.quantity).toBe(15_000)
  })
})

describe('two strategies on two instruments', () => {
  it('are held back each by what is said of its own', () => {
    const { engine } = account()
    const modes = () => [0, 1].map(index => engine.risk.riskOf(index))
    const time = 0
    engine.process({ type: 'instrumentStatusSeen', symbol: 'ETH/USDT', isTradable: false, time })
    expect(modes().map(({ isTradable }) => isTradable)).toEqual([true, false])
    const halt = { type: 'tradingCommanded', command: 'halt', by: 'operator', reason: 'So.', time } as const
    engine.process({ ...halt, symbol: 'ETH/USDT' })
    expect(modes().map(({ mode }) => mode)).toEqual(['active', 'halted'])
    engine.process(halt)
    expect(modes().map(({ mode }) => mode)).toEqual(['halted', 'halted'])
    expect(() => engine.process({ ...halt, symbol: 'SOL/USDT' })).toThrow('No strategy trades SOL/USDT.')
    expect(() => engine.risk.riskOf(2)).toThrow('There is no market 2.')
  })
})

describe('what concerns one of two instruments', () => {
  const bid = enterLong({ order: { type: 'limit', price: 95 } })

  /** Each strategy has an entry resting. */
  function resting() {
    const ledger = new Ledger([MARGIN, OTHER], [['USDT', amountOf('10000')]])
    const strategies = [MARGIN, OTHER].map(({ symbol }, index) => ({
      strategy: defineStrategy({
        name: `counting${index}`,
        state: () => ({ symbol, count: 0 }),
        onKline(_kline, { state }) {
          state.count += index + 1
          return bid
        },
      }),
      ...{ parameters: {}, symbol, interval: '1m' as const, size: { base: 1 } },
    }))
    const engine = new Engine({ bot: 'test', ledger, strategies })
    const kline = { openTime: 0, open: 100, high: 100, low: 100, close: 100, volume: 1 }
    return {
      engine,
      start() {
        for (const { symbol } of [MARGIN, OTHER])
          engine.process({ type: 'klineClosed', symbol, interval: '1m', kline })
      },
    }
  }

  it.each<readonly [string, Omit<TradingCommanded, 'type' | 'by' | 'reason' | 'time'>, readonly string[]]>([
    ['one that is halted', { command: 'halt', symbol: 'ETH/USDT' }, ['ETH/USDT']],
    ['one that is closed', { command: 'flatten', symbol: 'BTC/USDT' }, ['BTC/USDT']],
    ['all that are closed', { command: 'flatten' }, ['BTC/USDT', 'ETH/USDT']],
    ['all of a halted account', { command: 'halt' }, ['BTC/USDT', 'ETH/USDT']],
  ])('takes the entries of that back: %s', (_name, command, canceled) => {
    const { engine, start } = resting()
    start()
    const by = { type: 'tradingCommanded', by: 'operator', reason: 'So.', time: 60_000 } as const
    const outputs = engine.process({ ...by, ...command })
    expect(outputs.flatMap(output => (output.type === 'cancelOrder' ? [output.symbol] : []))).toEqual(
      canceled,
    )
  })

  it('is known after a restart, and each strategy goes on from what it remembered', () => {
    const { engine, start } = resting()
    start()
    engine.process({ type: 'instrumentStatusSeen', symbol: 'ETH/USDT', isTradable: false, time: 0 })
    const again = resting().engine
    again.restore(engine.snapshot(), () => [])
    expect([0, 1].map(index => again.risk.riskOf(index).isTradable)).toEqual([true, false])
    expect(again.snapshot().desks.map(({ memory }) => memory)).toEqual([
      { symbol: 'BTC/USDT', count: 1 },
      { symbol: 'ETH/USDT', count: 2 },
    ])
  })

  it('is an error where nobody trades it', () => {
    const { engine } = resting()
    const broke = {
      type: 'strategyBroke',
      symbol: 'SOL/USDT',
      book: 'SOL/USDT',
      reason: 'So.',
      time: 0,
    } as const
    expect(() => engine.process(broke)).toThrow('No strategy trades in the book SOL/USDT.')
  })
})

describe('two strategies on one instrument', () => {
  const KLINE = { openTime: 0, open: 100, high: 100, low: 100, close: 100, volume: 1 }

  /** A strategy that says `signal` on its first kline, and keeps its fills. */
  function opener(name: string, signal: Signal) {
    const fills: string[] = []
    const strategy = defineStrategy({
      name,
      state: () => ({ isDone: false }),
      onKline(_kline, { state }) {
        if (state.isDone) return undefined
        state.isDone = true
        return signal
      },
      onFill({ side, quantity }, { position }) {
        fills.push(`${side} ${quantity}: ${position.direction} ${position.quantity}`)
        return undefined
      },
    })
    return { strategy, fills }
  }

  function pair(first: Strategy, second: Strategy, interval: Interval = '1m') {
    const ledger = new Ledger([MARGIN], [['USDT', amountOf('10000')]])
    const on = { parameters: {}, symbol: 'BTC/USDT', size: { base: 1 } }
    const strategies = [
      { ...on, strategy: first, interval: '1m' as const },
      { ...on, strategy: second, interval },
    ]
    const engine = new Engine({ bot: 'test', ledger, strategies })
    const close = (of: Interval = '1m') => {
      const outputs = engine.process({ type: 'klineClosed', symbol: 'BTC/USDT', interval: of, kline: KLINE })
      return outputs.flatMap(output => (output.type === 'placeOrder' ? [output.request] : []))
    }
    const fill = (request: OrderRequest | undefined) => {
      if (request === undefined) throw new Error('There is no such order.')
      const { clientOrderId, symbol, side, quantity } = request
      for (const event of ['submitted', 'accepted'] as const) {
        engine.process({ type: 'orderUpdated', clientOrderId, event, time: 60_000 })
      }
      const fee = { fee: amountOf('0'), feeAsset: 'USDT', liquidity: 'taker' } as const
      const price = ticks(10_000)
      const at = { id: clientOrderId, clientOrderId, symbol, side, quantity, price, time: 60_000 }
      return engine.process({ type: 'filled', fill: { ...at, ...fee } })
    }
    return { ledger, engine, close, fill }
  }

  it('see the same kline in the order in which they are declared, each with its own orders', () => {
    const { close } = pair(opener('up', enterLong()).strategy, opener('down', enterShort()).strategy)
    expect(close().map(({ strategy, book, side }) => [strategy, book, side])).toEqual([
      ['up', 'BTC/USDT#up', 'buy'],
      ['down', 'BTC/USDT#down', 'sell'],
    ])
  })

  it('hold positions of their own, and hear of their own fills only', () => {
    const [up, down] = [opener('up', enterLong()), opener('down', enterShort({ size: { base: 3 } }))]
    const { ledger, close, fill } = pair(up.strategy, down.strategy)
    const [long, short] = close()
    fill(long)
    fill(short)
    expect(ledger.position('BTC/USDT#up')).toMatchObject({ direction: 'long', quantity: 1000 })
    expect(ledger.position('BTC/USDT#down')).toMatchObject({ direction: 'short', quantity: 3000 })
    expect(ledger.netQuantity('BTC/USDT')).toBe(-2000)
    expect([up.fills, down.fills]).toEqual([['buy 1: long 1'], ['sell 3: short 3']])
  })

  it('have ids of their own, also where they are the same strategy', () => {
    const { strategy } = opener('twin', enterLong())
    const { close } = pair(strategy, strategy)
    const requests = close()
    expect(requests.map(({ book }) => book)).toEqual(['BTC/USDT#twin', 'BTC/USDT#twin#2'])
    expect(new Set(requests.map(({ clientOrderId }) => clientOrderId)).size).toBe(2)
  })

  it('see the klines of their own interval only', () => {
    const { close } = pair(opener('fast', enterLong()).strategy, opener('slow', enterLong()).strategy, '1h')
    expect(close('1h').map(({ strategy }) => strategy)).toEqual(['slow'])
    expect(close('1m').map(({ strategy }) => strategy)).toEqual(['fast'])
  })

  it('are closed together, unless one of them is meant', () => {
    const { engine, close, fill } = pair(
      opener('up', enterLong()).strategy,
      opener('down', enterShort()).strategy,
    )
    for (const request of close()) fill(request)
    const closed = (book?: string) =>
      engine
        .process({
          type: 'flattenRequested',
          symbol: 'BTC/USDT',
          ...(book !== undefined && { book }),
          purpose: 'ruin',
          time: 120_000,
        })
        .flatMap(output => (output.type === 'placeOrder' ? [output.request.book] : []))
    expect(closed('BTC/USDT#down')).toEqual(['BTC/USDT#down'])
    expect(closed()).toEqual(['BTC/USDT#up'])
  })

  it('share the money: what one decides to buy, the other cannot buy as well', () => {
    const half = enterLong({ size: { quote: 600 } })
    const ledger = new Ledger([SPOT], [['USDT', amountOf('1000')]])
    const strategies = ['one', 'two'].map(name => ({
      strategy: opener(name, half).strategy,
      parameters: {},
      symbol: 'BTC/USDT',
      interval: '1m' as const,
      size: { base: 1 },
    }))
    const engine = new Engine({ bot: 'test', ledger, strategies })
    const outputs = engine.process({ type: 'klineClosed', symbol: 'BTC/USDT', interval: '1m', kline: KLINE })
    expect(outputs.map(({ type }) => type)).toEqual(['signaled', 'placeOrder', 'signaled', 'denied'])
  })
})
