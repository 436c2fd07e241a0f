import { expect, it } from 'vitest'
import { generatedKlines } from '../../../src/cli/klines/generated-klines.ts'
import { klinesIn } from '../../../src/klines/kline-columns.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { scratchFolder } from '../../klines/store/scratch-store.ts'
import { sluiceHere } from '../backtest/in-process.ts'

const DAYS = ['--from', '2024-03-01', '--to', '2024-03-03']

function stored(store: string, symbol = 'BTC/USDT') {
  const series = new KlineStore(store).klines({ venue: 'generated', symbol, interval: '1h' })
  const columns = series.read()
  return klinesIn({ ...columns, length: columns.openTime.length })
}

it('fills the store with possible klines of a made-up market', async () => {
  const store = scratchFolder()
  const { exitCode, out, err } = await sluiceHere('klines', 'generate', ...DAYS, '--store', store)
  expect([exitCode, err]).toEqual([0, ''])
  expect(out).toMatch(
    /^BTC\/USDT 1h of generated in .*: 48 rows from 2024-03-01T00:00:00.000Z to 2024-03-02T23/,
  )
  const klines = stored(store)
  expect(klines[0]).toMatchObject({ openTime: Date.UTC(2024, 2, 1), open: 60_000 })
  for (const { open, high, low, close, volume } of klines) {
    expect(low).toBeLessThanOrEqual(Math.min(open, close))
    expect(high).toBeGreaterThanOrEqual(Math.max(open, close))
    expect(volume).toBeGreaterThan(0)
  }
})

it('reports the minutes made, for the bar of a terminal', () => {
  const made: number[] = []
  const span = { from: 0, to: 25_000 * 60_000 }
  const market = {
    symbol: 'BTC/USDT',
    interval: '1h',
    seed: 1,
    startPrice: 100,
    yearlyVolatility: 0.6,
  } as const
  generatedKlines({ ...market, ...span }, minutes => made.push(minutes))
  expect(made).toEqual([0, 10_000, 20_000])
})

it('makes the same market from the same seed, and another from another one or for another symbol', async () => {
  const [first, second, third] = [scratchFolder(), scratchFolder(), scratchFolder()]
  await sluiceHere('klines', 'generate', ...DAYS, '--store', first)
  await sluiceHere('klines', 'generate', ...DAYS, '--store', second, '--json')
  await sluiceHere('klines', 'generate', ...DAYS, '--store', second, '--symbol', 'ETH/USDT')
  await sluiceHere('klines', 'generate', ...DAYS, '--store', third, '--seed', '2')
  expect(stored(second)).toEqual(stored(first))
  expect(stored(second, 'ETH/USDT')).not.toEqual(stored(first))
  expect(stored(third)).not.toEqual(stored(first))
})

it('never mixes two made-up markets', async () => {
  const store = scratchFolder()
  await sluiceHere('klines', 'generate', ...DAYS, '--store', store)
  const before = stored(store)
  expect((await sluiceHere('klines', 'generate', ...DAYS, '--store', store)).exitCode).toBe(0)
  const { exitCode, err } = await sluiceHere('klines', 'generate', ...DAYS, '--store', store, '--seed', '2')
  expect(exitCode).toBe(2)
  expect(err).toMatch(
    /has another BTC\/USDT 1h of generated already; generate another symbol, or delete .* first/,
  )
  expect(stored(store)).toEqual(before)
})

it.each([
  [['--from', '2024-03-03', '--to', '2024-03-01'], /is not before --to/],
  [['--from', '2024-03-03T00:10Z', '--to', '2024-03-03T00:20Z'], /shorter than a kline of 1h/],
  [['--interval', '90m'], /"90m" is not an interval/],
  [['--yearly-volatility', '0'], /Give a number above 0/],
])('refuses %j in a sentence', async (args, sentence) => {
  const { exitCode, err } = await sluiceHere('klines', 'generate', '--store', scratchFolder(), ...args)
  expect(exitCode).toBe(2)
  expect(err).toMatch(sentence)
})
