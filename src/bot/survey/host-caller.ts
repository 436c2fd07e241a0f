import { Agent, request } from 'undici'
import type { Clock } from '../../domain/clock.ts'
import { type HostReply, type RawReply, replyOf } from './host-reply.ts'

/** One request: what a survey may send. */
export interface HostRequest {
  readonly method: 'GET' | 'POST'
  /** Path behind the origin, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Bounds of a survey, ms. */
export interface SurveyBounds {
  /** Longest wait for one answer. */
  readonly timeoutMs: number
  /** Least time between the beginnings of two requests to one host. */
  readonly pauseMs: number
  /** No request is sent later than this after the beginning. */
  readonly totalMs: number
}

/** A host is asked no more after so many requests in a row without an answer. */
const PATIENCE = 3
const MAX_BYTES = 16 * 1024 * 1024

/**
 * Asks one host, politely: a pause between requests, and none after it has refused one for a rate limit, has not
 * answered three in a row, or time is over. Follows no redirection and repeats nothing.
 */
export class HostCaller {
  readonly origin: string
  readonly #clock: Clock
  readonly #bounds: SurveyBounds
  readonly #agent: Agent
  readonly #until: number
  #nextAt = 0
  #silences = 0
  #stopped: string | undefined
  #sent = 0

  constructor(origin: string, clock: Clock, bounds: SurveyBounds) {
    this.origin = origin
    this.#clock = clock
    this.#bounds = bounds
    this.#agent = new Agent({ connections: 4, connect: { timeout: bounds.timeoutMs }, allowH2: false })
    this.#until = clock.now() + bounds.totalMs
  }

  /** Requests sent so far. */
  get sent(): number {
    return this.#sent
  }

  /** Why no further request is sent, in a sentence; `undefined` while requests are sent. */
  get stopped(): string | undefined {
    return this.#stopped
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async ask(asked: HostRequest): Promise<HostReply> {
    await this.#turn()
    if (this.#stopped !== undefined) return { kind: 'unasked', reason: this.#stopped }
    this.#sent += 1
    try {
      const reply = replyOf(await this.#send(asked), pathOf(asked))
      this.#silences = 0
      if (reply.kind === 'limit') this.#stopped = limitSentence(reply.raw)
      return reply
    } catch (error) {
      this.#silences += 1
      const reason = this.#sentenceOf(error)
      if (this.#silences >= PATIENCE) this.#stopped = `Nothing further was asked: ${reason}`
      return { kind: 'silence', reason }
    }
  }

  /** Waits until the pause after the last request is over; gives up when time is. */
  async #turn(): Promise<void> {
    const now = this.#clock.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + this.#bounds.pauseMs
    if (at > now) await new Promise(resolve => setTimeout(resolve, at - now))
    if (this.#clock.now() >= this.#until)
      this.#stopped ??= `Nothing further was asked: the ${this.#bounds.totalMs / 1000} s of an examination were over.`
  }

  async #send({ method, path, headers = {}, body }: HostRequest): Promise<RawReply> {
    const sentAt = this.#clock.now()
    const answer = await request(`${this.origin}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
      dispatcher: this.#agent,
      signal: AbortSignal.timeout(this.#bounds.timeoutMs),
    })
    const text = await answer.body.text()
    if (text.length > MAX_BYTES) throw new RangeError('the answer is too long')
    return { status: answer.statusCode, text, headers: answer.headers, sentAt, receivedAt: this.#clock.now() }
  }

  #sentenceOf(error: unknown): string {
    const { name, message, code } = error as Error & { readonly code?: string }
    if (name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT')
      return `${this.origin} did not answer within ${this.#bounds.timeoutMs / 1000} s.`
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return `There is no address for ${this.origin}; look at the spelling, and at the line to the Internet.`
    if (code === 'ECONNREFUSED') return `${this.origin} refuses connections; nothing listens there.`
    return `The connection to ${this.origin} failed: ${message || code}.`
  }
}

function pathOf({ path }: HostRequest): string {
  return path.split('?', 1)[0] ?? path
}

function limitSentence({ status, headers }: RawReply): string {
  const after = headers['retry-after']
  const until = after === undefined ? '' : ` It asks to wait ${after} s.`
  return `Nothing further was asked: the host says that a rate limit is broken (HTTP ${status}).${until}`
}
