import { describe, expect, it } from 'vitest'
import { runBacktest } from '../../backtest/run/run-backtest.ts'
import type { Signal } from '../../src/domain/signal.ts'
import marketMaker from '../../strategies/market-maker.ts'
import { fillsIn, type TopRow, type TradeRow, tickBacktest, ticksOf } from '../backtest/ticks/tick-run.ts'

const PARAMETERS = { halfSpread: 0.005, size: 100, inventory: 250, skew: 0.01, patience: 0.0005 }

/** What is declared over two minutes, as text, and the fills. */
function quoted(trades: readonly TradeRow[], tops: readonly TopRow[], parameters: object = {}) {
  const signals: Signal<string>[] = []
  const ticks = ticksOf([[0, 100], ...trades, [120_000, 100]], tops)
  const backtest = { ...tickBacktest(marketMaker, ticks), parameters: { ...PARAMETERS, ...parameters } }
  const result = runBacktest({
    ...backtest,
    onNotice: notice => {
      if (notice.type === 'signaled') signals.push(notice.signal)
    },
  })
  const sets = signals.map(signal =>
    signal.type === 'quotes'
      ? signal.quotes.map(({ side, price }) => `${side} ${Number(price.toFixed(4))}`)
      : [],
  )
  return { sets, fills: fillsIn(result), denials: result.denials }
}

const CALM: TopRow = [100, 99.9, 100.1]

describe('market-maker', () => {
  it('quotes on both sides of the middle', () => {
    expect(quoted([], [CALM]).sets).toEqual([['buy 99.5', 'sell 100.5']])
  })

  it('leaves its quotes where they are while the price hardly moves, and follows it when it does', () => {
    // The middle moves by 0.04, then by 0.06: patience is 0.05.
    const tops: TopRow[] = [CALM, [1_100, 99.94, 100.14], [2_100, 99.96, 100.16]]
    expect(quoted([], tops).sets).toEqual([
      ['buy 99.5', 'sell 100.5'],
      ['buy 99.5597', 'sell 100.5603'],
    ])
  })

  it('leans against what it holds', () => {
    // 100 ÷ 99.5 down to a thousandth are 1.005; worth 100.5 of 250 at 100, so 0.402 × 1% lower: 99.598.
    // Its quotes rest from the first book after they were sent, 1,100; a sell of 2 then goes through the buy.
    const tops = [1_100, 2_100, 2_101].map((time): TopRow => [time, 99.9, 100.1])
    const { sets, fills } = quoted([[1_600, 99.4, -2]], [CALM, ...tops])
    expect(fills).toEqual(['buy 1.005 at 99.5 maker, 1600'])
    expect(sets.at(-1)).toEqual(['buy 99.098', 'sell 100.1'])
  })

  it('never quotes through the best prices', () => {
    // Of a book as wide as this, the best prices are further away than 0.5.
    expect(quoted([], [[100, 98, 102]]).sets).toEqual([['buy 98', 'sell 102']])
  })

  it('quotes one side only once it holds enough, and asks for nothing that risk denies', () => {
    const trades: TradeRow[] = [
      [600, 99.4],
      [1_600, 98.9],
      [2_600, 98.4],
      [3_600, 97.9],
    ]
    const tops = [0, 1, 2, 3, 4].map(
      (second): TopRow => [second * 1000 + 100, 99.9 - second / 2, 100.1 - second / 2],
    )
    const { sets, fills, denials } = quoted(trades, tops, { skew: 0, inventory: 150 })
    expect(fills.map(fill => fill.split(' ')[0])).toEqual(['buy', 'buy'])
    expect(sets.at(-1)?.map(quote => quote.split(' ')[0])).toEqual(['sell'])
    expect(denials).toEqual([])
  })
})
