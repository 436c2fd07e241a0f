import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fileWith } from '../sluice-process.ts'
import { sluiceHere } from './in-process.ts'

const GRID = ['strategies/grid.ts', '--param', 'levels=2', '--param', 'spacing=0.002']

/** A trade a second for five minutes from 1 January 2024 on, which falls and rises. */
const trades = Array.from({ length: 301 }, (_, second) => {
  const time = Date.UTC(2024, 0, 1) + second * 1000
  const price = 40_000 - 400 * Math.sin(second / 20)
  return `${time}000000,${time},${second},${price.toFixed(2)},0.5,${second % 2}`
})
const TRADES = ['local_ns,exch_ms,trade_id,price,qty,buyer_is_maker', ...trades].join('\n')
const tops = trades.map(row => {
  const [ns, time, id, price] = row.split(',')
  return `${ns},${time},${id},${(Number(price) - 1).toFixed(2)},1,${(Number(price) + 1).toFixed(2)},1`
})
const TOPS = ['local_ns,exch_ms,update_id,bid,bid_qty,ask,ask_qty', ...tops].join('\n')
const KLINES = 'idx,open,high,low,close,vol\n1704067200000,1,1,1,1,1\n1704067260000,1,1,1,1,1'

const run = (...more: readonly string[]) =>
  sluiceHere('backtest', ...GRID, '--symbol', 'BTC/USDT', '--interval', '1m', ...more)

describe('a backtest on recorded trades', () => {
  it('is one of the klines that they make, says where it is from, and can be verified', async () => {
    const [data, book] = [fileWith('trades.csv', TRADES), fileWith('book.csv', TOPS)]
    const result = fileWith('result.json', '')
    const { exitCode, out, err } = await run('--data', data, '--book', book, '--json', result)
    expect([exitCode, out, err]).toEqual([0, '', ''])
    const { manifest, fills, ambiguity } = JSON.parse(readFileSync(result, 'utf8'))
    expect(manifest.data).toMatchObject([
      { file: 'trades.csv', klines: 301 },
      { file: 'book.csv', klines: 301 },
    ])
    expect(manifest.klines).toBe(5)
    expect(ambiguity.path).toBe('trades')
    expect(fills.length).toBeGreaterThan(3)
    const verified = await sluiceHere('backtest', '--verify', result)
    expect(verified.exitCode).toBe(0)
  })

  it('tells in its table what was assumed, and proves that it knows no future', async () => {
    const data = fileWith('trades.csv', TRADES)
    const { out } = await run('--data', data)
    expect(out).toMatch(
      /Orders met recorded ticks: \d+ of \d+ fills rest on observations alone\. The assumed queue was shown\./,
    )
    const proof = await run('--data', data, '--prove-causal', '3')
    expect([proof.exitCode, proof.out]).toEqual([0, expect.stringContaining('Causal: grid')])
  })

  it.each<[string, (file: typeof fileWith) => readonly string[], string]>([
    ['a book without trades', () => ['--book', 'x.csv'], '--book needs the trades that it was recorded with'],
    [
      'a book beside klines',
      file => ['--data', file('klines.csv', KLINES), '--book', file('book.csv', TOPS)],
      'has klines, but --book is for best bids and asks that were recorded with trades',
    ],
    [
      'finer klines beside a book',
      file => ['--data', file('trades.csv', TRADES), '--book', 'x.csv', '--detail', '1m'],
      '--book and --detail contradict each other: trades already show the path inside a kline',
    ],
    [
      'klines for a feed, which the trades show',
      file => ['--data', file('trades.csv', TRADES), '--feed-data', 'quote=x.csv'],
      '--feed-data names klines for "quote", but recorded trades are played',
    ],
    [
      'the worst and the best path of what is known',
      file => ['--data', file('trades.csv', TRADES), '--bounds'],
      'trades leave no path open',
    ],
  ])('refuses %s', async (_name, more, problem) => {
    const { exitCode, err } = await run(...more(fileWith))
    expect([exitCode, err]).toEqual([2, expect.stringContaining(problem)])
  })
})
