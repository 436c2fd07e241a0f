import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { scratchFolder } from './scratch-store.ts'
import { klinesFrom, SERIES } from './steady-batches.ts'

/** At how many random moments the writer is killed; the proof takes 50. */
const POINTS = Number(process.env.SLUICE_KILL_POINTS ?? 4)
const LONGEST_MS = 300

function startWriter(
  folder: string,
): ChildProcess & { readonly stdout: NonNullable<ChildProcess['stdout']> } {
  const script = fileURLToPath(import.meta.resolve('./steady-writer.ts'))
  return spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Kills a writer some time after its first words, and returns the klines that it said were stored. */
async function killedWriter(folder: string): Promise<number> {
  const writer = startWriter(folder)
  const [out, closed] = [text(writer.stdout), once(writer, 'close')]
  await once(writer.stdout, 'data')
  await pause(Math.random() * LONGEST_MS)
  writer.kill('SIGKILL')
  await closed
  // What comes after the last line break was cut off.
  return Number((await out).split('\n').at(-2))
}

describe('a writer that is killed', () => {
  it('leaves all that it reported, and nothing else but what it was about to report', {
    timeout: 300_000,
  }, async () => {
    let leftovers = 0
    for (let point = 0; point < POINTS; point++) {
      const series = new KlineStore(scratchFolder()).klines(SERIES)
      const reported = await killedWriter(join(series.folder, '../../..'))
      const klines = series.read()
      expect(klines.length).toBeGreaterThanOrEqual(reported)
      expect(klines).toEqual(klinesFrom(0, klines.length))
      leftovers += readdirSync(series.folder).filter(name => name.endsWith('.tmp')).length
      // Whoever comes next may write at once, and finds no leftovers.
      ;(await series.openWriter()).close()
      expect(readdirSync(series.folder).filter(name => name.endsWith('.tmp'))).toEqual([])
    }
    if (process.env.SLUICE_KILL_POINTS !== undefined) {
      console.log(`${POINTS} kills, ${leftovers} of them while a file was being written.`)
    }
  })

  it('keeps others out until it is dead', async () => {
    const series = new KlineStore(scratchFolder()).klines(SERIES)
    const writer = startWriter(join(series.folder, '../../..'))
    const closed = once(writer, 'close')
    await once(writer.stdout, 'data')
    await expect(series.openWriter()).rejects.toThrow('Another command writes BTC/USDT 1m of here')
    writer.kill('SIGKILL')
    await closed
    ;(await series.openWriter()).close()
  })
})
