import { createCipheriv } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RecordBatchStreamReader, tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { BTC, klinesOf, MINUTE, minutes, scratchStore } from './scratch-store.ts'

const JANUARY = Date.UTC(2024, 0, 1)
const TIMES = [...minutes(JANUARY, 3), JANUARY + 5 * MINUTE]

/** A file with four klines and a gap, from two sources. */
async function storedFile() {
  const { series } = scratchStore()
  using writer = await series.openWriter()
  writer.merge(klinesOf(TIMES.slice(0, 2)), 'file a.csv')
  writer.merge(klinesOf(TIMES), 'file b.csv')
  return readFileSync(join(series.folder, '2024-01.arrow'))
}

describe('a file of the store, read by the Arrow library', () => {
  it('has the columns of this project, as doubles without nulls', async () => {
    const table = tableFromIPC(await storedFile())
    expect(table.schema.fields.map(field => `${field}`)).toEqual(
      ['idx', 'open', 'high', 'low', 'close', 'vol'].map(name => `${name}: Float64`),
    )
    const { openTime, open, high, low, close, volume } = klinesOf(TIMES)
    const columns = table.schema.fields.map(({ name }) => table.getChild(name)?.toArray())
    expect(columns).toEqual([openTime, open, high, low, close, volume])
    expect(table.batches).toHaveLength(1)
  })

  it('is whole as a stream too, behind the signature', async () => {
    const reader = RecordBatchStreamReader.from((await storedFile()).subarray(8))
    const [batch, ...others] = [...reader]
    expect([batch?.numRows, others]).toEqual([4, []])
  })

  it('says what it is and where it is from, as one JSON text', async () => {
    const { metadata } = tableFromIPC(await storedFile()).schema
    const { venue, symbol, interval } = BTC
    expect([...metadata.keys()]).toEqual(['sluice'])
    expect(JSON.parse(metadata.get('sluice') ?? '')).toEqual({
      head: expect.stringMatching(/^gmac:[0-9a-f]{32}$/),
      format: 'sluice-1',
      venue,
      symbol,
      series: interval,
      sources: ['file a.csv', 'file b.csv'],
      rows: 4,
      first: JANUARY,
      last: JANUARY + 5 * MINUTE,
      gaps: 1,
      checksum: expect.stringMatching(/^gmac:[0-9a-f]{32}$/),
    })
  })

  it('has the GMAC of all its columns as its checksum', async () => {
    const table = tableFromIPC(await storedFile())
    const columns = table.schema.fields.map(({ name }) => table.getChild(name)?.toArray() as Float64Array)
    const bytes = Buffer.concat(
      columns.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    )
    const cipher = createCipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12)).setAAD(bytes)
    cipher.final()
    const { checksum } = JSON.parse(table.schema.metadata.get('sluice') ?? '')
    expect(checksum).toBe(`gmac:${cipher.getAuthTag().toString('hex')}`)
  })
})
