import { expect, it } from 'vitest'
import type { BotStatus } from '../../../src/bot/log/bot-status.ts'
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
