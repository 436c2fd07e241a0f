import type { Clock } from '../../../src/domain/clock.ts'
import type { HttpRequest, Transport } from '../../../src/exchange/http/transport.ts'
import { TransportError } from '../../../src/exchange/http/transport-error.ts'

/** How one request travels; by default it takes `USUAL_MS` each way. */
export interface Passage {
  /** When it arrives, ms; `Infinity`: never. */
  readonly thereMs?: number
  /** How long its answer travels, ms; `Infinity`: it is lost. */
  readonly backMs?: number
}

/** Before and after a write leaves, and once what follows from the answer to a write or a read is done. */
export type TransportMoment = 'leaving' | 'left' | 'answered' | 'read'

/** What carries the requests of one life. */
export interface MortalTransportOptions {
  /** Hands a request to the exchange. */
  readonly exchange: Transport
  /** The clock of the world, which goes on when a life ends. */
  readonly clock: Clock
  readonly isAlive: () => boolean
  /** Whoever hears of these moments may end the life. */
  readonly onMoment: (moment: TransportMoment) => void
  readonly passageOf: (request: HttpRequest) => Passage | undefined
}

/** How long a request travels, and an answer, ms. */
export const USUAL_MS = 15

/** What has left arrives, whether or not its sender still lives; what a dead sender would send does not leave. */
export function mortalTransport(options: MortalTransportOptions): Transport {
  const { exchange, clock, isAlive, onMoment, passageOf } = options
  return request =>
    new Promise((resolve, reject) => {
      const isWrite = request.method === 'POST'
      if (isAlive() && isWrite) onMoment('leaving')
      if (!isAlive()) return
      const { thereMs = USUAL_MS, backMs = USUAL_MS } = passageOf(request) ?? {}
      const stopWaiting = clock.schedule(request.timeoutMs, () => {
        if (isAlive()) reject(new TransportError('No answer came in time.', true))
      })
      const comeBack = (settle: () => void) =>
        after(clock, backMs, () => {
          stopWaiting()
          if (!isAlive()) return
          settle()
          // Once everything that follows at once from the answer has been done.
          clock.schedule(0, () => {
            if (isAlive()) onMoment(isWrite ? 'answered' : 'read')
          })
        })
      after(clock, thereMs, () => {
        exchange(request).then(
          response => comeBack(() => resolve(response)),
          (error: unknown) => comeBack(() => reject(error)),
        )
      })
      if (isWrite) onMoment('left')
    })
}

function after(clock: Clock, delayMs: number, act: () => void): void {
  if (delayMs < Number.POSITIVE_INFINITY) clock.schedule(delayMs, act)
}
