import type { Clock } from '../src/domain/clock.ts'
import type { HttpRequest, HttpResponse, Transport } from '../src/exchange/http/transport.ts'
import { TransportError } from '../src/exchange/http/transport-error.ts'
import { type SentRequest, sentLater } from './sent-later.ts'

/** How one request travels; by default it arrives at once, and so does its answer. */
export interface Journey {
  /** The connection is refused: not one byte leaves. */
  readonly refused?: boolean
  /** When the request arrives, ms; `Infinity`: never. */
  readonly thereMs?: number
  /** How long its answer travels, ms; `Infinity`: it is lost. */
  readonly backMs?: number
  /** What comes back instead of the answer. */
  readonly answer?: HttpResponse
}

/** The request is lost on its way. */
export const REQUEST_LOST: Journey = { thereMs: Number.POSITIVE_INFINITY }
/** The request is carried out, and its answer is lost. */
export const ANSWER_LOST: Journey = { backMs: Number.POSITIVE_INFINITY }

/** Carries each request over `inner` as its journey says; after its `timeoutMs` the sender gives up, the request does not. */
export function faultyTransport(
  inner: Transport,
  clock: Clock,
  journeyOf: (request: HttpRequest) => Journey | undefined,
): Transport {
  return request => {
    const { refused = false, ...journey } = journeyOf(request) ?? {}
    if (refused) return Promise.reject(new TransportError('The connection was refused.', false))
    return sentLater(sent => travel(sent, journey))(request)
  }

  function travel(request: SentRequest, { thereMs = 0, backMs = 0, answer }: Journey): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const stopWaiting = clock.schedule(request.timeoutMs, () =>
        reject(new TransportError('No answer came in time.', true)),
      )
      const fail = (error: unknown) => {
        stopWaiting()
        reject(error)
      }
      after(clock, thereMs, () => {
        inner(request).then(response => {
          after(clock, backMs, () => {
            stopWaiting()
            resolve(answer ?? response)
          })
        }, fail)
      })
    })
  }
}

function after(clock: Clock, delayMs: number, callback: () => void): void {
  if (delayMs === 0) callback()
  else if (delayMs < Number.POSITIVE_INFINITY) clock.schedule(delayMs, callback)
}
