import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { archiveMonths } from '../../../src/klines/archive/archive-file.ts'
import { ArchiveHost } from '../../../src/klines/archive/archive-host.ts'
import { scratchFolder } from '../store/scratch-store.ts'
import { type ArchiveServer, archiveServer, type Fault } from './archive-server.ts'

const MONTH = archiveMonths(
  { market: 'spot', type: 'klines', symbol: 'BTCUSDT', interval: '1m' },
  { from: Date.UTC(2024, 0, 1), to: Date.UTC(2024, 1, 1) },
)[0]
if (MONTH === undefined) throw new Error('There is one month.')
const { month: FILE } = MONTH

const BUSY: Fault = response => response.writeHead(503).end('busy')
/** Half of a file, and then the connection is gone. */
const BROKEN: Fault = (response, bytes) => {
  response.writeHead(200, { 'content-length': bytes.length })
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
}
/** Half of a file that pretends to be all of it. */
const SHORT: Fault = (response, bytes) => response.end(bytes.subarray(0, bytes.length / 2))

async function save(server: ArchiveServer, signal?: AbortSignal) {
  const pauses: number[] = []
  const path = join(scratchFolder(), 'a.zip')
  await using host = new ArchiveHost({
    url: server.url,
    signal,
    pause: async ms => {
      pauses.push(ms)
    },
  })
  return { saved: await host.save(FILE, path), pauses, bytes: () => readFileSync(path).toString('latin1') }
}

describe('ArchiveHost', () => {
  it('asks by the names of the archive', () => {
    const names = (type: 'trades' | 'fundingRate' | 'klines', interval?: '1M') =>
      archiveMonths(
        { market: 'futures/um', type, symbol: 'BTCUSDT', ...(interval && { interval }) },
        { from: Date.UTC(2023, 11, 31), to: Date.UTC(2024, 0, 2) },
      ).flatMap(({ month, days }) => [month.path, ...days.map(({ path }) => path)])
    const root = 'data/futures/um'
    expect(names('trades')).toEqual([
      `${root}/monthly/trades/BTCUSDT/BTCUSDT-trades-2023-12.zip`,
      `${root}/daily/trades/BTCUSDT/BTCUSDT-trades-2023-12-31.zip`,
      `${root}/monthly/trades/BTCUSDT/BTCUSDT-trades-2024-01.zip`,
      `${root}/daily/trades/BTCUSDT/BTCUSDT-trades-2024-01-01.zip`,
    ])
    expect(names('fundingRate')[0]).toBe(
      `${root}/monthly/fundingRate/BTCUSDT/BTCUSDT-fundingRate-2023-12.zip`,
    )
    expect(names('klines', '1M')[0]).toBe(`${root}/monthly/klines/BTCUSDT/1mo/BTCUSDT-1mo-2023-12.zip`)
  })

  it('saves a file whose checksum is right', async () => {
    const server = await archiveServer()
    server.put(FILE.path, '1,2\n')
    const { saved, pauses, bytes } = await save(server)
    expect([saved, pauses, bytes().slice(0, 2)]).toEqual([true, [], 'PK'])
    expect(server.asked).toEqual([
      'data/spot/monthly/klines/BTCUSDT/1m/BTCUSDT-1m-2024-01.zip',
      'data/spot/monthly/klines/BTCUSDT/1m/BTCUSDT-1m-2024-01.zip.CHECKSUM',
    ])
  })

  it('says that the archive does not have a file, at once', async () => {
    expect(await save(await archiveServer())).toMatchObject({ saved: false, pauses: [] })
  })

  it('tries again what is busy, breaks off, or is cut short', async () => {
    const server = await archiveServer()
    server.put(FILE.path, '1,2\n'.repeat(50_000))
    server.fail(FILE.path, BUSY, BROKEN, SHORT)
    const { saved, pauses } = await save(server)
    expect([saved, pauses]).toEqual([true, [1000, 2000, 4000]])
  })

  it.each([
    [[BUSY, BUSY, BUSY, BUSY, BUSY], /answered with status 503; try again later/],
    [
      [SHORT, SHORT, SHORT, SHORT, SHORT],
      /has the SHA-256 [0-9a-f]{64}, but its \.CHECKSUM says [0-9a-f]{64}/,
    ],
    [[BROKEN, BROKEN, BROKEN, BROKEN, BROKEN], /BTCUSDT-1m-2024-01\.zip broke off/],
  ])('gives up after five attempts', async (faults, sentence) => {
    const server = await archiveServer()
    server.put(FILE.path, '1,2\n'.repeat(50_000))
    server.fail(FILE.path, ...faults)
    await expect(save(server)).rejects.toThrow(sentence)
    expect(server.asked.filter(path => path === FILE.path)).toHaveLength(5)
  })

  it('stores nothing without a checksum, and does not repeat what is refused', async () => {
    const server = await archiveServer()
    server.put(FILE.path, '1,2\n')
    const gone: Fault = response => response.writeHead(404).end()
    server.fail(`${FILE.path}.CHECKSUM`, gone, gone, gone, gone, gone)
    await expect(save(server)).rejects.toThrow(/\.CHECKSUM does not exist; expected 64 hexadecimal digits/)
    server.fail(FILE.path, response => response.writeHead(451).end())
    await expect(save(server)).rejects.toThrow(/answered with status 451; check --archive-url/)
  })

  it('refuses an URL that is none', () => {
    expect(() => new ArchiveHost({ url: 'ftp://a' })).toThrow('"ftp://a" is no URL of an archive')
  })

  it('ends when it is aborted', async () => {
    const server = await archiveServer()
    const stop = new AbortController()
    server.fail(FILE.path, () => stop.abort(new Error('Stop.')))
    await expect(save(server, stop.signal)).rejects.toThrow('Stop.')
  })
})
