import { describe, expect, it } from 'vitest'
import { defineStrategy, keepQuotes } from '../../src/strategy/index.ts'
import { hasShared } from '../shared-data.ts'
import { marketSlice } from './market-slice.ts'
import { runLive, runReplay, type Trace } from './run-both.ts'

const SIZE = { base: 0.005 }
const STEP = 50

/** Keeps three bids and three offers on round prices around the close. */
const ladder = defineStrategy({
  name: 'ladder',
  warmUp: () => 1,
  onKline({ close }) {
    const below = Math.floor((close - STEP / 4) / STEP) * STEP
    const above = Math.ceil((close + STEP / 4) / STEP) * STEP
    return keepQuotes(
      [0, 1, 2].flatMap(level => [
        { side: 'buy' as const, price: below - level * STEP, size: SIZE, tag: `bid ${level}` },
        { side: 'sell' as const, price: above + level * STEP, size: SIZE, tag: `ask ${level}` },
      ]),
    )
  },
})

/** Fields of log lines, as text, sorted: of two cancels that are asked for together either may be confirmed first, and a kline does not tell which of two levels it reached first. */
const wordsOf = (lines: Trace['orders'], names: readonly string[]) =>
  lines.map(line => names.map(name => String(Reflect.get(line, name))).join(' ')).toSorted()

describe.runIf(hasShared('data', 'binance-btcusdt-1m.csv.gz'))('quotes on one real market', () => {
  it('give the same orders and the same fills live and in a backtest', async () => {
    const market = await marketSlice(10_000, 300)
    const subject = { strategy: ladder, parameters: {}, history: 1 }
    const live = await runLive(market, subject)
    const replayed = runReplay(market, subject, live.instrument)
    const orders = ['side', 'purpose', 'type', 'kind', 'quantity', 'price']
    const fills = ['side', 'quantity', 'price', 'liquidity']
    const [placed, filled] = [wordsOf(replayed.orders, orders), wordsOf(replayed.fills, fills)]
    expect(wordsOf(live.orders.slice(0, placed.length), orders)).toEqual(placed)
    // The live run sees a part of the last kline, which the replay is not shown.
    expect(wordsOf(live.fills.slice(0, filled.length), fills)).toEqual(filled)
    expect(live.risk).toEqual([])
    expect(replayed.risk).toEqual([])
    expect(placed.length).toBeGreaterThan(150)
    expect(filled.length).toBeGreaterThan(30)
  })
})
