import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pauseFor } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { UsageError } from '../../domain/sluice-error.ts'
import { ArchiveError } from './archive-error.ts'
import type { ArchiveFile } from './archive-file.ts'

/** Options of a host; all but the URL have defaults. */
export interface ArchiveHostOptions {
  /** URL of the archive: HTTPS or HTTP, with a path if it is a mirror in a folder. */
  readonly url: string
  /** Aborts requests and pauses. */
  readonly signal?: AbortSignal | undefined
  /** Waits before another attempt; rejects once `signal` aborts. */
  pause?(ms: number, signal: AbortSignal): Promise<unknown>
}

/** Attempts per file; the pauses between them are 1, 2, 4 and 8 s. */
const ATTEMPTS = 5
const FIRST_PAUSE_MS = 1000
const SILENCE_MS = 30_000
const MAX_CONNECTIONS = 6

/** A server of the archive's files. */
export class ArchiveHost implements AsyncDisposable {
  readonly #url: string
  readonly #closing = new AbortController()
  readonly #signal: AbortSignal
  readonly #pause: NonNullable<ArchiveHostOptions['pause']>
  readonly #agent = new Agent({
    connections: MAX_CONNECTIONS,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
  })

  /** Throws `UsageError` for an unusable URL. */
  constructor({
    url,
    signal,
    pause = (ms, signal) => pauseFor(ms, undefined, { signal }),
  }: ArchiveHostOptions) {
    this.#url = baseOf(url)
    this.#signal = AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])])
    this.#pause = pause
  }

  /**
   * Saves a file whose SHA-256 is that of the `.CHECKSUM` beside it; resolves to false if the archive does not
   * have the file. Tries again after a failure of network or server, and after a wrong checksum; rejects with
   * `ArchiveError` if the last attempt fails too.
   */
  async save(file: ArchiveFile, target: string): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(file, target)
      } catch (error) {
        this.#signal.throwIfAborted()
        if (error instanceof UsageError || attempt === ATTEMPTS) throw error
        await this.#pause(FIRST_PAUSE_MS * 2 ** (attempt - 1), this.#signal)
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.#agent.destroy()
  }

  async #attempt({ path }: ArchiveFile, target: string): Promise<boolean> {
    const { url, body } = await this.#get(path)
    if (body === undefined) return false
    const hash = createHash('sha256')
    try {
      await pipeline(
        body,
        async function* (pieces: AsyncIterable<Uint8Array>) {
          for await (const piece of pieces) {
            hash.update(piece)
            yield piece
          }
        },
        createWriteStream(target),
      )
    } catch (cause) {
      throw new ArchiveError(`${url} broke off: ${reasonOf(cause)}.`, cause)
    }
    const [published, received] = [await this.#checksum(path), hash.digest('hex')]
    if (received === published) return true
    throw new ArchiveError(
      `${url} has the SHA-256 ${received}, but its .CHECKSUM says ${published}; nothing of it was stored. Try again later.`,
    )
  }

  async #checksum(path: string): Promise<string> {
    const { url, body } = await this.#get(`${path}.CHECKSUM`)
    const text = body === undefined ? '' : await body.text()
    const [, sha256] = /^([0-9a-f]{64})\b/i.exec(text) ?? []
    if (sha256 !== undefined) return sha256.toLowerCase()
    const found = body === undefined ? 'does not exist' : `begins with ${JSON.stringify(text.slice(0, 40))}`
    throw new ArchiveError(
      `The checksum ${url} ${found}; expected 64 hexadecimal digits. Nothing is stored without one.`,
    )
  }

  /** Answer for a path, without a body for 404. */
  async #get(
    path: string,
  ): Promise<{ readonly url: string; readonly body?: Dispatcher.ResponseData['body'] }> {
    const url = `${this.#url}/${path}`
    const { statusCode, body } = await this.#request(url)
    if (statusCode === 200) return { url, body }
    await body.dump()
    if (statusCode === 404) return { url }
    const sentence = `${url} was answered with status ${statusCode}`
    if (statusCode >= 500 || statusCode === 429) throw new ArchiveError(`${sentence}; try again later.`)
    throw new UsageError(`${sentence}; check --archive-url, and that this network may reach it.`)
  }

  async #request(url: string): Promise<Dispatcher.ResponseData> {
    const { origin, pathname } = new URL(url)
    try {
      return await this.#agent.request({
        origin,
        path: pathname,
        method: 'GET',
        signal: this.#signal,
      })
    } catch (cause) {
      throw new ArchiveError(`${url} cannot be reached: ${reasonOf(cause)}.`, cause)
    }
  }
}

function baseOf(text: string): string {
  const url = URL.parse(text)
  if (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  )
    return url.href.replace(/\/+$/, '')
  throw new UsageError(
    `"${text}" is no URL of an archive; write one such as https://data.binance.vision, without query and credentials.`,
  )
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message
}
