import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Interval } from '../../../src/domain/market-data/interval.ts'
import { klinesIn } from '../../../src/klines/kline-columns.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { scratchFolder } from '../../klines/store/scratch-store.ts'
import { waveCsv } from '../klines.ts'
import { fileWith, sluice, startSluice } from '../sluice-process.ts'
import { klineExchange } from './kline-exchange.ts'

/** At how many random moments a command is killed; the proof takes 50. */
const POINTS = Number(process.env.SLUICE_KILL_POINTS ?? 2)
const MARKET = { venue: 'here', symbol: 'BTC/USDT' } as const
const OPTIONS = ['--venue', 'here', '--symbol', 'BTC/USDT', '--json']

/** A command that fills a store, and tells as JSON lines what it has stored. */
interface Filling {
  readonly interval: Interval
  argsFor(store: string): readonly string[]
}

/**
 * Kills the command at random moments, each time in a store of its own: the store opens, has what was reported and nothing
 * that an undisturbed run has not, and the same command then comes to the same bytes.
 */
async function proveKills({ interval, argsFor }: Filling): Promise<string> {
  const stored = (store: string) => klinesIn(new KlineStore(store).klines({ ...MARKET, interval }).read())
  const whole = scratchFolder()
  const startedAt = performance.now()
  const undisturbed = await sluice(...argsFor(whole))
  expect(undisturbed).toMatchObject({ exitCode: 0, err: '' })
  const run = { lines: undisturbed.out.split('\n').length, durationMs: performance.now() - startedAt }
  const reference = stored(whole)
  const moments = { before: 0, within: 0, after: 0 }
  for (let point = 0; point < POINTS; point++) {
    const store = scratchFolder()
    const reported = await killed(argsFor(store), run)
    const klines = stored(store)
    expect(klines).toEqual(reference.slice(0, klines.length))
    expect(klines.at(-1)?.openTime ?? 0).toBeGreaterThanOrEqual(reported)
    moments[klines.length === 0 ? 'before' : klines.length < reference.length ? 'within' : 'after']++
    expect(await sluice(...argsFor(store))).toMatchObject({ exitCode: 0, err: '' })
    expect(filesOf(store)).toEqual(filesOf(whole))
  }
  return `${POINTS} kills: ${moments.before} before anything was stored, ${moments.within} in between, ${moments.after} when all was.`
}

/**
 * Starts a command, kills it without a warning some time after one of the lines that it writes, or after its start, and
 * returns the last open time that it reported as stored; 0 for none.
 */
async function killed(args: readonly string[], run: { lines: number; durationMs: number }): Promise<number> {
  const child = startSluice(...args)
  const [out, closed] = [text(child.stdout), once(child, 'close')]
  const lines = createInterface(child.stdout)
  await Promise.race([linesFrom(lines, Math.floor(Math.random() * (run.lines - 1))), closed])
  await Promise.race([pause((Math.random() * run.durationMs) / run.lines), closed])
  child.kill('SIGKILL')
  await closed
  // What comes after the last line break was cut off.
  const told = (await out).split('\n').slice(0, -1)
  return Math.max(0, ...told.map(line => JSON.parse(line).storedUntil ?? 0))
}

function linesFrom(lines: Interface, count: number): Promise<void> {
  let left = count
  return new Promise(resolve => {
    if (left === 0) resolve()
    lines.on('line', () => {
      if (--left === 0) resolve()
    })
  })
}

/** What the user has of a store, by path. */
function filesOf(store: string): Record<string, string> {
  const names = readdirSync(store, { recursive: true, encoding: 'utf8' })
  const files = names.filter(name => name.endsWith('.arrow') || name.endsWith('.tmp')).sort()
  return Object.fromEntries(files.map(name => [name, readFileSync(join(store, name)).toString('base64')]))
}

describe('a command that is killed', () => {
  it('loses nothing that it reported, and resumes: klines download', { timeout: 600_000 }, async () => {
    const { url } = await klineExchange({ delayMs: 15 })
    const span = ['--from', '2024-01-28', '--to', '2024-02-03', '--interval', '1m', '--spot-url', url]
    const argsFor = (store: string) => ['klines', 'download', ...OPTIONS, ...span, '--store', store]
    report(await proveKills({ interval: '1m', argsFor }))
  })

  it('loses nothing that it reported, and resumes: klines import', { timeout: 600_000 }, async () => {
    const file = fileWith('two-years.csv', waveCsv(2 * 365 * 24))
    const argsFor = (store: string) => [
      'klines',
      'import',
      file,
      ...OPTIONS,
      '--interval',
      '1h',
      '--store',
      store,
    ]
    report(await proveKills({ interval: '1h', argsFor }))
  })
})

function report(proof: string): void {
  if (process.env.SLUICE_KILL_POINTS !== undefined) console.log(proof)
}
