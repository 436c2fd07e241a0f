import type { Clock } from '../../domain/clock.ts'
import type { ExchangeResponse } from '../protocol/exchange-response.ts'
import type { ExchangeRequest } from '../protocol/request-authentication.ts'

/** A server of requests: the simulated exchange. */
interface Answering {
  handle(request: ExchangeRequest, now: number, hasArrived?: boolean): ExchangeResponse
}

/** Carries requests to an exchange and answers back, each with the delays of its delivery, by a clock. */
export class Carrier {
  readonly #exchange: Answering
  readonly #clock: Clock
  readonly #underWay = new Set<() => void>()

  constructor(exchange: Answering, clock: Clock) {
    this.#exchange = exchange
    this.#clock = clock
  }

  /**
   * Submits a request; `answer` receives the response once, at its time. The rest of the delivery is up to
   * it.
   */
  carry(request: ExchangeRequest, answer: (response: ExchangeResponse) => void): void {
    this.#settle(this.#exchange.handle(request, this.#clock.now()), request, answer)
  }

  /** Drops pending deliveries. */
  stop(): void {
    for (const cancel of this.#underWay) cancel()
    this.#underWay.clear()
  }

  #settle(
    response: ExchangeResponse,
    request: ExchangeRequest,
    answer: (response: ExchangeResponse) => void,
  ): void {
    const { arriveAfterMs, delayMs } = response.delivery ?? {}
    if (arriveAfterMs !== undefined) {
      this.#later(arriveAfterMs, () =>
        this.#settle(this.#exchange.handle(request, this.#clock.now(), true), request, answer),
      )
    } else if (delayMs !== undefined) this.#later(delayMs, () => answer(response))
    else answer(response)
  }

  #later(delayMs: number, act: () => void): void {
    const cancel = this.#clock.schedule(delayMs, () => {
      this.#underWay.delete(cancel)
      act()
    })
    this.#underWay.add(cancel)
  }
}
