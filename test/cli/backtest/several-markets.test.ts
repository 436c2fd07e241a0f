import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waveCsv } from '../klines.ts'
import { ROOT, sluice } from '../sluice-process.ts'
import { sluiceHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-markets-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)
const [btc, eth, config, result] = ['btc.csv', 'eth.csv', 'markets.yaml', 'result.json'].map(file) as [
  string,
  string,
  string,
  string,
]

const entry = (symbol: string, data: string, more = '') =>
  `  - { file: strategies/sma-cross.ts, symbol: ${symbol}, interval: 1h, data: ${data}${more} }\n`
const LIST = `strategies:\n${entry('BTC/USDT', btc, ', parameters: { fast: 5, slow: 10 }, size: { base: 1 }')}${entry(
  'BTC/USDT',
  btc,
  ', parameters: { fast: 3, slow: 8 }',
)}${entry('ETH/USDT', eth, ', parameters: { fast: 5, slow: 10 }')}`

function configured(text: string): string {
  writeFileSync(config, `account: { type: margin }\nsize: { equityFraction: 0.2 }\n${text}`)
  return config
}

/** Klines of four hours of those of an hour. */
function everyFourth(csv: string): string {
  const [head, ...lines] = csv.trim().split('\n')
  const rows = lines.map(line => line.split(',').map(Number))
  const parts = Array.from({ length: rows.length / 4 }, (_, part) => rows.slice(4 * part, 4 * part + 4))
  const column = (part: number[][], index: number) => part.map(row => row[index] ?? 0)
  const longer = parts.map(part => [
    part[0]?.[0],
    part[0]?.[1],
    Math.max(...column(part, 2)),
    Math.min(...column(part, 3)),
    part[3]?.[4],
    column(part, 5).reduce((sum, volume) => sum + volume, 0),
  ])
  return `${[head, ...longer.map(row => row.join(','))].join('\n')}\n`
}

beforeAll(() => {
  writeFileSync(btc, waveCsv(400))
  writeFileSync(eth, waveCsv(300))
  writeFileSync(file('b4.csv'), everyFourth(waveCsv(400)))
  writeFileSync(file('e4.csv'), everyFourth(waveCsv(300)))
})

describe('backtest of several strategies', () => {
  it('names file, line and column of a parameter that its strategy cannot take', async () => {
    const list = configured(
      `strategies:\n${entry('BTC/USDT', btc)}${entry('ETH/USDT', eth, ',\n    parameters: { fast: 5% }')}`,
    )
    const { exitCode, err } = await sluiceHere('backtest', '--config', list)
    expect(exitCode).toBe(2)
    expect(err).toContain(`${list}:6:25: Parameter "fast" of strategy "sma-cross" is "5%", but must be`)
  })

  it('runs what the configuration lists on one account, and names market and strategy of everything', async () => {
    const ended = await sluiceHere(
      'backtest',
      '--config',
      configured(LIST),
      '--json',
      result,
      '--csv',
      folder,
    )
    expect(ended).toEqual({ exitCode: 0, out: '', err: '' })
    const { manifest, roundTrips, fills, parts } = JSON.parse(readFileSync(result, 'utf8'))
    const books = ['BTC/USDT#sma-cross', 'BTC/USDT#sma-cross#2', 'ETH/USDT']
    expect(manifest.markets.map(({ book }: { book: string }) => book)).toEqual(books)
    expect(manifest.markets[0]).toMatchObject({
      strategy: 'sma-cross',
      parameters: { fast: 5, slow: 10 },
      size: { base: 1 },
      klines: 400,
    })
    expect(manifest.data).toHaveLength(3)
    expect(new Set(fills.map(({ book }: { book: string }) => book))).toEqual(new Set(books))
    expect(roundTrips[0]).toMatchObject({ symbol: 'BTC/USDT', interval: '1h', strategy: 'sma-cross' })
    expect(parts.map(({ name }: { name: string }) => name)).toEqual([
      'sma-cross on BTC/USDT 1h',
      'sma-cross on BTC/USDT 1h (#2)',
      'sma-cross on ETH/USDT 1h',
    ])
    const count = parts.reduce((sum: number, part: { roundTrips: number }) => sum + part.roundTrips, 0)
    expect(count).toBe(roundTrips.length)
    expect(readFileSync(file('fills.csv'), 'utf8').split('\n')[0]).toMatch(/,interval,strategy,book$/)
  })

  it('gives the same bytes again from nothing but the result', async () => {
    await sluiceHere('backtest', '--config', configured(LIST), '--json', result)
    rmSync(config)
    const { exitCode, out } = await sluiceHere('backtest', '--verify', result)
    expect([exitCode, out.split('\n')[0]]).toEqual([
      0,
      `${result} is verified: the same run gives the same bytes.`,
    ])
    writeFileSync(result, readFileSync(result, 'utf8').replace('"slow":8', '"slow":9'))
    expect((await sluiceHere('backtest', '--verify', result)).exitCode).toBe(1)
  })

  it('runs one strategy on every symbol that --symbol names', async () => {
    const run = ['strategies/sma-cross.ts', '--symbol', 'BTC/USDT,ETH/USDT', '--interval', '1h']
    const { exitCode, out } = await sluiceHere('backtest', ...run, '--data', `${btc},${eth}`)
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^sma-cross on BTC\/USDT, ETH\/USDT 1h\n/)
    expect(out).toMatch(/\nBy market\n.*\n +sma-cross on BTC\/USDT 1h .*\n +sma-cross on ETH\/USDT 1h /)
    expect(out).toContain('equal parts of all equity bought of every instrument')
  })

  it('is proven causal all together, and certified market by market', async () => {
    const quick = ', parameters: { fast: 5, slow: 10 }'
    const list = configured(`strategies:\n${entry('BTC/USDT', btc, quick)}${entry('ETH/USDT', eth, quick)}`)
    const { out } = await sluice('backtest', '--config', list, '--prove-causal', '4', '--certify-warmup')
    // 400 hours of one, the first 300 of the other.
    expect(out).toMatch(
      /^Causal: sma-cross did .*\n.* hidden at all 400 moments: .* and the equity at 400 closes stayed the same\.\n.* replaced at 4 moments: .*\n/,
    )
    expect(out.match(/^(BTC|ETH)\/USDT 1h$/gm)).toEqual(['BTC/USDT 1h', 'ETH/USDT 1h'])
    expect(out.match(/Declared: a warm-up of 10 klines\.\n.*\n {2}Different: 0 of/g)).toHaveLength(2)
  })

  it('names the market of a leak from one strategy to another, with exit code 1', async () => {
    const told = file('told.ts')
    writeFileSync(told, 'export const told = { close: 100 }\n')
    const index = pathToFileURL(join(ROOT, 'src/strategy/index.ts')).href
    const formulas = pathToFileURL(join(ROOT, 'src/indicators/formula-indicator.ts')).href
    const strategy = (name: string, rest: string) =>
      writeFileSync(
        file(`${name}.ts`),
        `import { told } from './told.ts'\nimport { indicatorOf } from '${formulas}'\nimport { defineStrategy, enterLong, exit } from '${index}'\nexport default defineStrategy({ name: '${name}', ${rest} })\n`,
      )
    strategy(
      'teller',
      `indicators: () => ({ next: indicatorOf({
  requiredKlines: 0,
  compute(klines, from, to, values, at) {
    for (let row = from; row < to; row++) values[at + row - from] = klines.close[row + 1]
  },
}) }), onKline: ({ close }, { indicators: { next } }) => { told.rises = next.value > close; void enterLong; void exit }`,
    )
    strategy(
      'listener',
      `onKline: (_, { position }) => {
  if (told.rises && position.direction === 'flat') return enterLong()
  if (!told.rises && position.direction === 'long') return exit()
}`,
    )
    const of = (name: string, symbol: string, data: string) =>
      `  - { file: ${file(`${name}.ts`)}, symbol: ${symbol}, interval: 1h, data: ${data} }\n`
    const list = configured(`strategies:\n${of('teller', 'ETH/USDT', eth)}${of('listener', 'BTC/USDT', btc)}`)
    const { out, exitCode } = await sluice('backtest', '--config', list, '--prove-causal')
    expect(exitCode).toBe(1)
    expect(out).toMatch(
      /^Not causal: what teller, listener does depends on klines that come later\.\nFirst leak: signal in onKline of listener on BTC\/USDT 1h at the kline of 2024-/,
    )
  })

  it('plays the worst and the best path of all markets, and finer klines inside those of each', async () => {
    const common = [
      '--symbol',
      'BTC/USDT,ETH/USDT',
      '--interval',
      '4h',
      '--data',
      `${file('b4.csv')},${file('e4.csv')}`,
    ]
    const run = ['strategies/sma-cross.ts', ...common, '--param', 'fast=3', '--param', 'slow=6']
    const config = configured('')
    const bounded = await sluiceHere('backtest', ...run, '--config', config, '--bounds', '--json', result)
    expect(bounded).toMatchObject({ exitCode: 0, err: '' })
    const { bounds } = JSON.parse(readFileSync(result, 'utf8'))
    expect(bounds.intervals.endEquity.low).toBeLessThanOrEqual(bounds.intervals.endEquity.high)
    expect((await sluiceHere('backtest', '--verify', result)).exitCode).toBe(0)
    const finer = ['--detail', '1h', '--detail-data', `${btc},${eth}`]
    const detailed = await sluiceHere('backtest', ...run, '--config', config, ...finer, '--json', result)
    expect(detailed).toMatchObject({ exitCode: 0, err: '' })
    const { manifest, ambiguity, fills } = JSON.parse(readFileSync(result, 'utf8'))
    expect(ambiguity.path).toBe('detail')
    expect(manifest.markets.map((market: { detail: unknown }) => market.detail)).toMatchObject([
      { file: 'btc.csv', interval: '1h', klines: 400 },
      { file: 'eth.csv', interval: '1h', klines: 300 },
    ])
    expect(new Set(fills.map(({ symbol }: { symbol: string }) => symbol)).size).toBe(2)
    expect((await sluiceHere('backtest', '--verify', result)).exitCode).toBe(0)
    const lacking = await sluiceHere('backtest', ...run, '--config', config, ...finer.slice(0, 3), btc)
    expect(lacking.err).toContain('--symbol names 2 symbols and --detail-data 1 file; give one for each')
  })

  it('holds each strategy to its own size and risk, and the account to that of all', async () => {
    const own = ', parameters: { fast: 5, slow: 10 }'
    const limited = `${own}, size: { base: 3 }, risk: { limits: { maxPosition: { base: 2 } } }`
    const run = async (text: string) => {
      await sluiceHere('backtest', '--config', configured(text), '--json', result)
      return JSON.parse(readFileSync(result, 'utf8'))
    }
    const list = `strategies:\n${entry('BTC/USDT', btc, limited)}${entry('ETH/USDT', eth, `${own}, size: { base: 3 }`)}`
    const one = await run(list)
    expect(one.denials).toMatchObject({ maxPosition: expect.any(Number) })
    expect(new Set(one.fills.map(({ symbol }: { symbol: string }) => symbol))).toEqual(new Set(['ETH/USDT']))
    expect(one.tradingChanges).toEqual([])
    expect((await sluiceHere('backtest', '--verify', result)).exitCode).toBe(0)
    const none = await run(`${list}risk: { limits: { maxPosition: { base: 2 } } }\n`)
    expect(none.fills).toEqual([])
    const alone = await run(`strategies:\n${entry('BTC/USDT', btc, limited)}`)
    expect([alone.fills, alone.manifest.markets]).toEqual([[], undefined])
    expect((await sluiceHere('backtest', '--verify', result)).exitCode).toBe(0)
  })

  it('refuses limits of a strategy that are wider than those of the account', async () => {
    const wide = ', risk: { limits: { maxPosition: { base: 2 } } }'
    const text = `strategies:\n${entry('BTC/USDT', btc, wide)}risk: { limits: { maxPosition: { base: 1 } } }\n`
    expect((await sluiceHere('backtest', '--config', configured(text))).err).toContain(
      'strategies[0].risk.limits.maxPosition is above risk.limits.maxPosition',
    )
  })

  it('tells what held trading back: in a note, in JSON and in a list of the page', async () => {
    const page = file('page.html')
    const stopped = `${LIST}risk: { protections: { drawdown: { rate: "0.001", pauseMs: 36000000 } } }\n`
    const args = ['backtest', '--config', configured(stopped)]
    await sluiceHere(...args, '--json', result, '--html', page)
    const { tradingChanges } = JSON.parse(readFileSync(result, 'utf8'))
    expect(tradingChanges.length).toBeGreaterThan(1)
    expect(tradingChanges[0]).toMatchObject({
      before: 'active',
      mode: 'reducing',
      holds: [{ source: 'drawdown', mode: 'reducing', reason: expect.any(String) }],
    })
    const { out } = await sluiceHere(...args)
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/Trading was held back \d+ ×; first at 2024-/)
    const html = readFileSync(page, 'utf8')
    expect(html).toContain('<h2>What held trading back</h2>')
    expect(html.match(/<td>account<\/td><td>active → reducing<\/td>/g)?.length).toBeGreaterThan(0)
  })

  it('shows the parameters of each strategy below the title', async () => {
    const { out } = await sluiceHere('backtest', '--config', configured(LIST))
    expect(out.split('\n').slice(2, 6)).toEqual([
      '  Parameters:',
      '    sma-cross on BTC/USDT 1h: fast 5, slow 10',
      '    sma-cross on BTC/USDT 1h (#2): fast 3, slow 8',
      '    sma-cross on ETH/USDT 1h: fast 5, slow 10',
    ])
  })

  it('tells the funding of each contract of a futures account', async () => {
    const futures = (rules: string) =>
      `account: { type: futures, leverage: 5 }\nsize: { equityFraction: 0.5 }\ninstruments:\n  default: { contractSize: "0.001" }\n${rules}`
    writeFileSync(config, futures('  BTC/USDT: { fundingRate: "0.0003" }\n'))
    const run = [
      'strategies/sma-cross.ts',
      '--symbol',
      'BTC/USDT,ETH/USDT',
      '--interval',
      '1h',
      '--config',
      config,
    ]
    const args = ['backtest', ...run, '--data', `${btc},${eth}`, '--param', 'fast=5', '--param', 'slow=10']
    await sluiceHere(...args, '--json', result)
    const { margin, funding, metrics } = JSON.parse(readFileSync(result, 'utf8'))
    const paid = funding.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
    expect([margin.funding, margin.mark, funding.length > 3]).toEqual(['various', 'tradedKlines', true])
    expect(margin.contracts).toEqual([
      {
        ...{ symbol: 'BTC/USDT', mark: 'tradedKlines', funding: 'constant', settlements: funding.length },
        paid: expect.closeTo(paid, 9),
      },
      { symbol: 'ETH/USDT', mark: 'tradedKlines', funding: 'none', settlements: 0, paid: 0 },
    ])
    expect(metrics.funding).toBeCloseTo(paid, 9)
    const { out } = await sluiceHere(...args)
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /BTC\/USDT: funding was settled \d+ × at a constant rate and (cost|brought) [\d.]+ USDT\. ETH\/USDT: no funding, for want of rates\./,
    )
  })

  it('says where a mistake is, and what was probably meant', async () => {
    const run = async (text: string) => (await sluiceHere('backtest', '--config', configured(text))).err
    expect(
      await run(
        `strategies:\n${entry('BTC/USDT', btc)}${entry('ETH/USDT', eth, ', parameters: { fsat: 3 }')}`,
      ),
    ).toMatch(/strategies\[1\] of .*markets\.yaml: .*fsat.*Did you mean "fast"\?/)
    expect(await run(LIST.replace('sma-cross.ts', 'sma-cros.ts'))).toMatch(
      /strategies\[0\] of .*did you mean "sma-cross\.ts"\?/,
    )
    expect(await run(LIST.replace('interval: 1h', 'intervall: 1h'))).toMatch(
      /:4:.*The key "intervall" is unknown\. Did you mean "interval"\?/,
    )
    expect(await run(`strategies:\n${entry('A/USDT', btc, ', store: x')}`)).toMatch(
      /strategies\[0\]\.data contradicts store/,
    )
    expect(await run(`strategies:\n${entry('A/USDT', btc)}${entry('A/USDT', btc)}`)).toMatch(
      /strategies\[1\] runs strategies\/sma-cross\.ts on A\/USDT 1h a second time/,
    )
  })

  it('says of klines of a role that they are of another interval, and not that they do not reach', async () => {
    const pair = join(ROOT, 'strategies', 'pairs.ts')
    const args = (interval: string, own: string, other: string) => [
      ...['backtest', pair, '--symbol', 'BTC/USDT', '--interval', interval, '--data', own],
      ...['--market', 'hedge=ETH/USDT', '--feed-data', `hedge=${other}`],
    ]
    const shorter = await sluiceHere(...args('4h', file('e4.csv'), eth))
    expect(shorter).toMatchObject({
      exitCode: 2,
      err: `${eth}: No kline of 4h opens at 2024-01-01T01:00:00.000Z (UTC): the times fit the interval 1h.\n`,
    })
    const longer = await sluiceHere(...args('1h', eth, file('e4.csv')))
    expect(longer).toMatchObject({
      exitCode: 2,
      err: `${file('e4.csv')}: The klines are of the interval 4h, not 1h: their open times all fit it.\n`,
    })
  })

  it('refuses a command line that contradicts the configuration or itself', async () => {
    const list = configured(LIST)
    const err = async (...args: string[]) => (await sluiceHere('backtest', ...args)).err
    expect(await err('--config', list, '--symbol', 'BTC/USDT')).toContain(
      'lists strategies, so --symbol contradicts it',
    )
    const alone = ['--symbol', 'BTC/USDT', '--interval', '1h', '--data', btc]
    // Also where the list has the same strategy.
    for (const strategy of ['strategies/rsi-reversion.ts', 'strategies/sma-cross.ts']) {
      expect(await err(strategy, ...alone, '--config', list)).toContain(`lists strategies, so ${strategy}`)
      const both = ['--symbol', 'BTC/USDT,ETH/USDT', '--interval', '1h', '--data', `${btc},${eth}`]
      expect(await err(strategy, ...both, '--config', list)).toContain(`lists strategies, so ${strategy}`)
    }
    const twice = ['strategies/sma-cross.ts', '--interval', '1h', '--data', btc]
    expect(await err(...twice, '--symbol', 'BTC/USDT,BTC/USDT')).toContain('names "BTC/USDT" twice')
    expect(await err(...twice, '--symbol', 'BTC/USDT,ETH/USDT')).toContain('2 symbols and --data 1 file')
  })
})
