import { describe, expect, it } from 'vitest'
import type { SimulatedFill } from '../../../backtest/fills/simulated-fill.ts'
import { AmountColumn } from '../../../backtest/results/amount-column.ts'
import { ClosedRoundTripColumns } from '../../../backtest/results/closed-round-trip-columns.ts'
import { DenialTally } from '../../../backtest/results/denial-tally.ts'
import { FillColumns } from '../../../backtest/results/fill-columns.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { type Amount, amountOf } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { Denial } from '../../../src/domain/orders/denial.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { SPOT } from '../../engine/engine-session.ts'
import { run } from '../kline-table.ts'
import { idle, klinesAt, marketOf, several } from '../markets/several.ts'

/** More rows than columns begin with. */
const MANY = 700

function fillNumber(number: number): SimulatedFill {
  return {
    id: `${number}`,
    clientOrderId: `order ${number}`,
    symbol: 'BTC/USDT',
    book: number % 2 === 0 ? 'BTC/USDT' : 'BTC/USDT#other',
    side: number % 3 === 0 ? 'buy' : 'sell',
    price: ticks(10_000 + number),
    quantity: steps(number),
    fee: amountOf(`-1234567890${number}.000000000000000001`),
    feeAsset: number % 2 === 0 ? 'BTC' : 'USDT',
    liquidity: number % 5 === 0 ? 'maker' : 'taker',
    time: 60_000 * number,
    rule: 'marketAtOpen',
    tag: number % 7 === 0 ? `tag ${number}` : undefined,
    klineOpenTime: 60_000 * number - 1,
    priceBeforeSlippage: ticks(9_000 + number),
    // 1,000 ticks of 0.01, which are 10, on so many steps of 0.001.
    slippage: amountOf((number / 100).toFixed(2)),
  }
}

function roundTripNumber(number: number): RoundTrip {
  return {
    symbol: 'BTC/USDT',
    book: 'BTC/USDT',
    direction: number % 2 === 0 ? 'long' : 'short',
    quantity: steps(number),
    entryTime: number,
    entryPrice: ticks(number + 1),
    exitTime: number + 2,
    exitPrice: ticks(number + 3),
    pnl: amountOf(`-${number}.5`),
    fees: amountOf(`${number}.25`),
    entryReason: 'entry',
    exitReason: number % 3 === 0 ? 'stopLoss' : 'exit',
    tag: `${number % 40}`,
  }
}

describe('kept fills', () => {
  it('come back as they were, in their order', () => {
    const kept = new FillColumns(() => SPOT)
    const fills = Array.from({ length: MANY }, (_, index) => fillNumber(index + 1))
    for (const fill of fills) kept.push(fill)
    expect(kept.all).toEqual(fills)
    expect(kept.isInOrder).toBe(true)
    kept.push(fillNumber(3))
    expect(kept.all).toHaveLength(MANY + 1)
    expect(kept.isInOrder).toBe(false)
  })
})

describe('kept round trips', () => {
  it('come back as they were, in their order', () => {
    const kept = new ClosedRoundTripColumns()
    const roundTrips = Array.from({ length: MANY }, (_, index) => roundTripNumber(index))
    for (const roundTrip of roundTrips) kept.push(roundTrip)
    expect(kept.all).toEqual(roundTrips)
    expect(kept.length).toBe(MANY)
  })
})

describe('kept amounts', () => {
  it('come back to the last digit, up to 128 bits of either sign', () => {
    const words = [0n, 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 127n - 1n]
    const amounts = words.flatMap(word => [word, -word] as Amount[])
    const column = new AmountColumn()
    for (let row = 0; row < MANY; row++) column.push(amounts[row % amounts.length] as Amount) // inside
    expect(column.length).toBe(MANY)
    const kept = Array.from({ length: MANY }, (_, row) => column.at(row))
    expect(kept).toEqual(Array.from({ length: MANY }, (_, row) => amounts[row % amounts.length]))
    // 2^127 ÷ 10^18
    expect(() => column.push((2n ** 127n) as Amount)).toThrow(
      'An amount of 170141183460469231731.687303715884105728 does not fit 128 bits.',
    )
  })
})

describe('kept denials', () => {
  it('are all counted, and the first thousand kept', () => {
    const kept = new DenialTally()
    const intent = { symbol: 'BTC/USDT', side: 'buy', reduceOnly: false }
    const denial = (rule: Denial['rule'], message: string) => ({ rule, message, intent }) as Denial // all that is looked at
    for (let number = 0; number < 1500; number++) kept.push(denial('minimumNotional', `${number}`))
    kept.push(denial('balance', 'too little'))
    expect(kept.first.map(({ message }) => message)).toEqual(Array.from({ length: 1000 }, (_, at) => `${at}`))
    expect([...kept.counts]).toEqual([
      ['minimumNotional', { count: 1500, first: '0', intent }],
      ['balance', { count: 1, first: 'too little', intent }],
    ])
  })
})

describe('orders that the exchange has at once', () => {
  const rows = Array.from({ length: 12 }, (_, row) => [100 + row, 101 + row, 99 + row, 100 + row] as const)
  const statuses: string[] = []
  const onKline = (kline: { openTime: number }) =>
    kline.openTime % 180_000 === 0 ? enterLong({ size: { base: 1 } }) : exit()
  const plain = defineStrategy({ name: 'plain', onKline })
  const told = defineStrategy({
    name: 'plain',
    onKline,
    onOrder: ({ status }) => void statuses.push(status),
  })

  it('lead to the same whether or not anybody is told of it', () => {
    const quiet = run(plain, rows, { instrument: SPOT })
    const watched = run(plain, rows, { instrument: SPOT, onNotice: () => undefined })
    expect(quiet.fills).toHaveLength(8)
    expect(watched).toEqual(quiet)
    expect(run(told, rows, { instrument: SPOT })).toEqual(quiet)
    expect(statuses.slice(0, 4)).toEqual(['submitted', 'open', 'submitted', 'open'])
  })

  it('are told of among several markets as well', () => {
    const notices: string[] = []
    const markets = [
      marketOf(plain, klinesAt(rows), { instrument: SPOT }),
      marketOf(idle, klinesAt(rows), { instrument: { ...SPOT, symbol: 'ETH/USDT', base: 'ETH' } }),
    ]
    const quiet = runBacktest(several(markets))
    const onNotice = ({ type }: { type: string }) => void notices.push(type)
    expect(runBacktest(several(markets, { onNotice }))).toEqual(quiet)
    expect(notices.filter(type => type === 'orderChanged')).toHaveLength(16)
  })
})
