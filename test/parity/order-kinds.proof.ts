import { describe, expect, it } from 'vitest'
import { defineStrategy, enterLong, exit, protect } from '../../src/strategy/index.ts'
import { hasShared } from '../shared-data.ts'
import { marketSlice } from './market-slice.ts'
import { runLive, runReplay, type Trace } from './run-both.ts'

const SIZE = { base: 0.02 }

/** Every half hour takes at once, then rests a bid for three klines, then leaves; scales out, and moves the stop-loss to the entry then. */
const scaler = defineStrategy({
  name: 'scaler',
  warmUp: () => 1,
  onKline({ openTime, close }, { position }) {
    const minute = (openTime / 60_000) % 30
    if (minute === 20) return position.direction === 'long' ? exit() : undefined
    if (minute !== 0 && minute !== 10) return undefined
    const protection = {
      size: SIZE,
      stopLoss: { fraction: 0.004 },
      takeProfit: [
        { at: { fraction: 0.001 }, fraction: 0.5 },
        { at: { fraction: 0.003 }, fraction: 0.5 },
      ],
    }
    return minute === 0
      ? enterLong({ order: { type: 'limit', price: close * 1.001, timeInForce: 'IOC' }, ...protection })
      : enterLong({
          order: { type: 'limit', price: close * 0.9995, postOnly: true },
          expiresAfter: { klines: 3 },
          ...protection,
        })
  },
  onFill: ({ purpose }, { position }) =>
    purpose === 'takeProfit' && position.direction === 'long'
      ? protect({ stopLoss: position.entryPrice })
      : undefined,
})

/** Fields of a log line, as text. */
const wordsOf = (line: object, names: readonly string[]) =>
  names.map(name => String(Reflect.get(line, name))).join(' ')
const ORDER = ['side', 'purpose', 'type', 'kind', 'quantity', 'price', 'stopPrice']

/** Every fill's side and quantity, and price and liquidity where both follow one rule: entries do, but protective orders trade live at what the ticker shows when it is asked. */
function fillsOf({ fills }: Trace): readonly string[] {
  return fills.map(fill => {
    const isEntry = Reflect.get(fill, 'side') === 'buy'
    return wordsOf(fill, isEntry ? ['side', 'quantity', 'price', 'liquidity'] : ['side', 'quantity'])
  })
}

describe.runIf(hasShared('data', 'binance-btcusdt-1m.csv.gz'))('live and backtest on one real market', () => {
  it('give the same orders and the same fills: post-only, IOC, time to live, scaling out, protect', async () => {
    const market = await marketSlice(10_000, 600)
    const subject = { strategy: scaler, parameters: {}, history: 1 }
    const live = await runLive(market, subject)
    const replayed = runReplay(market, subject, live.instrument)
    // The live run sees a part of the last kline, which the replay is not shown.
    const { orders, fills, expired } = replayed
    expect(live.orders.slice(0, orders.length).map(line => wordsOf(line, ORDER))).toEqual(
      orders.map(line => wordsOf(line, ORDER)),
    )
    expect(fillsOf(live).slice(0, fills.length)).toEqual(fillsOf(replayed))
    expect(live.expired).toEqual(expired)
    expect(orders.length).toBeGreaterThan(90)
    expect(fills.length).toBeGreaterThan(40)
    expect(expired.length).toBeGreaterThan(2)
  })
})
