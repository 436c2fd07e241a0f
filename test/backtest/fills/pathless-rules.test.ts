import { describe, expect, it } from 'vitest'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import type { Protection } from '../../../src/domain/signal.ts'
import { defineStrategy, enterLong, enterShort, exit, protect } from '../../../src/strategy/index.ts'
import { CONTRACT, contractFills } from '../futures/contract-run.ts'
import { fillWords, klinesOf, QUIET, type Row, run, runScript } from '../kline-table.ts'

/** Rules of engines that do not look at the path inside a kline. */
const fills: Partial<FillSettings> = { stopLossFirst: 'always' }

describe('a trailing stop, by rules that do not look at the path,', () => {
  const trailingStop = { distance: 4 }

  it('follows from kline to kline', () => {
    // 103 - 4 = 99, and 97 + 4 = 101 of the mirror image.
    const long: Row[] = [QUIET, [100, 103, 99.5, 102], [102, 102, 99, 100]]
    expect(fillWords(runScript({ 0: enterLong({ trailingStop }) }, long, { fills }))[1]).toBe(
      '2: sell 1 at 99 taker',
    )
    const short: Row[] = [QUIET, [100, 100.5, 97, 98], [98, 101, 98, 100]]
    expect(fillWords(runScript({ 0: enterShort({ trailingStop }) }, short, { fills }))[1]).toBe(
      '2: buy 1 at 101 taker',
    )
  })

  it('follows the close of the kline on which a limit order entered', () => {
    // The high of 103 may have come before the entry: 99 - 4 = 95.
    const signal = enterLong({ order: { type: 'limit', price: 98 }, trailingStop })
    const rows: Row[] = [QUIET, [100, 103, 97.5, 99], [99, 99, 95, 96]]
    expect(fillWords(runScript({ 0: signal }, rows, { fills }))).toEqual([
      '1: buy 1 at 98 maker',
      '2: sell 1 at 95 taker',
    ])
  })

  it('that starts and stops on one kline sells the rest, for which that had no volume, at the next open', () => {
    const signal = enterLong({ trailingStop: { distance: 4, activation: 105 } })
    // It starts at 105, and stands at 101 then.
    const rows: Row[] = [QUIET, QUIET, [100, 108, 101, 106], [106, 107, 105, 106]]
    const klines = { ...klinesOf(rows), volume: Float64Array.of(2, 2, 1, 1) }
    const settings = { klines, fills: { ...fills, maxVolumeShare: 0.5 } }
    expect(fillWords(runScript({ 0: signal }, [], settings))).toEqual([
      '1: buy 1 at 100 taker',
      '2: sell 0.5 at 101 taker',
      '3: sell 0.5 at 106 taker',
    ])
  })
})

describe('of a trailing stop and a take-profit of 110 that the open of 112 has passed', () => {
  it.each(
    [8, 10, 12, 20].flatMap(distance =>
      [111, 104, 102, 100, 97, 92, 91, 90].map(low => [distance, low] as const),
    ),
  )('the stop, %d behind the open, comes first where the kline reaches it: down to %d', (distance, low) => {
    const reached = low <= 112 - distance
    const protection = { trailingStop: { distance }, takeProfit: 110 }
    const row: Row = [112, 112, low, low]
    expect(fillWords(runScript({ 0: enterLong(protection) }, [QUIET, QUIET, row], { fills }))[1]).toBe(
      `2: sell 1 at ${reached ? 112 - distance : 110} taker`,
    )
    const [short, mirrored] = [{ ...protection, takeProfit: 90 }, [88, 200 - low, 88, 200 - low] as const]
    expect(fillWords(runScript({ 0: enterShort(short) }, [QUIET, QUIET, mirrored], { fills }))[1]).toBe(
      `2: buy 1 at ${reached ? 88 + distance : 90} taker`,
    )
  })
})

describe.each<Partial<FillSettings>>([fills, { path: 'ohlc' }, { path: 'olhc' }])(
  'protection that is moved on a fill, with %j,',
  settings => {
    it.each<[string, Protection]>([
      ['a stop-loss', { stopLoss: 107 }],
      ['a take-profit', { takeProfit: 103 }],
    ])('%s beyond the price of that fill trades at that price', (_name, moved) => {
      const strategy = defineStrategy({
        name: 'moves',
        state: () => ({ row: -1 }),
        onKline: (_kline, { state }) =>
          ++state.row === 0
            ? enterLong({ size: { base: 2 }, stopLoss: 95, takeProfit: [{ at: 105, fraction: 0.5 }] })
            : undefined,
        onFill: ({ purpose, price }) =>
          purpose === 'takeProfit' && price === 105 ? protect(moved) : undefined,
      })
      const result = run(strategy, [QUIET, QUIET, [102, 106, 101, 104]], { fills: settings })
      expect(fillWords(result)).toEqual([
        '1: buy 2 at 100 taker',
        '2: sell 1 at 105 taker',
        '2: sell 1 at 105 taker',
      ])
      expect(result.fills[2]?.rule).toBe('reachedOnArrival')
    })
  },
)

describe('a stop-limit entry that may trade at its stop price', () => {
  const settings = { fills: { stopLimit: 'atStopPrice' } } as const
  const entry = enterLong({ order: { type: 'stopLimit', stopPrice: 105, price: 107 } })
  const above: Row = [108, 110, 108, 109]

  it('does not trade on a kline that lies beyond its limit, and rests there from then on', () => {
    expect(fillWords(runScript({ 0: entry }, [QUIET, above], settings))).toEqual([])
    const back: Row = [109, 109, 104, 106]
    expect(fillWords(runScript({ 0: entry }, [QUIET, above, back], settings))).toEqual([
      '2: buy 1 at 107 maker',
    ])
  })
})

describe('of two entries of one group that a kline reaches, by rules that do not look at the path,', () => {
  const up = enterLong({ order: { type: 'stop', stopPrice: 105 }, oco: 'break' })
  const down = enterShort({ order: { type: 'stop', stopPrice: 95 }, oco: 'break' })
  const both: Row = [100, 106, 94, 101]

  it('the one trades that makes less by the close', () => {
    // Bought at 105, 101 is a loss of 4; sold at 95, one of 6.
    for (const signals of [
      [up, down],
      [down, up],
    ])
      expect(fillWords(runScript({ 0: signals }, [QUIET, both], { fills }))).toEqual([
        '1: sell 1 at 95 taker',
      ])
  })

  it('one that waits for an exit at market lets the other trade', () => {
    // Decided at 4:00 with 90 s on the way, all come at the open of row 6, which has volume for one of the three sold there. The
    // rest of the exit is sent again then and comes at the open of row 9; the sale at 95 waits for that.
    const rows: Row[] = [...Array<Row>(7).fill(QUIET), both, QUIET, QUIET]
    const klines = { ...klinesOf(rows), volume: Float64Array.from(rows, (_row, row) => (row === 6 ? 1 : 10)) }
    const script = { 0: enterLong({ size: { base: 3 } }), 3: [exit(), up, down] }
    const settings = { klines, fills: { ...fills, latencyMs: 90_000, maxVolumeShare: 1 } }
    expect(fillWords(runScript(script, [], settings))).toEqual([
      '3: buy 3 at 100 taker',
      '6: sell 1 at 100 taker',
      '7: buy 1 at 105 taker',
      '9: sell 2 at 100 taker',
    ])
  })
})

describe('where stop-losses come first', () => {
  const rulesOf = (...args: Parameters<typeof runScript>) => runScript(...args).fills.map(({ rule }) => rule)
  const target = enterLong({ takeProfit: 110, stopLoss: 95 })

  it('a take-profit that the open has passed waits for no stop-loss that the kline stays away from', () => {
    const rows: Row[] = [QUIET, QUIET, [112, 113, 96, 112]]
    expect(rulesOf({ 0: target }, rows, { fills })).toEqual(['marketAtOpen', 'limitPassedByOpen'])
  })

  it('nor for a stop that enters', () => {
    const stop = enterLong({ order: { type: 'stop', stopPrice: 113 }, scaleIn: true })
    const rows: Row[] = [QUIET, QUIET, [112, 113, 96, 112]]
    expect(rulesOf({ 0: target, 1: stop }, rows, { fills })).toEqual([
      'marketAtOpen',
      'limitPassedByOpen',
      'stopInside',
    ])
  })

  it('protection works on the kline on which a limit order entered', () => {
    const signal = enterLong({ order: { type: 'limit', price: 98 }, stopLoss: 95 })
    expect(fillWords(runScript({ 0: signal }, [QUIET, [100, 101, 94, 100]], { fills }))).toEqual([
      '1: buy 1 at 98 maker',
      '1: sell 1 at 95 taker',
    ])
  })

  it.each([
    ['that nothing stopped', {}],
    ['whose stop-loss lies beyond it', { stopLoss: 88 }],
  ])('a bid below the liquidation of a position %s still trades', (_name, protection) => {
    const bid = enterLong({ order: { type: 'limit', price: 85 }, scaleIn: true })
    const rows: Row[] = [QUIET, QUIET, [100, 100, 84, 95]]
    const result = runScript({ 0: enterLong(protection), 1: bid }, rows, { instrument: CONTRACT, fills })
    expect(contractFills(result)).toEqual([
      '1: buy 1 at 100',
      '2: sell 1 at 90.9 liquidated',
      '2: buy 1 at 85 maker',
    ])
  })
})
