import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC, tableToIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import { BTC, klinesOf, MINUTE, minutes, scratchStore } from './scratch-store.ts'

const JANUARY = Date.UTC(2024, 0, 1)
const FEBRUARY = Date.UTC(2024, 1, 1)
const KLINES = klinesOf([...minutes(JANUARY, 5), ...minutes(FEBRUARY, 5)])

async function stored() {
  const { series, store } = scratchStore()
  {
    using writer = await series.openWriter()
    writer.merge(KLINES, 'test')
  }
  return { series, store, path: join(series.folder, '2024-02.arrow') }
}

/** The sentence of a `UsageError`; `undefined` where there is none. */
function refusalOf(read: () => void): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    expect(error.message).toMatch(/^The file .+ of the kline store cannot be used: .+\. Remove it,/)
    return error.message
  }
}

describe('a damaged file', () => {
  it('is named with what to do, both alone and among others, and by what would change it', async () => {
    const { series, path } = await stored()
    const bytes = readFileSync(path)
    bytes.writeDoubleLE(123, bytes.indexOf(Buffer.from(Float64Array.of(FEBRUARY).buffer)) + 8)
    writeFileSync(path, bytes)
    const sentence = `The file ${path} of the kline store cannot be used: its checksum is wrong. Remove it, and download or import what it had again.`
    expect(() => series.read()).toThrow(new UsageError(sentence))
    expect(() => series.read({ from: FEBRUARY })).toThrow(new UsageError(sentence))
    using writer = await series.openWriter()
    expect(() => writer.merge(klinesOf([FEBRUARY]), 'test')).toThrow(new UsageError(sentence))
    // What lies in other files is as good as before.
    expect(series.read({ to: FEBRUARY })).toEqual(klinesOf(minutes(JANUARY, 5)))
  })

  it('never gives other klines or says other things, whichever of its bits flips', async () => {
    const { series, path } = await stored()
    const bytes = readFileSync(path)
    let refused = 0
    // Every fifth, so that each of the eight bits has its turn.
    for (let at = 0; at < bytes.length; at += 5) {
      const original = bytes[at] as number
      bytes[at] = original ^ (1 << (at % 8))
      writeFileSync(path, bytes)
      bytes[at] = original
      const reads = [
        () => expect(series.read()).toEqual(KLINES),
        () => expect(series.read({ from: FEBRUARY })).toEqual(klinesOf(minutes(FEBRUARY, 5))),
        () => expect(series.extent()).toEqual({ first: JANUARY, last: FEBRUARY + 4 * MINUTE }),
      ]
      for (const read of reads) if (refusalOf(read) !== undefined) refused++
    }
    // At the least the values.
    expect(refused).toBeGreaterThan((2 * 5 * 48) / 5)
  })

  it('never gives other klines, wherever it is cut', async () => {
    const { series, path } = await stored()
    const bytes = readFileSync(path)
    for (let length = 0; length < bytes.length; length += 17) {
      writeFileSync(path, bytes.subarray(0, length))
      for (const span of [{}, { from: FEBRUARY }]) expect(() => series.read(span)).toThrow(UsageError)
      expect(() => series.extent()).toThrow(UsageError)
    }
  })

  it('is one with rows missing in its middle, whoever reads it', async () => {
    const { series, path } = await stored()
    const bytes = readFileSync(path)
    const rowsAt = bytes.indexOf(Buffer.from(Float64Array.of(FEBRUARY).buffer))
    writeFileSync(path, Buffer.concat([bytes.subarray(0, rowsAt), bytes.subarray(-10)]))
    expect(() => series.read()).toThrow('some of its rows are missing. Remove it,')
    expect(() => series.read({ from: FEBRUARY })).toThrow(UsageError)
    using writer = await series.openWriter()
    expect(() => writer.merge(klinesOf([FEBRUARY]), 'test')).toThrow(
      'some of its rows are missing. Remove it,',
    )
  })

  it('is one that belongs to another series too', async () => {
    const { series, store } = await stored()
    const other = store.klines({ ...BTC, symbol: 'ETH/USDT' })
    ;(await other.openWriter()).close()
    copyFileSync(join(series.folder, '2024-02.arrow'), join(other.folder, '2024-02.arrow'))
    expect(() => other.read()).toThrow('it says that it has BTC/USDT 1m of here')
  })

  it('is one in the place of another month', async () => {
    const { series } = await stored()
    copyFileSync(join(series.folder, '2024-02.arrow'), join(series.folder, '2024-03.arrow'))
    expect(() => series.read()).toThrow('it has rows of 2024-02-01T00:00:00.000Z')
  })

  it('is one that another program has written', async () => {
    const { series, path } = await stored()
    writeFileSync(path, tableToIPC(tableFromIPC(readFileSync(path)), 'file'))
    expect(() => series.read()).toThrow(UsageError)
  })
})
