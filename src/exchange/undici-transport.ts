import { Agent, type Dispatcher } from 'undici'
import { AnswerTooLongError } from './answer-too-long-error.ts'
import { originOf } from './base-url.ts'
import type { HttpRequest, HttpResponse, Transport } from './transport.ts'
import { TransportError } from './transport-error.ts'

/** Bounds of the HTTP connections; every one has a default. */
export interface UndiciTransportOptions {
  /** Connections kept per host, default 64; fewer than the calls that may be under way make calls queue here, regardless of urgency. */
  readonly connections?: number
  /** Default 5000. */
  readonly connectTimeoutMs?: number
  /** Longest wait for the head of an answer, default 30,000; a call's own timeout holds besides. */
  readonly headersTimeoutMs?: number
  /** Longest pause within an answer, default 30,000. */
  readonly bodyTimeoutMs?: number
  /** Longest answer taken, bytes; default 16 MB. */
  readonly maxBodyBytes?: number
  /** Sends in place of connections of our own (the bounds above but the last are then its own affair); it must never send a request twice, and is not closed here. */
  readonly dispatcher?: Dispatcher
}

/** A transport that holds connections until it is closed. */
export interface HttpTransport {
  readonly send: Transport
  /** Ends all connections; requests under way fail. */
  close(): Promise<void>
}

const DEFAULT_CONNECTIONS = 64
const DEFAULT_CONNECT_TIMEOUT_MS = 5000
const DEFAULT_READ_TIMEOUT_MS = 30_000
const DEFAULT_MAX_BODY_BYTES = 16 * 1024 * 1024

/** HTTP over kept-alive connections, one pool per origin; HTTPS, or plain HTTP to a loopback address. */
export function undiciTransport(options: UndiciTransportOptions = {}): HttpTransport {
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES, dispatcher = ownAgent(options) } = options
  const allowedOrigins = new Set<string>()
  return {
    send: async request => {
      const { origin } = new URL(request.url)
      if (!allowedOrigins.has(origin)) allowedOrigins.add(originOf(origin))
      return exchangeOnce(dispatcher, origin, request, maxBodyBytes)
    },
    close: async () => {
      if (options.dispatcher === undefined) await dispatcher.destroy()
    },
  }
}

function ownAgent(options: UndiciTransportOptions): Agent {
  return new Agent({
    connections: options.connections ?? DEFAULT_CONNECTIONS,
    // HTTP/2 may replay a request after a GOAWAY; over HTTP/1.1 without pipelining nothing is ever sent twice.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS },
    headersTimeout: options.headersTimeoutMs ?? DEFAULT_READ_TIMEOUT_MS,
    bodyTimeout: options.bodyTimeoutMs ?? DEFAULT_READ_TIMEOUT_MS,
  })
}

function exchangeOnce(
  dispatcher: Dispatcher,
  origin: string,
  request: HttpRequest,
  maxBodyBytes: number,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { method, url, headers, body, timeoutMs, signal } = request
    const answer = new AnswerCollector(maxBodyBytes, resolve, reject)
    answer.failAfter(timeoutMs)
    if (signal !== undefined) answer.failWith(signal)
    dispatcher.dispatch(
      { origin, path: pathOf(url), method, headers: { ...headers }, body: body === '' ? null : body },
      answer,
    )
  })
}

/** Path and query exactly as written, because they are signed so. */
function pathOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2))
}

/** Collects one answer and knows whether its request has left. */
class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #maxBodyBytes: number
  readonly #resolve: (response: HttpResponse) => void
  readonly #reject: (error: TransportError | AnswerTooLongError) => void
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopListening: () => void = () => undefined
  #failed = false
  #status = 0
  #retryAfter: string | undefined
  #size = 0

  constructor(
    maxBodyBytes: number,
    resolve: (response: HttpResponse) => void,
    reject: (error: TransportError | AnswerTooLongError) => void,
  ) {
    this.#maxBodyBytes = maxBodyBytes
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Gives up `timeoutMs` from now: a request that still waits for a connection is then never written. */
  failAfter(timeoutMs: number): void {
    const giveUp = () => this.#fail(this.#failure(`No whole answer came within ${timeoutMs} ms.`))
    this.#timer = setTimeout(giveUp, timeoutMs)
  }

  /** Gives up when the signal aborts. */
  failWith(signal: AbortSignal): void {
    const giveUp = () => this.#fail(this.#failure('The caller took it back.', signal.reason))
    signal.addEventListener('abort', giveUp, { once: true })
    this.#stopListening = () => signal.removeEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
  }

  /** Called by undici right before it writes the request; an abort here keeps every byte back. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#failed || this.#controller !== undefined) {
      controller.abort(new Error('This request must not be written any more.'))
      return
    }
    this.#controller = controller
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#status = status
    const retryAfter = headers['retry-after']
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter
    if (Number(headers['content-length']) > this.#maxBodyBytes) this.#failTooLong()
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#maxBodyBytes) this.#failTooLong()
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    this.#stopListening()
    const body = Buffer.concat(this.#chunks).toString('utf8')
    const retryAfter = this.#retryAfter
    this.#resolve({ status: this.#status, body, ...(retryAfter !== undefined && { retryAfter }) })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#failure(`The connection failed: ${error.message}.`, error))
  }

  #failTooLong(): void {
    this.#chunks.length = 0
    this.#fail(new AnswerTooLongError(this.#status, this.#maxBodyBytes))
  }

  #failure(message: string, cause?: unknown): TransportError {
    return new TransportError(message, this.#controller !== undefined, cause)
  }

  #fail(error: TransportError | AnswerTooLongError): void {
    if (this.#failed) return
    this.#failed = true
    clearTimeout(this.#timer)
    this.#stopListening()
    this.#reject(error)
    this.#controller?.abort(error)
  }
}
