import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import { BARE_ACCOUNT } from './latency-world.ts'
import { nowMs } from './watched-sockets.ts'

/** What a bare trader trades. */
export interface BareTraderOptions {
  readonly url: string
  readonly symbols: readonly string[]
  /** Where its rows go. */
  readonly folder: string
  /** Between the calls for klines, ms. */
  readonly betweenCallsMs: number
  /** The exchange's time, ms UTC. */
  readonly now: () => number
  /** Hears how long a row took to be on the disk, ms. */
  readonly onDurable: (symbol: string, ms: number) => void
}

/** The least that must be done: read an answer, put one row on the disk for good, sign a fixed order and send it by undici. */
export class BareTrader {
  readonly #pool: Pool
  readonly #options: BareTraderOptions
  readonly #database: DatabaseSync
  readonly #insert: StatementSync

  constructor(options: BareTraderOptions) {
    this.#options = options
    this.#pool = new Pool(options.url, {
      connections: 64,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: 15_000,
    })
    this.#database = new DatabaseSync(join(options.folder, 'bare.db'))
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (row TEXT)')
    this.#insert = this.#database.prepare('INSERT INTO rows VALUES (?)')
  }

  async round(): Promise<void> {
    const calls: Promise<void>[] = []
    for (const symbol of this.#options.symbols) {
      calls.push(this.#call(symbol))
      await sleep(this.#options.betweenCallsMs)
    }
    await Promise.all(calls)
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
    this.#database.close()
  }

  async #call(symbol: string): Promise<void> {
    const name = encodeURIComponent(symbol)
    const klines: unknown = JSON.parse(
      await this.#fetch('GET', `/sapi/v2/klines?symbol=${name}&interval=1min&limit=3`),
    )
    if (!Array.isArray(klines)) throw new Error(`There are no klines: ${JSON.stringify(klines)}`)
    const order = { symbol, side: 'BUY', type: 'LIMIT', volume: '0.001', price: '1', recvwindow: 5000 }
    const body = JSON.stringify(order)
    const startedAt = nowMs()
    this.#insert.run(body)
    this.#options.onDurable(symbol, nowMs() - startedAt)
    const timestamp = String(this.#options.now())
    const path2 = '/sapi/v2/order/test'
    const headers = {
      'X-CH-APIKEY': BARE_ACCOUNT.apiKey,
      'X-CH-TS': timestamp,
      'X-CH-SIGN': createHmac('sha256', BARE_ACCOUNT.apiSecret)
        .update(`${timestamp}POST${path2}${body}`)
        .digest('hex'),
      'Content-Type': 'application/json',
    }
    await this.#fetch('POST', path2, headers, body)
  }

  #fetch(
    method: Dispatcher.HttpMethod,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      this.#pool.dispatch(
        { method, path, headers, ...(body !== undefined && { body }) },
        {
          onRequestStart: () => undefined,
          onResponseStart: () => undefined,
          onResponseData: (_controller, chunk) => void chunks.push(chunk),
          onResponseEnd: () => resolve(Buffer.concat(chunks).toString()),
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
  }
}
