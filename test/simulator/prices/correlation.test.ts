import { describe, expect, it } from 'vitest'
import { generateKlines } from '../../../src/simulator/markets/kline-generator.ts'
import { lowerTriangleOf } from '../../../src/simulator/prices/correlation.ts'
import { type CorrelationSettings, driversOf } from '../../../src/simulator/prices/correlation-settings.ts'
import { type SimulatorConfigInput, simulatorConfigOf } from '../../../src/simulator/simulator-config.ts'
import { ExchangeCaller, MINUTE, START } from '../exchange-caller.ts'
import { correlation, marketFacts } from './market-facts.ts'

const GRID = { pricePrecision: 4, quantityPrecision: 5 }
const MARKET = { startPrice: 1000, yearlyVolatility: 0.6, volumePerMinute: 10 }
const MINUTES = 60_000
const SYMBOLS = ['A/USDT', 'B/USDT', 'C/USDT'] as const

function klinesOf(symbol: string, settings: CorrelationSettings | undefined) {
  return generateKlines(GRID, MARKET, driversOf(symbol, 1, settings), START)
    .take(MINUTES)
    .toArray()
}

function measured(settings: CorrelationSettings | undefined): number[] {
  const [a = [], b = [], c = []] = SYMBOLS.map(symbol =>
    klinesOf(symbol, settings).map(({ open, close }) => Math.log(close / open)),
  )
  return [correlation(a, b), correlation(a, c), correlation(b, c)]
}

describe('the returns of generated markets', () => {
  // Of 60,000 returns with so heavy tails a correlation is known to some two hundredths.
  const about = (wanted: readonly number[]) => wanted.map(value => expect.closeTo(value, 1))

  it.each([0.3, 0.8])('are correlated by a factor of %d', factor => {
    expect(measured(factor)).toEqual(about([factor, factor, factor]))
  })

  it.each([undefined, 0])('have nothing in common without a factor (%s)', factor => {
    expect(measured(factor)).toEqual(about([0, 0, 0]))
  })

  it('are the same with a factor of 1', () => {
    expect(measured(1)).toEqual(about([1, 1, 1]))
  })

  it('are correlated by a matrix', () => {
    const matrix = [
      [1, 0.8, -0.5],
      [0.8, 1, -0.2],
      [-0.5, -0.2, 1],
    ]
    expect(measured({ symbols: [...SYMBOLS], matrix })).toEqual(about([0.8, -0.5, -0.2]))
  })

  it('stay as volatile and as heavy-tailed as they would be alone', () => {
    const facts = marketFacts(klinesOf('B/USDT', 0.8))
    expect(Math.abs(facts.yearlyVolatility / 0.6 - 1)).toBeLessThan(0.25)
    expect(facts.kurtosis).toBeGreaterThan(10)
    expect(Math.abs(facts.memory[0] ?? 1)).toBeLessThan(0.05)
  })
})

describe('a listed market', () => {
  const minutesOf = (symbols: readonly string[], config: SimulatorConfigInput = {}) => {
    const market = { type: 'generated', historyKlines: 100 } as const
    const caller = ExchangeCaller.open({ ...config, listings: symbols.map(symbol => ({ symbol, market })) })
    caller.now = START + MINUTE / 2
    return caller.get(`/sapi/v2/klines?symbol=${SYMBOLS[0]}&interval=1min&limit=300`).text
  }

  it.each([{}, { correlation: 0.5 }])('is what it is, whichever others are listed: %j', config => {
    const alone = minutesOf(['A/USDT'], config)
    expect(JSON.parse(alone)).toHaveLength(101)
    expect(minutesOf(['C/USDT', 'A/USDT', 'B/USDT'], config)).toBe(alone)
  })

  it('takes the correlation of its configuration', () => {
    expect(minutesOf(['A/USDT'], { correlation: 0.5 })).not.toBe(minutesOf(['A/USDT']))
  })
})

describe('a correlation', () => {
  const listings = SYMBOLS.map(symbol => ({ symbol }))
  const symbols = ['A/USDT', 'B/USDT', 'C/USDT']
  const rows = (ab: number, ac: number, bc: number) => [
    [1, ab, ac],
    [ab, 1, bc],
    [ac, bc, 1],
  ]

  it.each([
    [1.5, 'correlation must be a number from 0 to 1, or a section with symbols and a matrix.'],
    [{ symbols, matrix: rows(0.9, 0.9, -0.9) }, 'contradicts itself'],
    [{ symbols, matrix: rows(0.9, 0.9, 0.9).slice(1) }, 'must have 3 rows of 3 numbers'],
    [
      {
        symbols: ['A/USDT', 'B/USDT'],
        matrix: [
          [1, 0.5],
          [0.4, 1],
        ],
      },
      'must be symmetric, with 1 on its diagonal',
    ],
    [
      {
        symbols: ['A/USDT', 'B/USDT'],
        matrix: [
          [1, 0.5],
          [0.5, 0.9],
        ],
      },
      'must be symmetric, with 1 on its diagonal',
    ],
    [
      {
        symbols: ['A/USDT', 'A/USDT'],
        matrix: [
          [1, 1],
          [1, 1],
        ],
      },
      'must be of symbols that are all different',
    ],
    [
      {
        symbols: ['A/USDT', 'D/USDT'],
        matrix: [
          [1, 0],
          [0, 1],
        ],
      },
      'have D/USDT, which is no listing with a generated',
    ],
  ])('that cannot be is refused: %j', (correlation, message) => {
    expect(() => simulatorConfigOf({ listings, correlation })).toThrow(message)
  })

  it('may be complete', () => {
    expect(() =>
      simulatorConfigOf({ listings, correlation: { symbols, matrix: rows(1, -1, -1) } }),
    ).not.toThrow()
  })

  it('has the triangle that Cholesky gives', () => {
    // [[4, 2], [2, 10]] is [[2, 0], [1, 3]] times its transpose.
    expect(
      lowerTriangleOf([
        [4, 2],
        [2, 10],
      ]),
    ).toEqual([[2], [1, 3]])
    expect(
      lowerTriangleOf([
        [1, 2],
        [2, 1],
      ]),
    ).toBeUndefined()
  })
})
