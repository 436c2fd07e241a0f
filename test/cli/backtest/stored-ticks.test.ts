import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { columnsFrom } from '../../../src/klines/kline-columns.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { klinesOf, minutes, scratchFolder } from '../../klines/store/scratch-store.ts'
import { fileWith, ROOT } from '../sluice-process.ts'
import { sluiceHere } from './in-process.ts'

const START = Date.UTC(2024, 0, 1, 23, 58)
const GRID = ['strategies/grid.ts', '--param', 'levels=2', '--param', 'spacing=0.002']

/** A trade a second for four minutes and a second, over midnight. */
const TRADES = Array.from({ length: 241 }, (_, second) => {
  const time = START + second * 1000
  return { time, id: second, price: Number((40_000 - 400 * Math.sin(second / 20)).toFixed(2)) }
})
const HEADER = 'local_ns,exch_ms,trade_id,price,qty,buyer_is_maker'
const lineOf = ({ time, id, price }: (typeof TRADES)[number]) =>
  `${time + 300}000000,${time},${id},${price},0.5,${id % 2}`

/** A store with the trades as `record` writes them: a day a file by the time of reading; the last line is half. */
function recorded(...gaps: readonly string[]): string {
  const store = scratchFolder()
  const folder = record(store, 'BTC-USDT', TRADES)
  writeFileSync(
    join(folder, '2024-01-01.gaps.csv'),
    ['local_ns,from_ms,until_ms,reason', ...gaps, ''].join('\n'),
  )
  return store
}

/** Records trades of a symbol in a store; returns their folder. */
function record(store: string, symbol: string, trades: typeof TRADES): string {
  const folder = join(store, 'there', symbol, 'ticks')
  mkdirSync(folder, { recursive: true })
  for (const day of ['2024-01-01', '2024-01-02']) {
    const rows = trades.filter(({ time }) => new Date(time + 300).toISOString().startsWith(day)).map(lineOf)
    writeFileSync(join(folder, `${day}.trades.csv`), `${[HEADER, ...rows].join('\n')}\n1704153721`)
  }
  return folder
}

type Json = Readonly<Record<string, number>>

const run = (store: string, ...more: readonly string[]) =>
  sluiceHere(
    'backtest',
    ...GRID,
    '--symbol',
    'BTC/USDT',
    '--interval',
    '1m',
    '--store',
    store,
    '--ticks',
    ...more,
  )

describe('a backtest on the ticks of the store', () => {
  it('plays what one of a file with these trades plays, over the end of a day', async () => {
    const file = fileWith('trades.csv', [HEADER, ...TRADES.map(lineOf)].join('\n'))
    const args = ['backtest', ...GRID, '--symbol', 'BTC/USDT', '--interval', '1m', '--json', '-']
    const [ofFile, ofStore] = await Promise.all([
      sluiceHere(...args, '--data', file),
      run(recorded(), '--json', '-'),
    ])
    const { manifest: _, ...expected } = JSON.parse(ofFile.out)
    const { manifest, ...found } = JSON.parse(ofStore.out)
    expect(expected.fills.length).toBeGreaterThan(3)
    expect(found).toEqual(expected)
    // Four whole minutes of sixty trades each.
    expect([manifest.klines, manifest.data[0].klines]).toEqual([4, 240])
  })

  it('walks the depth that was recorded with them, in the order in which all became known', async () => {
    const store = recorded()
    const at = (second: number, ms: number) => START + second * 1000 + ms
    // Read at 60.2 s: the order of the first close, of 60.0 s, walks it.
    const rows = [
      `${at(58, 900)}000000,${at(58, 880)},39000:1,40001:5`,
      `${at(60, 200)}000000,${at(60, 180)},39999:1 39998:2,40001:0.01 40002:5`,
    ]
    const depth = ['local_ns,exch_ms,bids,asks', ...rows, '17041537'].join('\n')
    writeFileSync(join(store, 'there/BTC-USDT/ticks/2024-01-01.depth.csv'), depth)
    const index = pathToFileURL(join(ROOT, 'src/strategy/index.ts')).href
    const buyer = `import { defineStrategy, depth, enterLong } from '${index}'
export default defineStrategy({ name: 'buyer', state: () => ({ levels: 0 }), feeds: () => ({ book: depth({ levels: 2, everyMs: 1000 }) }),
  on: { book({ bids }, { state }) { state.levels = bids.length } },
  onKline(_, { state }) { return enterLong({ size: { base: 0.03 }, tag: String(state.levels), order: { type: 'market' } }) } })`
    const args = ['--symbol', 'BTC/USDT', '--interval', '1m', '--store', store, '--ticks', '--json', '-']
    const { out, err } = await sluiceHere('backtest', fileWith('buyer.ts', buyer), ...args)
    expect(err).toBe('')
    const fills = JSON.parse(out).fills.map(
      ({ price, quantity, tag, time, evidence }: Record<string, object>) => ({
        ...{ price, quantity, tag, time, evidence },
      }),
    )
    const evidence = {
      rule: 'walked',
      snapshot: at(60, 180),
      arrivedAt: at(60, 0),
      tradeIds: [],
      assumption: 'shown',
    }
    expect(fills).toEqual([
      { price: 40_001, quantity: 0.01, tag: '1', time: at(60, 200), evidence },
      { price: 40_002, quantity: 0.02, tag: '1', time: at(60, 200), evidence },
    ])
  })

  it('plays a part of it, and is verified after more was recorded', async () => {
    const [store, result] = [recorded(), fileWith('result.json', '')]
    const span = ['--from', '2024-01-01T23:59', '--to', '2024-01-02T00:01']
    expect(await run(store, ...span, '--json', result)).toMatchObject({ exitCode: 0, err: '' })
    expect(JSON.parse(readFileSync(result, 'utf8')).manifest.klines).toBe(2)
    expect((await sluiceHere('backtest', '--verify', result)).exitCode).toBe(0)
  })

  it('refuses gaps within the span alone, unless it is told to skip them', async () => {
    const at = START + 90_000
    const store = recorded(`${at}000000,${at},${at + 5000},"The recorder was not running."`)
    const { exitCode, err } = await run(store)
    expect([exitCode, err]).toEqual([
      2,
      `BTC/USDT ticks of there have 1 gap:\n  2024-01-01T23:59:30.000Z to 2024-01-01T23:59:35.000Z: The recorder was not running.\nChoose a span without them with --from and --to, or play over them with --gaps skip.\n`,
    ])
    expect(await run(store, '--from', '2024-01-02')).toMatchObject({ exitCode: 0, err: '' })
    const { out } = await run(store, '--gaps', 'skip', '--json', '-')
    expect(JSON.parse(out).manifest.gaps).toEqual({ policy: 'skip', count: 1, missing: 0 })
  })

  it('plays downloaded trades as well', async () => {
    const store = scratchFolder()
    const column = (of: (trade: (typeof TRADES)[number]) => number) => Float64Array.from(TRADES, of)
    using writer = await new KlineStore(store).trades({ venue: 'binance', symbol: 'BTC/USDT' }).openWriter()
    const [time, id, price] = [column(of => of.time), column(of => of.id), column(of => of.price)]
    const [quantity, side] = [column(() => 0.5), column(of => (of.id % 2 === 1 ? -1 : 1))]
    writer.merge({ length: TRADES.length, time, id, price, quantity, side }, 'binance a.zip')
    const [downloaded, ofRecord] = [await run(store, '--json', '-'), await run(recorded(), '--json', '-')]
    // Recorded trades are known 300 ms after their times, when they were read; downloaded ones at their times.
    const untimed = (out: string) =>
      JSON.parse(out).fills.map(({ time: _, klineOpenTime: __, evidence: ___, ...fill }: Json) => fill)
    expect(untimed(downloaded.out)).toEqual(untimed(ofRecord.out))
    const times = (out: string) => JSON.parse(out).fills.map(({ time }: Json) => time)
    expect(times(ofRecord.out)).toEqual(times(downloaded.out).map((time: number) => time + 300))
  })

  it.each([
    [['--gaps', 'fill'], 'nothing can stand for absent trades'],
    [
      ['--venue', 'here'],
      'has no trades of BTC/USDT of here in the span. Record them with npm run record, or download them:',
    ],
    [['--bounds'], '--ticks and --bounds contradict each other'],
    [['--interval', '1h'], 'make no complete 1h kline'],
    [
      ['--from', '2024-01-03'],
      'make no complete 1m kline of the span; those of its days reach from 2024-01-02T00:00',
    ],
  ])('refuses %j with exit code 2', async (more, sentence) => {
    const { exitCode, out, err } = await run(recorded(), ...more)
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
  })
})

describe('a backtest on the ticks of several symbols', () => {
  const buyer = (body: string) =>
    fileWith(
      'buyer.ts',
      `import { defineStrategy, enterLong, exit } from '${pathToFileURL(join(ROOT, 'src/strategy/index.ts')).href}'
export default defineStrategy({ name: 'buyer', ${body} })`,
    )
  /** Buys on one minute, and sells on the next. */
  const inAndOut =
    'onKline: (_, { position }) => position.direction === "flat" ? enterLong({ size: { base: 0.01 } }) : exit()'
  /** A store with trades of two symbols: those of the second at half the price, 250 ms later, and from a second before to a second after. */
  const two = () => {
    const store = recorded()
    const later = Array.from({ length: 243 }, (_, id) => ({
      ...{ time: START + (id - 1) * 1000 + 250, id },
      price: (TRADES[Math.max(0, Math.min(240, id - 1))]?.price ?? Number.NaN) / 2,
    }))
    record(store, 'ETH-USDT', later)
    return store
  }
  const args = (file: string, store: string, symbol: string, ...more: readonly string[]) =>
    sluiceHere('backtest', file, '--symbol', symbol, '--interval', '1m', '--store', store, '--ticks', ...more)
  const fillsOf = (out: string): readonly Json[] =>
    JSON.parse(out).fills.map(({ symbol, time, price, side }: Json) => ({ symbol, time, price, side }))

  it('plays those of all on one account, in one order of time, and is verified', async () => {
    const [file, store, result] = [buyer(inAndOut), two(), fileWith('result.json', '')]
    const both = await args(file, store, 'BTC/USDT,ETH/USDT', '--json', result)
    expect(both).toMatchObject({ exitCode: 0, err: '' })
    const written = readFileSync(result, 'utf8')
    const alone = await Promise.all(
      ['BTC/USDT', 'ETH/USDT'].map(async symbol =>
        fillsOf((await args(file, store, symbol, '--json', '-')).out),
      ),
    )
    const time = ({ time: at = 0 }: Json) => at
    expect(fillsOf(written)).toEqual(alone.flat().toSorted((left, right) => time(left) - time(right)))
    expect(fillsOf(written).length).toBeGreaterThan(4)
    const { manifest, ambiguity } = JSON.parse(written)
    expect([manifest.inputs.ticks, ambiguity.path]).toEqual([true, 'trades'])
    expect(manifest.data.map(({ file: of }: { file: string }) => of)).toEqual([
      'BTC-USDT ticks of there',
      'ETH-USDT ticks of there',
    ])
    expect((await sluiceHere('backtest', '--verify', result)).exitCode).toBe(0)
  })

  it('plays those of the markets of a strategy', async () => {
    const file = buyer(
      'markets: ["other"], onKline: () => enterLong({ size: { base: 0.01 } }), onFill: ({ market }) => market === undefined ? enterLong({ market: "other", size: { base: 0.01 } }) : undefined',
    )
    const { out, err } = await args(file, two(), 'BTC/USDT', '--market', 'other=ETH/USDT', '--json', '-')
    expect(err).toBe('')
    const [first, second] = fillsOf(out)
    expect([first?.symbol, second?.symbol]).toEqual(['BTC/USDT', 'ETH/USDT'])
    // Its trades are a quarter of a second behind, and it sells when the first one buys.
    expect((second?.time ?? 0) - (first?.time ?? 0)).toBe(1250)
  })

  it('refuses a file beside the ticks', async () => {
    const config = fileWith(
      'list.yaml',
      'account: { type: spot, balance: { USDT: 10000 } }\nsize: { base: 0.1 }\nstrategies:\n  - { file: strategies/sma-cross.ts, symbol: BTC/USDT, interval: 1m, data: trades.csv }\n',
    )
    const { exitCode, err } = await sluiceHere('backtest', '--config', config, '--ticks')
    expect([exitCode, err]).toEqual([
      2,
      expect.stringContaining('trades.csv is named as data; leave one of the two out'),
    ])
  })
})

describe('a backtest on the ticks of a contract', () => {
  const config = () =>
    fileWith(
      'futures.yaml',
      'account: { type: futures, leverage: 2 }\nsize: { base: 0.1 }\ninstruments: { E-BTC-USDT: { contractSize: "0.001", pricePrecision: 2 } }\n',
    )
  const args = (store: string, ...more: readonly string[]) => [
    ...[
      'backtest',
      'strategies/sma-cross.ts',
      '--param',
      'fast=1',
      '--param',
      'slow=2',
      '--symbol',
      'E-BTC-USDT',
    ],
    ...['--interval', '1m', '--config', config(), '--store', store, '--ticks', ...more],
  ]

  /** A book and a mark price every second of ten minutes, and the minutes; the price rises and falls. */
  async function recordedContract(hasKlines = true): Promise<string> {
    const [store, from] = [scratchFolder(), Date.UTC(2024, 0, 1, 7, 55)]
    const market = { venue: 'there', symbol: 'E-BTC-USDT' }
    const folder = join(store, 'there/E-BTC-USDT/ticks')
    mkdirSync(folder, { recursive: true })
    const seconds = Array.from({ length: 601 }, (_, second) => {
      const time = from + second * 1000
      return { time, price: 40_000 + 400 * Math.sin(second / 60 + 2) }
    })
    const lines = (header: string, of: (row: { time: number; price: number }) => string) =>
      [header, ...seconds.map(row => `${row.time}000000,${row.time},${of(row)}`), ''].join('\n')
    const depth = lines(
      'local_ns,exch_ms,bids,asks',
      ({ price }) => `${(price - 1).toFixed(2)}:900,${(price + 1).toFixed(2)}:900`,
    )
    writeFileSync(join(folder, '2024-01-01.depth.csv'), depth)
    const index = lines(
      'local_ns,exch_ms,mark,index,funding_rate',
      ({ price }) => `${price.toFixed(2)},40000,0.0003`,
    )
    writeFileSync(join(folder, '2024-01-01.index.csv'), index)
    if (!hasKlines) return store
    using klines = await new KlineStore(store).klines({ ...market, interval: '1m' }).openWriter()
    const rows = Array.from({ length: 10 }, (_, row) => {
      const prices = seconds.slice(60 * row, 60 * row + 60).map(({ price }) => Number(price.toFixed(2)))
      const [high, low] = [Math.max(...prices), Math.min(...prices)]
      return {
        openTime: from + row * 60_000,
        open: prices[0] ?? 0,
        high,
        low,
        close: prices.at(-1) ?? 0,
        volume: 5,
      }
    })
    klines.merge(columnsFrom(rows), 'test')
    return store
  }

  it('plays order books, mark prices and minutes, settles the funding that was shown, and is verified', async () => {
    const [store, result] = [await recordedContract(), fileWith('result.json', '')]
    expect(await sluiceHere(...args(store, '--json', result))).toMatchObject({ exitCode: 0, err: '' })
    const { manifest, fills, margin, funding } = JSON.parse(readFileSync(result, 'utf8'))
    expect(manifest.data.map(({ file, klines }: Json & { file: string }) => [file, klines])).toEqual([
      ['E-BTC-USDT ticks of there', 0],
      ['E-BTC-USDT order books of there', 600],
      ['E-BTC-USDT mark prices of there', 601],
    ])
    expect([manifest.klines, manifest.gaps.count]).toEqual([10, 0])
    expect(fills.length).toBeGreaterThan(1)
    expect(fills.every(({ rule }: { rule: string }) => rule === 'walked')).toBe(true)
    expect([margin.mark, margin.funding]).toEqual(['recordedMarks', 'list'])
    // Long 0.1 BTC over 08:00: the mark price of a second before is 40000 + 400 sin(299 / 60 + 2) = 40257.65, of which 0.03%.
    expect(funding.map(({ time }: Json) => time)).toEqual([Date.UTC(2024, 0, 1, 8)])
    expect(funding[0].amount).toBeCloseTo(1.2077, 4)
    expect((await sluiceHere('backtest', '--verify', result)).exitCode).toBe(0)
  })

  it('says what it lacks without minutes, and names a damaged mark price', async () => {
    const [bare, store] = [await recordedContract(false), await recordedContract()]
    const without = await sluiceHere(...args(bare))
    expect([without.exitCode, without.err]).toEqual([
      2,
      expect.stringContaining('those of a contract are made of the 1m klines'),
    ])
    const index = join(store, 'there/E-BTC-USDT/ticks/2024-01-01.index.csv')
    writeFileSync(index, readFileSync(index, 'utf8').replace('40363.72', 'nothing'))
    const damaged = await sluiceHere(...args(store))
    expect([damaged.exitCode, damaged.err]).toEqual([
      2,
      expect.stringContaining(`${index}:2: the line is no row of index`),
    ])
  })
})

describe('a gap of a record', () => {
  it('is judged by the stored minutes when it is skipped', async () => {
    const at = START + 61_000
    const store = recorded(`${at}000000,${at},${at + 50_000},"The recorder was not running."`)
    using series = await new KlineStore(store)
      .klines({ venue: 'there', symbol: 'BTC/USDT', interval: '1m' })
      .openWriter()
    const [openTime, open] = [START + 60_000, 40_000]
    series.merge(columnsFrom([{ openTime, open, high: open, low: 30_000, close: open, volume: 900 }]), 'test')
    const { out } = await run(store, '--gaps', 'skip', '--json', '-')
    // The minute went far below the trades that are known.
    const fills: readonly { rule: string; time: number }[] = JSON.parse(out).fills
    expect(fills.filter(({ rule }) => rule === 'gapMinute').map(({ time }) => time)).toContain(
      START + 120_000,
    )
  })
})

describe('--funding', () => {
  it('takes the funding rates of a venue of the store, and says so in the result', async () => {
    const [store, from] = [scratchFolder(), Date.UTC(2024, 0, 1)]
    const contract = { venue: 'there', symbol: 'E-BTC-USDT' }
    using klines = await new KlineStore(store).klines({ ...contract, interval: '1m' }).openWriter()
    klines.merge(klinesOf(minutes(from, 600)), 'test')
    using funding = await new KlineStore(store).funding(contract).openWriter()
    const time = Float64Array.of(from, from + 8 * 3_600_000)
    funding.merge({ length: 2, time, rate: Float64Array.of(0.0001, 0.0002) }, 'test')
    const config = fileWith(
      'futures.yaml',
      'account: { type: futures, leverage: 2 }\nsize: { equityFraction: 0.5 }\ninstruments: { E-BTC-USDT: { contractSize: "0.001" } }\n',
    )
    const args = [
      'backtest',
      'strategies/sma-cross.ts',
      '--symbol',
      'E-BTC-USDT',
      '--interval',
      '1m',
      '--store',
      store,
    ]
    const { out, err } = await sluiceHere(...args, '--config', config, '--funding', 'there', '--json', '-')
    expect(err).toBe('')
    const { manifest } = JSON.parse(out)
    expect(manifest.data[1]).toMatchObject({ file: 'there E-BTC-USDT funding', klines: 2 })
    expect(manifest.inputs.funding).toBe('there')
  })
})
