import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { AnswerTooLongError } from './answer-too-long-error.ts'
import type { OneATurn } from './one-a-turn.ts'
import type { HttpRequest, HttpResponse } from './transport.ts'
import { TransportError } from './transport-error.ts'

/** What one request and its answer are bound by. */
export interface ExchangeBounds {
  readonly connectTimeoutMs: number
  readonly silenceTimeoutMs: number
  readonly maxBodyBytes: number
}

type Failure = TransportError | AnswerTooLongError

/** One request on its way and its answer, which knows whether the request has left. */
export class HttpExchange {
  /** The answer once it is whole; rejects with a `TransportError` or an `AnswerTooLongError`. */
  readonly answer: Promise<HttpResponse>
  readonly #request: ClientRequest
  readonly #bounds: ExchangeBounds
  readonly #body: string
  readonly #chunks: Buffer[] = []
  readonly #timer: NodeJS.Timeout
  #resolve: (response: HttpResponse) => void = () => undefined
  #reject: (error: Failure) => void = () => undefined
  #stopListening: () => void = () => undefined
  #stopConnecting: () => void = () => undefined
  #isSent = false
  #isOver = false
  #size = 0

  /** Takes a request of `node:http` whose head is given and nothing is written of; answers that need not come first wait for their turn. */
  constructor(
    request: ClientRequest,
    { body, timeoutMs, signal, comesFirst = false }: HttpRequest,
    bounds: ExchangeBounds,
    turns: OneATurn,
  ) {
    this.#request = request
    this.#bounds = bounds
    this.#body = body
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = response => {
        if (!comesFirst) {
          turns.add(() => resolve(response))
          return
        }
        turns.makeWay()
        resolve(response)
      }
      this.#reject = reject
    })
    request.on('socket', socket => this.#take(socket))
    request.on('response', response => this.#read(response))
    request.on('error', error => this.#break(error))
    request.on('timeout', () => this.#giveUp(`Nothing came for ${bounds.silenceTimeoutMs} ms.`))
    this.#timer = setTimeout(() => this.#giveUp(`No whole answer came within ${timeoutMs} ms.`), timeoutMs)
    if (signal !== undefined) this.#failWith(signal)
  }

  /** Ends it, whatever it waits for. */
  giveUp(why: string): void {
    this.#giveUp(why)
  }

  #failWith(signal: AbortSignal): void {
    const giveUp = () => this.#giveUp('The caller took it back.', signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    this.#stopListening = () => signal.removeEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
  }

  /** The connection is there, or about to be; nothing is written before it is. */
  #take(socket: Socket): void {
    // Node keeps this on every TLS socket, though its types do not tell.
    const isTls = 'secureConnecting' in socket
    if (!socket.connecting && !(isTls && socket.secureConnecting)) {
      this.#write()
      return
    }
    const { connectTimeoutMs } = this.#bounds
    const timer = setTimeout(
      () => this.#giveUp(`There was no connection within ${connectTimeoutMs} ms.`),
      connectTimeoutMs,
    )
    this.#stopConnecting = () => clearTimeout(timer)
    socket.once(isTls ? 'secureConnect' : 'connect', () => this.#write())
  }

  /** The only place from which bytes leave; over a connection that is there, they do in the same turn. */
  #write(): void {
    this.#stopConnecting()
    if (this.#isOver) return
    this.#isSent = true
    this.#request.end(this.#body)
  }

  #read(response: IncomingMessage): void {
    response.on('data', chunk => this.#collect(response, chunk))
    response.on('end', () => this.#finish(response))
    response.on('error', error => this.#break(error))
    if (Number(response.headers['content-length']) > this.#bounds.maxBodyBytes) this.#failTooLong(response)
  }

  #collect(response: IncomingMessage, chunk: Buffer): void {
    if (this.#isOver) return
    this.#size += chunk.length
    if (this.#size > this.#bounds.maxBodyBytes) this.#failTooLong(response)
    else this.#chunks.push(chunk)
  }

  #finish(response: IncomingMessage): void {
    if (this.#isOver) return
    this.#close()
    const [first, second] = this.#chunks
    const whole = first !== undefined && second === undefined ? first : Buffer.concat(this.#chunks)
    const { statusCode: status = 0, headers } = response
    const retryAfter = headers['retry-after']
    this.#resolve({
      status,
      body: whole.toString('utf8'),
      ...(retryAfter !== undefined && { retryAfter }),
    })
  }

  #failTooLong({ statusCode = 0 }: IncomingMessage): void {
    this.#chunks.length = 0
    this.#fail(new AnswerTooLongError(statusCode, this.#bounds.maxBodyBytes))
  }

  #break(error: Error): void {
    this.#giveUp(`The connection failed: ${error.message}.`, error)
  }

  #giveUp(message: string, cause?: unknown): void {
    this.#fail(new TransportError(message, this.#isSent, cause))
  }

  #fail(error: Failure): void {
    if (this.#isOver) return
    this.#close()
    this.#reject(error)
    this.#request.destroy()
  }

  #close(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#stopConnecting()
    this.#stopListening()
  }
}
