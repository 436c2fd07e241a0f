import type { Dispatcher } from 'undici'
import { AnswerTooLongError } from './answer-too-long-error.ts'
import type { HttpRequest, HttpResponse } from './transport.ts'
import { TransportError } from './transport-error.ts'

/** Limits of one request and its answer. */
export interface ExchangeBounds {
  readonly connectTimeoutMs: number
  readonly silenceTimeoutMs: number
  /** Bytes. */
  readonly maxBodyBytes: number
}

/**
 * One request and its answer, as undici reports them; records when bytes of the request may have been sent.
 */
export class HttpExchange implements Dispatcher.DispatchHandler {
  /** The complete answer; rejects with a `TransportError`, an `AnswerTooLongError`, or the error of `beforeSend`. */
  readonly answer: Promise<HttpResponse>
  readonly #request: HttpRequest
  readonly #bounds: ExchangeBounds
  readonly #chunks: Buffer[] = []
  readonly #timer: NodeJS.Timeout
  #resolve: (response: HttpResponse) => void = () => undefined
  #reject: (error: unknown) => void = () => undefined
  #stopListening: () => void = () => undefined
  #controller: Dispatcher.DispatchController | undefined
  #isSent = false
  #isOver = false
  #status = 0
  #retryAfter: string | undefined
  #size = 0

  constructor(request: HttpRequest, bounds: ExchangeBounds) {
    this.#request = request
    this.#bounds = bounds
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const { timeoutMs, signal } = request
    this.#timer = setTimeout(
      () => this.giveUp(`No complete answer arrived within ${timeoutMs} ms.`),
      timeoutMs,
    )
    if (signal !== undefined) this.#failWith(signal)
  }

  /** Ends the request at any stage; a request that waits for its connection is never written. */
  giveUp(message: string, cause?: unknown): void {
    this.#fail(new TransportError(message, this.#isSent, cause))
  }

  /** undici calls this synchronously before it writes the first byte; if it throws, nothing is sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isSent) this.giveUp('The connection failed, and the request is never sent twice.')
    if (this.#isOver)
      throw new TransportError('The request was given up before it was written.', this.#isSent)
    this.#controller = controller
    try {
      this.#request.beforeSend?.()
    } catch (error) {
      this.#fail(error)
      throw error
    }
    this.#isSent = true
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#status = status
    this.#retryAfter = [headers['retry-after'] ?? []].flat()[0]
    if (Number(headers['content-length']) > this.#bounds.maxBodyBytes) this.#failTooLong()
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#bounds.maxBodyBytes) this.#failTooLong()
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#close()
    const [first, second] = this.#chunks
    const body = first !== undefined && second === undefined ? first : Buffer.concat(this.#chunks)
    this.#resolve({
      status: this.#status,
      body: body.toString('utf8'),
      ...(this.#retryAfter !== undefined && { retryAfter: this.#retryAfter }),
    })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.giveUp(this.#sentenceOf(error), error)
  }

  #sentenceOf(error: Error & { readonly code?: unknown }): string {
    const { connectTimeoutMs, silenceTimeoutMs } = this.#bounds
    switch (error.code) {
      case 'UND_ERR_CONNECT_TIMEOUT':
        return `There was no connection within ${connectTimeoutMs} ms.`
      case 'UND_ERR_HEADERS_TIMEOUT':
      case 'UND_ERR_BODY_TIMEOUT':
        return `No data arrived for ${silenceTimeoutMs} ms.`
      default:
        // If a host has several addresses, the error has a code but no message.
        return `The connection failed: ${error.message || error.code}.`
    }
  }

  #failWith(signal: AbortSignal): void {
    const giveUp = () => this.giveUp('The caller took it back.', signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    this.#stopListening = () => signal.removeEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
  }

  #failTooLong(): void {
    this.#chunks.length = 0
    this.#fail(new AnswerTooLongError(this.#status, this.#bounds.maxBodyBytes))
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#close()
    this.#reject(error)
    // Closes the connection if bytes were sent; its answer is no longer read.
    if (this.#isSent) this.#controller?.abort(new Error('The request was given up.'))
  }

  #close(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#stopListening()
  }
}
