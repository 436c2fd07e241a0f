import type { ServerResponse } from 'node:http'

/** Shortest time between two messages to a browser, ms. */
const EVERY_MS = 500
/** A sign of life, so that neither side takes the connection for dead, ms. */
const BEAT_MS = 5000
/** Longest time for which a browser may leave messages unread, ms. */
const PATIENCE_MS = 10_000

/** Bounds of the streams; for tests. */
export interface StreamLimits {
  readonly mostStreams?: number
  readonly everyMs?: number
  readonly patienceMs?: number
}

/** Streams so far. */
export interface StreamCounts {
  readonly open: number
  /** Browsers that were cut off, because they did not read what they were sent. */
  readonly dropped: number
  /** Streams that were refused, because there were too many. */
  readonly refused: number
}

interface Stream {
  readonly response: ServerResponse
  readonly isAllowed: () => boolean
  told: number
  toldAt: number
  /** Since when it leaves unread what it was sent, ms; `undefined` if it reads. */
  fullSince: number | undefined
}

/**
 * Tells browsers that something has changed, which they then read: at most one message waits for a browser, so that a
 * slow one costs nothing and delays nobody.
 */
export class EventStreams {
  readonly #version: () => number
  readonly #now: () => number
  readonly #limits: Required<StreamLimits>
  readonly #streams = new Set<Stream>()
  #timer: NodeJS.Timeout | undefined
  #dropped = 0
  #refused = 0

  /** `version` grows with everything that happens; `now` is in ms and never goes back. */
  constructor(version: () => number, now: () => number, limits: StreamLimits = {}) {
    this.#version = version
    this.#now = now
    this.#limits = { mostStreams: 20, everyMs: EVERY_MS, patienceMs: PATIENCE_MS, ...limits }
  }

  get counts(): StreamCounts {
    return { open: this.#streams.size, dropped: this.#dropped, refused: this.#refused }
  }

  /** True if another stream may begin; otherwise it counts as refused. */
  admit(): boolean {
    if (this.#streams.size < this.#limits.mostStreams) return true
    this.#refused++
    return false
  }

  /** Begins a stream on an answer with these headers; it ends once `isAllowed` is false. */
  open(response: ServerResponse, headers: Readonly<Record<string, string>>, isAllowed: () => boolean): void {
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' })
    const stream: Stream = { response, isAllowed, told: -1, toldAt: 0, fullSince: undefined }
    this.#streams.add(stream)
    response.on('close', () => this.#forget(stream))
    this.#tell(stream)
    this.#timer ??= setInterval(() => this.#tellAll(), this.#limits.everyMs).unref()
  }

  /** Ends every stream. */
  close(): void {
    for (const { response } of this.#streams) response.end()
    clearInterval(this.#timer)
  }

  #tellAll(): void {
    for (const stream of this.#streams) {
      if (!stream.isAllowed()) this.#end(stream)
      else if (stream.response.writableNeedDrain) this.#wait(stream)
      else this.#tell(stream)
    }
  }

  #tell(stream: Stream): void {
    stream.fullSince = undefined
    const [version, now] = [this.#version(), this.#now()]
    if (version === stream.told && now - stream.toldAt < BEAT_MS) return
    stream.told = version
    stream.toldAt = now
    stream.response.write(`event: changed\ndata: ${JSON.stringify({ version })}\n\n`)
  }

  #wait(stream: Stream): void {
    const now = this.#now()
    stream.fullSince ??= now
    if (now - stream.fullSince < this.#limits.patienceMs) return
    this.#dropped++
    this.#forget(stream)
    stream.response.destroy()
  }

  /** One that does not read would never take its end. */
  #end(stream: Stream): void {
    this.#forget(stream)
    if (stream.response.writableNeedDrain) stream.response.destroy()
    else stream.response.end()
  }

  #forget(stream: Stream): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
