import { describe, expect, it } from 'vitest'
import type { BotStatus } from '../../../src/bot/log/bot-status.ts'
import type { ComparisonUpdate } from '../../../src/compare/comparison-messages.ts'
import type { BotMeters } from '../../../src/observe/metrics/bot-meters.ts'
import type { Labels } from '../../../src/observe/metrics/metric-registry.ts'
import { StatusGauges } from '../../../src/observe/metrics/status-gauges.ts'

type Shown = readonly (readonly [Labels, number])[]

/** Positions by strategy that gauges show for what is held. */
function positions(held: readonly (readonly [book: string, direction: string, base: string])[]) {
  let shown: Shown = []
  const silent = { replace: () => {} }
  const meters = new Proxy(
    { money: { fees: silent, equity: silent, position: { replace: (values: Shown) => (shown = values) } } },
    { get: (given, name) => (name === 'money' ? given.money : silent) },
  ) as unknown as BotMeters
  const status = {
    ...{ equity: {}, orders: [], trading: [], comparison: 'agreed' },
    strategies: [{ strategy: 'flip', symbol: 'E-BTC-USDT', book: 'E-BTC-USDT' }],
    held: held.map(([book, direction, base]) => ({
      ...{ book, direction, base, symbol: 'E-BTC-USDT', quote: 'USDT', entryPrice: '100' },
    })),
  } as unknown as BotStatus
  const gauges = new StatusGauges(meters, (() => ({ account: 'futures' })) as never)
  gauges.show(status, { equity: {}, moved: {} }, { feedAgesMs: {} } as never, undefined)
  return shown.map(([{ strategy }, value]) => [strategy, value])
}

it('show the long and the short position of one strategy together as its own', () => {
  expect(positions([])).toEqual([['flip', 0]])
  expect(positions([['E-BTC-USDT:long', 'long', '0.5']])).toEqual([['flip', 0.5]])
  expect(
    positions([
      ['E-BTC-USDT:long', 'long', '0.5'],
      ['E-BTC-USDT:short', 'short', '0.75'],
    ]),
  ).toEqual([['flip', -0.25]])
})

it('show a position that no strategy keeps without one', () => {
  expect(positions([['E-ETH-USDT', 'short', '2']])).toEqual([
    ['flip', 0],
    ['', -2],
  ])
})

describe('live beside its backtest', () => {
  /** The ratio and the verdict that the gauges show, each in a list that is empty without one. */
  function compared(update: ComparisonUpdate | undefined) {
    const shown: Record<string, Shown> = {}
    const meters = new Proxy(
      {},
      { get: (_, name) => ({ replace: (values: Shown) => (shown[String(name)] = values) }) },
    )
    new StatusGauges(meters as BotMeters, (() => ({ account: 'spot' })) as never).compare(update)
    const { backtestDifference = [], backtestDiffers = [] } = shown
    return [backtestDifference, backtestDiffers].map(values => values.map(([, value]) => value))
  }

  const updateOf = (verdict: string, live: string) =>
    ({
      type: 'compared',
      comparison: {
        ...{ verdict, difference: '-12', turnover: { live, backtest: '5000' } },
        parts: [
          { part: 'operator', text: '', amount: '-2' },
          { part: 'fees', text: '', amount: '-10' },
        ],
      },
    }) as unknown as ComparisonUpdate // as much of one as is shown

  it('is the difference without commands, as a fraction of what live turned over, and what the verdict says of it', () => {
    // (-12 + 2) / 4000
    expect(compared(updateOf('differs', '4000'))).toEqual([[-0.0025], [1]])
    expect(compared(updateOf('asPromised', '4000'))).toEqual([[-0.0025], [0]])
    expect(compared(updateOf('unexplained', '4000'))).toEqual([[-0.0025], [2]])
    expect(compared(updateOf('cannotTell', '0'))).toEqual([[], [0]])
  })

  it('has no value while nothing is compared', () => {
    expect(compared(undefined)).toEqual([[], []])
    expect(compared({ type: 'waiting' })).toEqual([[], []])
    expect(compared({ type: 'failed', reason: 'No memory.' })).toEqual([[], []])
  })
})
