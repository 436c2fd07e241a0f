import { describe, expect, it } from 'vitest'
import type { PathPolicy } from '../../../backtest/models/fill-settings.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { fillWords, QUIET, type Row, runScript } from '../kline-table.ts'

const up = enterLong({ order: { type: 'stop', stopPrice: 105 }, oco: 'break' })
const down = enterShort({ order: { type: 'stop', stopPrice: 95 }, oco: 'break' })

/** The fill of two entries of one group on their first kline, from 94 to 106: a breakout up at 105, and one down at 95. */
function breakoutBy(
  path: PathPolicy,
  close: number,
  {
    isUpFirst = true,
    fees = MARGIN.fees,
  }: {
    readonly isUpFirst?: boolean
    readonly fees?: Instrument['fees']
  } = {},
): string | undefined {
  const script = { 0: isUpFirst ? [up, down] : [down, up] }
  const settings = { instrument: { ...MARGIN, fees }, fills: { path } }
  return fillWords(runScript(script, [QUIET, [100, 106, 94, close]], settings))[0]
}

describe('of two entries of one group on their first kline', () => {
  const [bought, sold] = ['1: buy 1 at 105 taker', '1: sell 1 at 95 taker']

  it('the one trades that makes less or more by the close', () => {
    // At 97 the purchase stands at -8 and the sale at -2; at 103 at -2 and -8.
    expect([breakoutBy('pessimistic', 97), breakoutBy('optimistic', 97)]).toEqual([bought, sold])
    expect([breakoutBy('pessimistic', 103), breakoutBy('optimistic', 103)]).toEqual([sold, bought])
  })

  it('that arrive right at its open the same one trades', () => {
    // Decided at 1:00, they arrive at 2:00, the open of row 2.
    const rows: Row[] = [QUIET, QUIET, [100, 106, 94, 97]]
    const result = runScript({ 0: [up, down] }, rows, { fills: { latencyMs: 60_000 } })
    expect(fillWords(result)).toEqual(['2: buy 1 at 105 taker'])
  })

  it('that make the same the one placed first trades', () => {
    // At 100 both stand at -5.
    for (const path of ['pessimistic', 'optimistic'] as const) {
      expect(breakoutBy(path, 100, { isUpFirst: true })).toBe(bought)
      expect(breakoutBy(path, 100, { isUpFirst: false })).toBe(sold)
    }
  })

  it('a fee in quote counts by the price, and one taken from what is bought by the close', () => {
    const rates = { maker: rateOf('0.1'), taker: rateOf('0.1') }
    const inQuote = { ...rates, paidIn: 'quote' } as const
    const inBase = { ...rates, paidIn: 'received' } as const
    // The sale: 95 - 9.5 - 100.4 = -14.9. The purchase: 100.4 - 105 - 10.5 = -15.1, but 0.9 × 100.4 - 105 = -14.64 of base.
    expect(breakoutBy('pessimistic', 100.4, { fees: inQuote })).toBe(bought)
    expect(breakoutBy('pessimistic', 100.4, { fees: inBase })).toBe(sold)
    // The sale: 95 - 9.5 - 100.1 = -14.6; the purchase: 0.9 × 100.1 - 105 = -14.91.
    expect(breakoutBy('pessimistic', 100.1, { fees: inBase })).toBe(bought)
  })
})

describe('a kline', () => {
  it('that reaches an entry and the exit of another lets the order trade first that was placed first', () => {
    const bid = enterLong({ order: { type: 'limit', price: 90 }, scaleIn: true, keep: true })
    const target = enterLong({ takeProfit: 110, scaleIn: true })
    const rows: Row[] = [QUIET, QUIET, QUIET, [100, 111, 89, 100]]
    const fillsOf = (script: Parameters<typeof runScript>[0]) => fillWords(runScript(script, rows)).slice(1)
    const [below, above] = ['3: buy 1 at 90 maker', '3: sell 1 at 110 taker']
    expect(fillsOf({ 0: bid, 1: target })).toEqual([below, above])
    expect(fillsOf({ 0: target, 1: bid })).toEqual([above, below])
  })

  it('is not chosen a path for by an order that has not arrived', () => {
    // Decided at 1:00 and 4:00 with 90 s on the way, they arrive at the opens of rows 3 and 6. On row 4 the sale at 103 would
    // close the position with a gain of 3, less than the loss of 5 and a sale that stands at 9 by the close of 94.
    const offer = enterShort({ order: { type: 'limit', price: 103 }, scaleIn: true })
    const script = { 0: enterLong({ stopLoss: 95, takeProfit: 105 }), 3: offer }
    const rows: Row[] = [QUIET, QUIET, QUIET, QUIET, [100, 106, 94, 94]]
    expect(fillWords(runScript(script, rows, { fills: { latencyMs: 90_000 } }))).toEqual([
      '3: buy 1 at 100 taker',
      '4: sell 1 at 95 taker',
    ])
  })
})
