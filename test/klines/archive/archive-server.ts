import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { onTestFinished } from 'vitest'
import { zipOf } from '../formats/zip-of.ts'

/** Answers a request itself, in place of the file. */
export type Fault = (response: ServerResponse, bytes: Buffer) => void

/** A server of files as the archive of Binance has them; gone after the test. */
export interface ArchiveServer {
  readonly url: string
  /** Paths asked for, in order. */
  readonly asked: string[]
  /** Puts a text into the archive, zipped, with its checksum beside it. */
  put(path: string, text: string): void
  /** The next answers for a path. */
  fail(path: string, ...faults: readonly Fault[]): void
}

export async function archiveServer(): Promise<ArchiveServer> {
  const files = new Map<string, Buffer>()
  const faults = new Map<string, Fault[]>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1)
    asked.push(path)
    const bytes = files.get(path)
    const fault = faults.get(path)?.shift()
    if (fault !== undefined) fault(response, bytes ?? Buffer.alloc(0))
    else if (bytes === undefined) response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    else response.end(bytes)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    put(path, text) {
      const name = basename(path)
      const zip = zipOf({ [name.replace('.zip', '.csv')]: text })
      files.set(path, zip)
      files.set(
        `${path}.CHECKSUM`,
        Buffer.from(`${createHash('sha256').update(zip).digest('hex')}  ${name}\n`),
      )
    },
    fail(path, ...next) {
      faults.set(path, [...(faults.get(path) ?? []), ...next])
    },
  }
}

/** Rows of klines as on spot: twelve columns without a header, from a time in ms on; `unit` is µs per ms of their times. */
export function klineRows(openTimes: readonly number[], stepMs: number, perMs = 1): string {
  return openTimes
    .map((time, row) => {
      const times = [time * perMs, (time + stepMs) * perMs - 1]
      return [times[0], 100 + row, 110 + row, 90 + row, 105 + row, 1.5, times[1], 150, 7, 1, 100, 0].join(',')
    })
    .map(line => `${line}\n`)
    .join('')
}
