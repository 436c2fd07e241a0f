import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS, type FillSettings } from '../../../backtest/models/fill-settings.ts'
import { boundsOf, type PathBounds } from '../../../backtest/run/bounds.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import type { EnterSignal } from '../../../src/domain/signal.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { MARGIN, scripted } from '../../engine/engine-session.ts'
import { fillWords, klinesOf, QUIET, type Row, runScript } from '../kline-table.ts'

const PATHS = ['pessimistic', 'optimistic', 'ohlc', 'olhc'] as const
const bracket = enterLong({ stopLoss: 95, takeProfit: 110 })
const bid = enterLong({ order: { type: 'limit', price: 98 }, stopLoss: 95, takeProfit: 110 })
const breakout = enterLong({ order: { type: 'stop', stopPrice: 103 }, stopLoss: 99 })
const trailing = enterLong({ trailingStop: { distance: 4 } })
// Entries that bring nothing.
const buyStop = enterLong({ order: { type: 'stop', stopPrice: 103 }, scaleIn: true })
const plainBid = enterLong({ order: { type: 'limit', price: 98 }, scaleIn: true })
const sellStop = enterShort({ order: { type: 'stop', stopPrice: 98 }, scaleIn: true })
const offer = enterShort({ order: { type: 'limit', price: 103 }, scaleIn: true })
/** Where the price of the exit must be told: the position is closed at the last open, 100. */
const END: Row = [100, 100, 100, 100]

/** Price of the exit, and `?` if the round trip is ambiguous. */
function exitBy(path: FillSettings['path'], signal: EnterSignal, row: Row): string {
  const result = runScript({ 0: signal }, [QUIET, row, END], { fills: { path }, closeAtEnd: 'lastOpen' })
  const price = fillWords(result)[1]?.match(/at (\S+)/)?.[1]
  return `${price}${result.ambiguousRoundTrips.length > 0 ? '?' : ''}`
}

describe('the path inside a kline', () => {
  // The exits by the pessimistic path, the optimistic one, and by open-high-low-close and open-low-high-close.
  const table: readonly (readonly [string, EnterSignal, Row, readonly [string, string, string, string]])[] = [
    [
      'decides between stop-loss and take-profit',
      bracket,
      [100, 111, 94, 105],
      ['95?', '110?', '110?', '95?'],
    ],
    ['does not matter to a stop-loss alone', bracket, [100, 101, 95, 99], ['95', '95', '95', '95']],
    ['does not matter to a take-profit alone', bracket, [100, 111, 96, 99], ['110', '110', '110', '110']],
    ['does not matter where nothing is reached', bracket, [100, 109, 96, 99], ['100', '100', '100', '100']],
    // Falling, the price comes to 98 and 95 before it can rise to 110; the path may turn between the two, but a straight one does not.
    ['decides about a bid with both', bid, [100, 111, 94, 105], ['95?', '110?', '95?', '95?']],
    ['decides whether the high came after a bid', bid, [100, 111, 97, 100], ['100?', '110?', '100?', '110?']],
    ['leaves a bid no way around its stop-loss', bid, [100, 101, 94, 96], ['95', '95', '95', '95']],
    [
      'decides whether the low came after a breakout',
      breakout,
      [101, 109, 98, 102],
      ['99?', '100?', '99?', '100?'],
    ],
    [
      'leaves a breakout no way around a close at its stop-loss',
      breakout,
      [101, 109, 98, 99],
      ['99', '99', '99', '99'],
    ],
    // 103 - 4 = 99, or 100 - 4 = 96.
    ['decides how far a stop has trailed', trailing, [100, 103, 96, 102], ['96?', '99?', '99?', '96?']],
    [
      'does not matter to a stop that has not trailed',
      trailing,
      [100, 100, 96, 99],
      ['96', '96', '96', '96'],
    ],
    // From 100 up to 102 and back: 102 - 4 = 98; low, high and close leave it where it is.
    [
      'decides whether a trailed stop trades at all',
      trailing,
      [100, 103, 98, 102],
      ['98?', '100?', '99?', '100?'],
    ],
  ]
  it.each(table)('%s', (_name, signal, row, expected) => {
    expect(PATHS.map(path => exitBy(path, signal, row))).toEqual(expected)
  })

  it('mirrors for a short', () => {
    const short = enterShort({ stopLoss: 105, takeProfit: 90 })
    expect(PATHS.map(path => exitBy(path, short, [100, 106, 89, 95]))).toEqual(['105?', '90?', '105?', '90?'])
  })

  it('known, lets a stop-limit rest at its limit until the price comes back', () => {
    const signal = enterLong({ order: { type: 'stopLimit', stopPrice: 103, price: 101 } })
    const fillsBy = (path: FillSettings['path']) =>
      fillWords(runScript({ 0: signal }, [QUIET, [100, 105, 99, 102]], { fills: { path } }))
    // Up to 105, through 101 on the way down to 99; or down first, up to 105, and back to 102 only.
    expect(fillsBy('ohlc')).toEqual(['1: buy 1 at 101 maker'])
    expect(fillsBy('olhc')).toEqual([])
    expect(fillsBy('optimistic')).toEqual(['1: buy 1 at 101 maker'])
  })

  it.each<[string, readonly EnterSignal[], readonly string[]]>([
    ['bought above', [buyStop, plainBid], ['1: buy 1 at 103 taker', '1: buy 1 at 98 maker']],
    ['bought below', [plainBid, buyStop], ['1: buy 1 at 98 maker', '1: buy 1 at 103 taker']],
    ['sold above', [offer, sellStop], ['1: sell 1 at 103 maker', '1: sell 1 at 98 taker']],
    ['sold below', [sellStop, offer], ['1: sell 1 at 98 taker', '1: sell 1 at 103 maker']],
  ])('that decides nothing lets the order trade first that was placed first, %s', (_, signals, words) => {
    for (const path of ['pessimistic', 'optimistic'] as const) {
      const result = runScript({ 0: signals }, [QUIET, [100, 104, 97, 100]], { fills: { path } })
      expect(fillWords(result)).toEqual(words)
    }
  })

  it('known, can take a profit and enter again below', () => {
    const script = {
      0: enterLong({ stopLoss: 90, takeProfit: 105 }),
      1: enterLong({ order: { type: 'limit', price: 97 }, scaleIn: true, takeProfit: 101 }),
    }
    const result = runScript(script, [QUIET, QUIET, [100, 106, 96, 102]], { fills: { path: 'ohlc' } })
    expect(fillWords(result).slice(1)).toEqual([
      '2: sell 1 at 105 taker',
      '2: buy 1 at 97 maker',
      '2: sell 1 at 101 taker',
    ])
  })

  it('known, comes to a stop before a limit of the same price that it must trade through', () => {
    const script = {
      0: [
        enterLong({ order: { type: 'limit', price: 98 }, size: { base: 2 } }),
        enterShort({ order: { type: 'stop', stopPrice: 98 } }),
      ],
    }
    const fillsBy = (limitFill: FillSettings['limitFill']) =>
      fillWords(runScript(script, [QUIET, [100, 101, 97, 99]], { fills: { path: 'ohlc', limitFill } }))
    const [bought, sold] = ['1: buy 2 at 98 maker', '1: sell 1 at 98 taker']
    expect(fillsBy('through')).toEqual([sold, bought])
    expect(fillsBy('touch')).toEqual([bought, sold])
  })

  it.each([
    [{ path: 'ohlc', stopLossFirst: 'always' }, 'stopLossFirst: always and path: ohlc contradict'],
    [
      { path: 'optimistic', entryKlineProtection: 'marketEntries' },
      'entryKlineProtection: marketEntries and path',
    ],
    [{ path: 'olhc', stopLimit: 'atStopPrice' }, 'stopLimit: atStopPrice and path: olhc contradict'],
    [{ path: 'detail' }, 'The path "detail" needs klines of a finer interval'],
  ] as const)('refuses contradictory settings %j', (fills, message) => {
    expect(() => runScript({}, [QUIET], { fills })).toThrow(message)
  })
})

/** Equity at the last close of the worst and of the best run. */
const finalEquityOf = ({ worst, best }: PathBounds) => [worst, best].map(({ equity }) => equity.at(-1))

describe('bounds', () => {
  const options = (rows: readonly Row[], quote = '10000') => ({
    klines: klinesOf(rows),
    instrument: MARGIN,
    interval: '1m' as const,
    strategy: scripted({ 0: bracket }),
    parameters: {},
    balances: new Map([['USDT', amountOf(quote)]]),
    size: { base: 10 },
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0, path: 'olhc' as const },
    sizingReference: 'decision' as const,
    closeAtEnd: 'no' as const,
  })

  it('reach from the pessimistic to the optimistic outcome', () => {
    // 10 × (95 - 100) = -50 and 10 × (110 - 100) = 100 on 10,000
    const bounds = boundsOf(options([QUIET, [100, 111, 94, 105]]))
    const { worst, best, areAlike } = bounds
    expect(areAlike).toBe(false)
    expect(finalEquityOf(bounds)).toEqual([9950, 10_100])
    expect([worst.roundTrips.length, best.roundTrips.length]).toEqual([1, 1])
  })

  it('are one point where nothing is ambiguous', () => {
    const bounds = boundsOf(options([QUIET, [100, 101, 95, 99]]))
    expect(bounds.areAlike).toBe(true)
    expect(finalEquityOf(bounds)).toEqual([9950, 9950])
  })

  it('do not depend on the path that the options name, nor on its finer klines', () => {
    const given = options([QUIET, [100, 111, 94, 105]])
    const detail = { klines: klinesOf([QUIET]), interval: '1m' as const }
    const bounds = boundsOf({ ...given, fills: { ...given.fills, path: 'detail' }, detail })
    expect(finalEquityOf(bounds)).toEqual([9950, 10_100])
  })

  it('of no klines have no equity', () => {
    expect(finalEquityOf(boundsOf(options([])))).toEqual([undefined, undefined])
  })
})

describe('a position that the path inside a kline keeps or closes', () => {
  const trailing8 = enterLong({ trailingStop: { distance: 8 } })
  // From 106 the stop is at 98, which the low of 95 reaches; from the open it is at 92, which no price does.
  const row: Row = [100, 106, 95, 102]

  it.each([
    ['ohlc', [0], []],
    ['pessimistic', [0], []],
    ['olhc', [], [0]],
    ['optimistic', [], [0]],
  ] as const)('counts as ambiguous by %s, closed or open', (path, roundTrips, open) => {
    const result = runScript({ 0: trailing8 }, [QUIET, row], { fills: { path } })
    expect(result.ambiguousRoundTrips).toEqual(roundTrips)
    expect(result.ambiguousOpenPositions).toEqual(open)
    expect(result.openPositions).toHaveLength(open.length)
  })

  it('does not count where every path keeps it', () => {
    const result = runScript({ 0: trailing8 }, [QUIET, [100, 106, 99, 102]], { fills: { path: 'olhc' } })
    expect(result.openPositions).toHaveLength(1)
    expect(result.ambiguousOpenPositions).toEqual([])
  })
})
