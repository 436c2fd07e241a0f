import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Block, blocksOf, commandsIn, pageText } from '../docs/guide-pages.ts'
import { copyOfProject, runIn } from '../project-copy.ts'

/** README, the pages of the guide in the order in which it leads through them, and what those who work on the project are told. */
const LINKED = [...pageText('index.md').matchAll(/\]\((\w[\w-]*\.md)\)/g)].map(([, page = '']) => page)
const WAY = ['../README.md', ...new Set(LINKED), '../CONTRIBUTING.md']

/**
 * Commands that are not played on their page: packages are linked, tests and checks come at the end, `test/docs` plays an exchange and
 * the commands to a running bot, paper trading on a real host and what it records need that host, searches on several machines need a
 * Redis, a notice needs a channel of the reader, the rest goes on for long.
 */
const LEFT_OUT = [
  /^npm (ci|test|ci && npm test)$/,
  /^npm run (-s )?(beds|bench|bot|check|exchange|format|journeys|large-study|mutate|proofs)/,
  /^npx vitest run test\/risk$/,
  /^npm (start -- --config config\/paper-live|run paper )/,
  /data\/paper\/paper-live\//,
  /--queue redis:/,
  /^npm run -s notify -- test/,
  /--watch$/,
]

/** What says, with exit code 1, that a made-up year has too few decisions to certify anything, as its pages tell. */
const UNSURE = /--certify-warmup$/

/** What answers with its exit code: 3 undecided, 4 no edge. */
const JUDGED = /^npm run -s validate /

/** The command as it is played, where it would go on for long; a window is ended after a while as its page says, by one signal, and the other bot's journal is a copy. */
const played = (command: string) =>
  command
    .replace(/^npm run view .*/, 'timeout --foreground --preserve-status --signal=INT 10 $&')
    .replace('data/other.journal', 'data/backup/paper.journal')
    .replace('npm ci && npm start', 'npm start -- --stop-after 5s')
    .replace('--stop-after 60s', '--stop-after 5s')
    .replace('--seeds 1000', '--seeds 3')
    .replace('npm run rerun', 'npm run rerun -- --searches 5')

/** Refusal of a command whose study has trials on several data, with the first of them. */
const WHICH_DATA = /say which with --data, one of (\w+)/

interface Played {
  readonly out: string
  /** In a sentence. */
  readonly failure: readonly string[]
}

/** Runs a command in the copy, as its answer asks where that names the data, and writes how long it took. */
async function play(folder: string, command: string): Promise<Played> {
  const start = performance.now()
  const { exitCode, out, err } = await runIn(folder, 'sh', '-c', command)
  const seconds = (performance.now() - start) / 1000
  process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${command}\n`)
  const [, data] = WHICH_DATA.exec(err) ?? []
  if (data !== undefined && !command.includes(' --data '))
    return await play(folder, `${command} --data ${data}`)
  return {
    out,
    failure: exitCode === 0 ? [] : [`${command}: ${exitCode}\n${out.slice(-2000)}${err.slice(-2000)}`],
  }
}

function write(folder: string, { file, text }: Block): void {
  if (file === undefined) return
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

/** A copy with the file of klines that the guide's reader has: here made-up ones of 2024. */
async function copyWithKlines(): Promise<string> {
  const folder = copyOfProject({ whole: true })
  const market = '--symbol BTC/USDT --interval 1h --store made'
  for (const command of [`generate ${market} --seed 3`, `export btcusdt-1h.csv ${market}`])
    expect((await play(folder, `npm run -s klines -- ${command}`)).failure).toEqual([])
  writeFileSync(join(folder, 'btcusdt-1h.csv.gz'), gzipSync(readFileSync(join(folder, 'btcusdt-1h.csv'))))
  return folder
}

interface Result {
  readonly fills: readonly {
    readonly side: 'buy' | 'sell'
    readonly price: number
    readonly quantity: number
    readonly fee: number
    readonly feeAsset: string
  }[]
  readonly equity: readonly (readonly [time: number, equity: number])[]
}

/** Expects the equity of a spot backtest to be what its fills add up to, at the last close. */
function expectSense({ fills, equity }: Result, lastClose: number): void {
  let [quote, base] = [10_000, 0]
  for (const { side, price, quantity, fee, feeAsset } of fills) {
    const sign = side === 'buy' ? 1 : -1
    quote -= sign * price * quantity + (feeAsset === 'USDT' ? fee : 0)
    base += sign * quantity - (feeAsset === 'BTC' ? fee : 0)
    expect(fee).toBeCloseTo(0.001 * quantity * (feeAsset === 'USDT' ? price : 1), 6)
  }
  expect(fills.length).toBeGreaterThan(10)
  expect(equity.at(-1)?.[1]).toBeCloseTo(quote + base * lastClose, 6)
}

describe('the README and the guide, played in a clean copy', () => {
  it('every command ends well, one after the other; money adds up; and then all tests and checks pass', async () => {
    const folder = await copyWithKlines()
    const failures: string[] = []
    for (const block of WAY.flatMap(blocksOf)) {
      write(folder, block)
      if (block.kind !== 'sh') continue
      for (const command of commandsIn(block).filter(text => !LEFT_OUT.some(left => left.test(text)))) {
        const { out, failure } = await play(folder, played(command))
        if (UNSURE.test(command)) expect(out).toContain('Cannot be certified: only')
        else if (JUDGED.test(command)) expect(out).toMatch(/^Verdict: (undecided|no edge)\.$/m)
        else failures.push(...failure)
      }
    }
    expect(failures).toEqual([])

    const { out } = await play(folder, 'npm run -s backtest -- --config config/rsi-dip.yaml --json -')
    await play(
      folder,
      'npm run -s klines -- export all.csv --symbol BTC/USDT --interval 1h --venue generated',
    )
    const last = readFileSync(join(folder, 'all.csv'), 'utf8').trimEnd().split('\n').at(-1)?.split(',')
    expectSense(JSON.parse(out), Number(last?.[4]))

    for (const command of ['npm run schema', 'npm run check', 'npm test'])
      failures.push(...(await play(folder, command)).failure)
    expect(failures).toEqual([])
  })
})
