import { realTimeout } from '../../exchange/clock/real-timeout.ts'
import { ignoreHangups, onStopSignal } from './stop-signal.ts'

/** The request to shut down: a signal, the end of a given time, or a failure. Only the first counts. */
export class StopRequest {
  readonly #forgetSignal: () => void
  #cancelTimer = () => {}
  #isRequested = false
  #resolve: () => void = () => {}
  /** Resolves once the shutdown is requested. */
  readonly whenRequested = new Promise<void>(resolve => {
    this.#resolve = resolve
  })
  readonly #onReason: (reason: string) => void

  /** Listens to signals from now on; `onReason` is called once. */
  constructor(onReason: (reason: string) => void) {
    this.#onReason = onReason
    this.#forgetSignal = onStopSignal(name => this.request(name))
  }

  /** True once the shutdown is requested. */
  get isRequested(): boolean {
    return this.#isRequested
  }

  /** Requests the shutdown after a time, ms. */
  after(ms: number): void {
    this.#cancelTimer = realTimeout(ms, () => this.request('the time is over'))
  }

  request(reason: string): void {
    if (this.#isRequested) return
    this.#isRequested = true
    this.forget()
    ignoreHangups()
    this.#onReason(reason)
    this.#resolve()
  }

  /** Stops listening. */
  forget(): void {
    this.#forgetSignal()
    this.#cancelTimer()
  }
}
