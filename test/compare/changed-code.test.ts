import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import { compareSpan } from '../../src/compare/live-comparison.ts'
import { LiveSpan } from '../../src/compare/live-span.ts'
import { ReadStrategies } from '../../src/compare/read-strategies.ts'
import { strategyHash } from '../../src/compare/strategy-hash.ts'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { defineStrategy, enterLong, exit, type Strategy } from '../../src/strategy/index.ts'
import { afterTest } from '../after-test.ts'
import { journalPath } from '../journal/journal-session.ts'
import { LiveBot } from '../live-bot.ts'
import { LogLines } from '../parity/log-lines.ts'
import { klinesOf, MINUTE, START } from '../simulator/exchange-caller.ts'
import { partsOf } from './compared-bot.ts'

/** Goes in and out, each after so many klines. */
const flipping = (every: number): Strategy =>
  defineStrategy({
    name: 'flipping',
    state: () => ({ klines: 0 }),
    onKline: (_kline, { state, position }) => {
      state.klines++
      if (state.klines % every !== 0) return undefined
      return position.direction === 'flat' ? enterLong() : exit()
    },
  })

/** A market that goes up and down by 10 within 14 klines. */
const WAVES = klinesOf(
  ...Array.from({ length: 200 }, (_, minute) => {
    const [open, close] = [priceAt(minute), priceAt(minute + 1)]
    return [open, Math.max(open, close), Math.min(open, close), close] as const
  }),
)

function priceAt(minute: number): number {
  return Number((100 + 10 * Math.sin((minute * 2 * Math.PI) / 14)).toFixed(2))
}

/** Klines after which `flipping` turns, and USDT of an entry. */
type Setup = readonly [every: number, quote: number]

/** A bot that ran for an hour, and runs otherwise since then; its journal, until the test ends. */
async function restarted(before: Setup, now: Setup): Promise<string> {
  const path = journalPath()
  const exchange = createSimulatedExchange({
    listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', interval: '1m', klines: WAVES } }],
    liquidity: { spreadTicks: 1 },
  })
  const runFrom = async (startAt: number, [every, quote]: Setup) => {
    const journal = new Journal(path)
    const live = new LiveBot({
      ...{ bot: 'changed', startAt, lines: new LogLines(), journal, exchange },
      sources: { 'flipping.ts': `every ${every}` },
      strategies: [
        {
          ...{ file: 'flipping.ts', strategy: flipping(every), parameters: {} },
          ...{ symbol: 'BTC/USDT', interval: '1m', size: { quote } },
        },
      ],
    })
    const bot = await live.start()
    await live.runTo(startAt + 57 * MINUTE + 5000)
    const end = async () => {
      await bot.shutDown()
      journal.close()
    }
    return { journal, end }
  }
  const first = await runFrom(START + 30 * MINUTE, before)
  await first.end()
  const { journal, end } = await runFrom(START + 90 * MINUTE, now)
  journal.commit()
  afterTest(end)
  return path
}

/** The journal as a thread reads it that loaded the code of now. */
async function comparedWith(path: string, limits: object) {
  const reader = new JournalReader(path)
  const load = async () => flipping(3)
  const hashOf = () => 'every 3'
  const span = await LiveSpan.open(reader, load, limits)
  await span.readOn()
  const fills = { ...DEFAULT_FILL_SETTINGS, slippageRate: 0, slippageTicks: 1 }
  const comparison = await compareSpan(span, { load, hashOf, fills, boundRate: 0.0005 })
  reader.close()
  return comparison
}

it.each<[string, Setup]>([
  ['code', [5, 1000]],
  ['sizes', [3, 500]],
])('a comparison that goes on begins anew once a bot was started with other %s', async (_what, before) => {
  const path = await restarted(before, [3, 1000])
  // Over all of the journal, what runs now does not explain the orders of before.
  expect(Object.keys(partsOf(await comparedWith(path, {})))).toContain('changedStrategy')
  const { from, parts, orders } = await comparedWith(path, { hashOf: () => 'every 3' })
  expect(from).toBeGreaterThanOrEqual(START + 90 * MINUTE)
  expect(orders.length).toBeGreaterThan(15)
  expect(orders.filter(({ live, backtest }) => live === undefined || backtest === undefined)).toEqual([])
  expect([parts.changedStrategy, parts.unexplained]).toEqual([0n, 0n])
})

it('the hash of a strategy that was read stays that of the code that runs, whatever becomes of its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-read-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  const root = resolve(import.meta.dirname, '../..')
  const file = join(folder, 'kept.ts')
  const write = (name: string) =>
    writeFileSync(
      file,
      `import { defineStrategy } from '${root}/src/strategy/index.ts'\nexport default defineStrategy({ name: '${name}', onKline: () => undefined })\n`,
    )
  write('before')
  const hash = strategyHash(file, root)
  const { load, hashOf } = new ReadStrategies(root)
  expect((await load(file)).name).toBe('before')
  write('after')
  expect((await load(file)).name).toBe('before')
  expect(hashOf(file)).toBe(hash)
  expect(strategyHash(file, root)).not.toBe(hash)
})
