import { Agent, request } from 'undici'
import type { DeliveryResult } from './channel.ts'

/** Longest time for a whole call, ms. */
const PATIENCE_MS = 10_000
/** Longest answer that is read, bytes. */
const MOST_BYTES = 256 * 1024
/** Characters of an answer that are told. */
const MOST_TOLD = 200

/** An answer over HTTP. */
export interface HttpAnswer {
  readonly status: number
  readonly text: string
  /** Of the header Retry-After, ms. */
  readonly retryAfterMs?: number
}

/** Posts to servers of channels: no redirect is followed, nothing is sent twice, and no server can hold a call up for ever. */
export class HttpPost {
  readonly #agent = new Agent({ connect: { timeout: 5000 }, maxResponseSize: MOST_BYTES, connections: 2 })
  readonly #closed = new AbortController()

  /** Rejects with a plain error where no whole answer came in time. */
  async post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    patienceMs = PATIENCE_MS,
  ): Promise<HttpAnswer> {
    const signal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(patienceMs)])
    const answer = await request(url, { method: 'POST', headers, body, dispatcher: this.#agent, signal })
    const text = await answer.body.text()
    const seconds = Number(answer.headers['retry-after'])
    return {
      status: answer.statusCode,
      text,
      ...(Number.isFinite(seconds) && seconds > 0 && { retryAfterMs: seconds * 1000 }),
    }
  }

  /** Ends calls under way as well. */
  async close(): Promise<void> {
    this.#closed.abort()
    await this.#agent.destroy()
  }
}

/** Outcome of a delivery that was answered. */
export function deliveryOf({ status, text, retryAfterMs }: HttpAnswer): DeliveryResult {
  const said = text.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_TOLD)
  const answer = `HTTP ${status}${said === '' ? '' : `: ${said}`}`
  if (status >= 200 && status < 300) return { type: 'delivered', answer }
  const mayPass = status === 429 || status === 408 || status >= 500
  if (!mayPass) return { type: 'refused', answer }
  return { type: 'failed', answer, ...(retryAfterMs !== undefined && { afterMs: retryAfterMs }) }
}

/** Outcome of a delivery without an answer. */
export function failureOf(error: unknown): DeliveryResult {
  const { name, message, code } =
    error instanceof Error
      ? (error as NodeJS.ErrnoException)
      : { name: '', message: String(error), code: undefined }
  const answer = name === 'TimeoutError' ? 'No answer in time.' : `No answer: ${code ?? message}.`
  return { type: 'failed', answer }
}
