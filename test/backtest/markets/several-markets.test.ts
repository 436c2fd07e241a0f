import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resumableBacktest, runBacktest } from '../../../backtest/run/run-backtest.ts'
import { amountOf, amountToNumber } from '../../../src/domain/numbers/amount.ts'
import { defineStrategy, enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { MARGIN, SPOT, scripted } from '../../engine/engine-session.ts'
import { QUIET, type Row } from '../kline-table.ts'
import { randomRows, randomSignals } from '../random-market.ts'
import { ETH, fillWords, idle, klinesAt, MINUTE, marketOf, several } from './several.ts'

const flat = (count: number, price = 100): Row[] =>
  Array.from({ length: count }, () => [price, price, price, price])

describe('several markets on one account', () => {
  it('give what one market gives, byte for byte, where the others do nothing', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 10_000 }),
        fc.constantFrom('pessimistic', 'optimistic', 'ohlc' as const),
        fc.constantFrom('decision', 'nextOpen' as const),
        fc.constantFrom('no', 'lastClose', 'lastOpen' as const),
        (seed, path, sizingReference, closeAtEnd) => {
          const market = marketOf(randomSignals, klinesAt(randomRows(seed, 80)), { parameters: { seed } })
          const settings = { sizingReference, closeAtEnd }
          const base = several([market], settings)
          const options = { ...base, fills: { ...base.fills, slippageRate: 0.0002, path } }
          const alone = runBacktest(options)
          const empty = marketOf(idle, klinesAt([]), { instrument: ETH })
          expect(runBacktest({ ...options, markets: [market, empty] })).toEqual(alone)
          expect(alone.fills.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('lets orders trade at the next open of their own market, however late that is', () => {
    const klines = klinesAt(flat(3), { absent: [1, 2, 3] })
    const result = runBacktest(
      several([
        marketOf(scripted({ 0: enterLong() }), klines),
        marketOf(scripted({ 0: enterLong(), 2: exit() }), klinesAt(flat(6)), { instrument: ETH }),
      ]),
    )
    expect(fillWords(result)).toEqual([
      '1: ETH/USDT buy 1 at 100',
      '3: ETH/USDT sell 1 at 100',
      '4: BTC/USDT buy 1 at 100',
    ])
  })

  it('may begin and end at different moments: equity has a value for every close of any of them', () => {
    const result = runBacktest(
      several([
        marketOf(idle, klinesAt(flat(2))),
        marketOf(idle, klinesAt(flat(2), { start: 3 * MINUTE }), { instrument: ETH }),
      ]),
    )
    expect([...result.equityTime].map(time => time / MINUTE)).toEqual([1, 2, 4, 5])
    expect([...result.equity]).toEqual([10_000, 10_000, 10_000, 10_000])
  })

  it('are worth their quote and each base at its latest close', () => {
    const rising: Row[] = [QUIET, [100, 110, 100, 110], [110, 120, 110, 120]]
    const result = runBacktest(
      several([
        marketOf(scripted({ 0: enterLong() }), klinesAt(rising)),
        // Its second kline closes at 3:00, after that of minute 2.
        marketOf(
          scripted({ 0: enterShort({ size: { base: 2 } }) }),
          klinesAt([QUIET, [50, 50, 50, 50]], { absent: [1] }),
          {
            instrument: ETH,
          },
        ),
      ]),
    )
    // 1:00 all flat at 100. 2:00 long 1 from 100 at 110. 3:00 long at 120; short 2 from 50, at 50.
    expect([...result.equity]).toEqual([10_000, 10_010, 10_020])
    expect(result.openPositions.map(({ book, direction }) => [book, direction])).toEqual([
      ['BTC/USDT', 'long'],
      ['ETH/USDT', 'short'],
    ])
  })

  it('count base that is owned before its first kline at the open of that', () => {
    const result = runBacktest(
      several(
        [
          marketOf(idle, klinesAt(flat(3))),
          marketOf(idle, klinesAt([[40, 50, 40, 50]], { start: MINUTE }), { instrument: ETH }),
        ],
        {
          balances: new Map([
            ['USDT', amountOf('1000')],
            ['ETH', amountOf('2')],
          ]),
        },
      ),
    )
    expect([...result.equity]).toEqual([1080, 1100, 1100])
  })

  it('all count at their closes of a moment before the first of them is decided on', () => {
    const holds = scripted({ 0: enterLong({ size: { base: 10 } }) })
    const seen: number[] = []
    const half = defineStrategy({
      name: 'half',
      onKline: (_kline, { equity, time }) => {
        seen.push(equity)
        return time === 2 * MINUTE ? enterLong({ size: { equityFraction: 0.5 } }) : undefined
      },
    })
    const rows: Row[] = [QUIET, [100, 200, 100, 200], [200, 200, 200, 200]]
    const onOrder = (isFirst: boolean) => {
      const markets = [
        marketOf(half, klinesAt(flat(3))),
        marketOf(holds, klinesAt(rows), { instrument: ETH }),
      ]
      seen.length = 0
      return fillWords(runBacktest(several(isFirst ? markets : markets.toReversed())))
    }
    // 10 ETH from 100: 11,000 at the close of 200, half of which buys 55 at 100.
    for (const isFirst of [true, false]) {
      expect(onOrder(isFirst)).toEqual(['1: ETH/USDT buy 10 at 100', '2: BTC/USDT buy 55 at 100'])
      expect(seen).toEqual([10_000, 11_000, 11_000])
    }
  })

  it('share the money: what decides first buys first', () => {
    const half = enterLong({ size: { quote: 7000 } })
    const on = (order: 'straight' | 'turned') => {
      const markets = [
        marketOf(scripted({ 0: half }), klinesAt(flat(3)), { instrument: SPOT }),
        marketOf(scripted({ 0: half }), klinesAt(flat(3)), {
          instrument: { ...SPOT, symbol: 'ETH/USDT', base: 'ETH' },
        }),
      ]
      return runBacktest(several(order === 'straight' ? markets : markets.reverse()))
    }
    expect(fillWords(on('straight'))).toEqual(['1: BTC/USDT buy 70 at 100'])
    expect(fillWords(on('turned'))).toEqual(['1: ETH/USDT buy 70 at 100'])
    expect(on('straight').denials).toMatchObject([{ rule: 'balance', intent: { symbol: 'ETH/USDT' } }])
  })

  it('number their fills together', () => {
    const both = scripted({ 0: enterLong(), 1: exit() })
    const result = runBacktest(
      several([marketOf(both, klinesAt(flat(4))), marketOf(both, klinesAt(flat(4)), { instrument: ETH })]),
    )
    expect(result.fills.map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
  })

  it('are closed each at the end of its own data', () => {
    const rising: Row[] = [...flat(2), [100, 150, 100, 130]]
    const result = runBacktest(
      several(
        [
          marketOf(scripted({ 0: enterLong() }), klinesAt(flat(6))),
          marketOf(scripted({ 0: enterLong() }), klinesAt(rising), { instrument: ETH }),
        ],
        { closeAtEnd: 'lastClose' },
      ),
    )
    expect(result.roundTrips.map(({ book, exitReason }) => [book, exitReason])).toEqual([
      ['ETH/USDT', 'endOfData'],
      ['BTC/USDT', 'endOfData'],
    ])
    expect([...result.equity]).toEqual([10_000, 10_000, 10_030, 10_030, 10_030, 10_030])
    expect(result.openPositions).toEqual([])
  })

  it('are ruined together: everything is closed and nothing trades on', () => {
    const crash: Row[] = [...flat(2), [100, 100, 10, 10], ...flat(3)]
    const big = enterLong({ size: { base: 120 } })
    const result = runBacktest(
      several([
        marketOf(scripted({ 0: big }), klinesAt(crash)),
        marketOf(scripted({ 0: enterLong(), 4: enterLong() }), klinesAt(flat(6)), { instrument: ETH }),
      ]),
    )
    // 120 × (10 - 100) = -10,800 of 10,000.
    expect(result.ruined).toBe(true)
    expect([...result.equity]).toEqual([10_000, 10_000, 0, 0, 0, 0])
    expect([...result.equityTime].map(time => time / MINUTE)).toEqual([1, 2, 3, 4, 5, 6])
    expect(result.roundTrips.map(({ book, exitReason }) => [book, exitReason])).toEqual([
      ['BTC/USDT', 'ruin'],
      ['ETH/USDT', 'ruin'],
    ])
  })

  it('are closed when they are ruined, at the latest close of each', () => {
    const crash: Row[] = [...flat(4), [100, 100, 10, 10], ...flat(1)]
    const big = scripted({ 0: enterLong({ size: { base: 120 } }) })
    const slow = { instrument: ETH, interval: '3m' } as const
    const result = runBacktest(
      several([
        marketOf(big, klinesAt(crash)),
        marketOf(scripted({ 0: enterLong() }), klinesAt(flat(2), { interval: '3m' }), slow),
      ]),
    )
    expect(fillWords(result).slice(2)).toEqual(['5: ETH/USDT sell 1 at 100', '5: BTC/USDT sell 120 at 10'])
  })

  it('have no equity after their ruin, at every close of any of them to the end of the data', () => {
    const crash: Row[] = [...flat(2), [100, 100, 10, 10], ...flat(1)]
    const big = scripted({ 0: enterLong({ size: { base: 120 } }) })
    const result = runBacktest(
      several([
        marketOf(big, klinesAt(crash, { absent: [3] })),
        marketOf(idle, klinesAt(flat(3), { interval: '3m' }), { instrument: ETH, interval: '3m' }),
      ]),
    )
    expect([...result.equityTime].map(time => time / MINUTE)).toEqual([1, 2, 3, 5, 6, 9])
    expect([...result.equity]).toEqual([10_000, 10_000, 0, 0, 0, 0])
  })

  it('are refused where they have no common worth, or there are none', () => {
    const inEuro = { ...MARGIN, symbol: 'BTC/EUR', quote: 'EUR' }
    const mixed = [marketOf(idle, klinesAt([])), marketOf(idle, klinesAt([]), { instrument: inEuro })]
    expect(() => runBacktest(several(mixed))).toThrow('BTC/USDT is counted in USDT and BTC/EUR in EUR')
    const accounts = [
      marketOf(idle, klinesAt([])),
      marketOf(idle, klinesAt([]), { instrument: { ...SPOT, symbol: 'ETH/USDT', base: 'ETH' } }),
    ]
    expect(() => runBacktest(several(accounts))).toThrow('a margin account and ETH/USDT on a spot account')
    expect(() => runBacktest(several([]))).toThrow('at least one market')
  })

  it('pause again and again, and tell at each pause how many klines were played', () => {
    const markets = [
      marketOf(idle, klinesAt(flat(3000))),
      marketOf(idle, klinesAt(flat(2000)), { instrument: ETH }),
    ]
    const told = [...resumableBacktest(several(markets))]
    // 4 moments, then 512 at a time; in the fifth part both close at 460 and one at 52, then one alone.
    expect(told).toEqual([8, 1024, 1024, 1024, 972, 512])
  })

  it('tell every moment at which klines have closed, once what follows from that is done', () => {
    const told: number[] = []
    const markets = [
      marketOf(idle, klinesAt(flat(2))),
      marketOf(idle, klinesAt(flat(2), { interval: '5m' }), { instrument: ETH, interval: '5m' }),
    ]
    runBacktest(several(markets, { onClosed: time => told.push(time / MINUTE) }))
    expect(told).toEqual([1, 2, 5, 10])
  })
})

describe('two intervals of one instrument', () => {
  const hour: Row[] = [flat(1)[0] as Row, [100, 130, 70, 100]]

  it('trade each on its own klines', () => {
    const result = runBacktest(
      several([
        marketOf(scripted({ 0: enterLong() }), klinesAt(flat(3))),
        marketOf(
          scripted({ 0: enterLong({ order: { type: 'limit', price: 80 } }) }),
          klinesAt(hour, { interval: '1h' }),
          {
            interval: '1h',
          },
        ),
      ]),
    )
    expect(fillWords(result)).toEqual([
      '1: BTC/USDT#scripted buy 1 at 100',
      '60: BTC/USDT#scripted#2 buy 1 at 80',
    ])
  })

  it('know of a fill inside a long kline only once it has closed, and of one at its open at once', () => {
    const seen: string[] = []
    const watcher = defineStrategy({
      name: 'watcher',
      onKline: ({ close }, { time, equity }) => {
        seen.push(`${time / MINUTE}: ${close} ${equity}`)
        return undefined
      },
    })
    const atOpenThenStopped = enterLong({ size: { base: 10 }, stopLoss: 90 })
    // From 1:00 on the minutes say 105; the hour opens at 100, and is stopped at 90 somewhere inside.
    const minutes = [...flat(60), ...flat(60, 105)]
    runBacktest(
      several([
        marketOf(watcher, klinesAt(minutes)),
        marketOf(scripted({ 0: atOpenThenStopped }), klinesAt(hour, { interval: '1h' }), { interval: '1h' }),
      ]),
    )
    expect([seen[59], seen[60], seen[118], seen[119]]).toEqual([
      '60: 100 10000',
      '61: 105 10050', // bought 10 at 100
      '119: 105 10050', // not stopped, as far as anybody knows
      '120: 105 9900', // stopped at 90
    ])
  })

  it('list fills and round trips in order of time, and know which are ambiguous', () => {
    // The hour's bracket is decided inside its kline, which is only known after the minutes.
    const bracket = enterLong({ stopLoss: 90, takeProfit: 120 })
    const result = runBacktest(
      several([
        marketOf(scripted({ 60: enterLong(), 62: exit() }), klinesAt(flat(120))),
        marketOf(scripted({ 0: bracket }), klinesAt(hour, { interval: '1h' }), { interval: '1h' }),
      ]),
    )
    expect(result.fills.map(({ time }) => time / MINUTE)).toEqual([60, 60, 61, 63])
    expect(result.roundTrips.map(({ book }) => book)).toEqual(['BTC/USDT#scripted#2', 'BTC/USDT#scripted'])
    expect(result.ambiguousRoundTrips).toEqual([0])
  })
})

describe('two strategies on one market', () => {
  it('are long and short at the same time, and the account is what is left of both', () => {
    const rows: Row[] = [...flat(2), [100, 110, 100, 110], ...flat(1, 110)]
    const klines = klinesAt(rows)
    const result = runBacktest(
      several([
        marketOf(scripted({ 0: enterLong({ size: { base: 3 } }), 2: exit() }), klines),
        marketOf(scripted({ 0: enterShort(), 2: exit() }), klines),
      ]),
    )
    expect(result.roundTrips.map(({ book, pnl }) => [book, amountToNumber(pnl)])).toEqual([
      ['BTC/USDT#scripted', 30],
      ['BTC/USDT#scripted#2', -10],
    ])
    expect([...result.equity]).toEqual([10_000, 10_000, 10_020, 10_020])
  })

  it('do each what they would do alone, where money is no matter', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10_000 }), fc.nat({ max: 10_000 }), (first, second) => {
        const klines = klinesAt(randomRows(first + second, 60))
        const size = { size: { base: 1 } }
        const fixed = (seed: number) => {
          const script = Array.from({ length: 60 }, (_, row) => (seed * (row + 7)) % 11)
          const said = { 1: enterLong(size), 2: enterShort(size), 3: exit() }
          return scripted(
            Object.fromEntries(script.flatMap((kind, row) => (kind in said ? [[row, said[kind as 1]]] : []))),
          )
        }
        const strategies = [fixed(first), fixed(second)]
        const rich = { balances: new Map([['USDT', amountOf('1000000')]]) }
        const together = runBacktest(
          several(
            strategies.map(strategy => marketOf(strategy, klines)),
            rich,
          ),
        )
        for (const [index, book] of ['BTC/USDT#scripted', 'BTC/USDT#scripted#2'].entries()) {
          const alone = runBacktest(
            several(
              strategies.slice(index, index + 1).map(one => marketOf(one, klines)),
              rich,
            ),
          )
          const own = together.roundTrips.filter(trip => trip.book === book)
          expect(own.map(trip => ({ ...trip, book: 'BTC/USDT' }))).toEqual(alone.roundTrips)
        }
      }),
      { numRuns: 30 },
    )
  })
})
