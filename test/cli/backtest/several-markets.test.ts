import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waveCsv } from '../klines.ts'
import { sluice } from '../sluice-process.ts'
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

beforeAll(() => {
  writeFileSync(btc, waveCsv(400))
  writeFileSync(eth, waveCsv(300))
})

describe('backtest of several strategies', () => {
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

  it('is proven causal and certified market by market', async () => {
    const quick = ', parameters: { fast: 5, slow: 10 }'
    const list = configured(`strategies:\n${entry('BTC/USDT', btc, quick)}${entry('ETH/USDT', eth, quick)}`)
    const { out } = await sluice('backtest', '--config', list, '--prove-causal', '4', '--certify-warmup')
    expect(out.match(/^(BTC|ETH)\/USDT 1h$/gm)).toEqual(['BTC/USDT 1h', 'ETH/USDT 1h'])
    expect(out.match(/^Causal: sma-cross /gm)).toHaveLength(2)
    expect(out.match(/ertified: sma-cross declares/g)).toHaveLength(2)
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

  it('refuses a command line that contradicts the configuration or itself', async () => {
    const list = configured(LIST)
    const err = async (...args: string[]) => (await sluiceHere('backtest', ...args)).err
    expect(await err('--config', list, '--symbol', 'BTC/USDT')).toContain(
      'lists strategies, so --symbol contradicts it',
    )
    const alone = ['--symbol', 'BTC/USDT', '--interval', '1h', '--data', btc]
    expect(await err('strategies/rsi-reversion.ts', ...alone, '--config', list)).toContain(
      'lists strategies, so strategies/rsi-reversion.ts',
    )
    const twice = ['strategies/sma-cross.ts', '--interval', '1h', '--data', btc]
    expect(await err(...twice, '--symbol', 'BTC/USDT,BTC/USDT')).toContain('names "BTC/USDT" twice')
    expect(await err(...twice, '--symbol', 'BTC/USDT,ETH/USDT')).toContain('2 symbols and --data 1 file')
  })
})
