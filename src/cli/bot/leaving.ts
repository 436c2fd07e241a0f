import { realTimeout } from '../../exchange/clock/real-timeout.ts'
import { ignoreHangups, onStopSignal } from './stop-signal.ts'

/** When it is time to leave, and why: from the first on, a reason counts once. */
export class Leaving {
  readonly #forgetSignal: () => void
  #cancelTimer = () => {}
  #isAsked = false
  #tell: () => void = () => {}
  /** Resolves when it is time. */
  readonly time = new Promise<void>(resolve => {
    this.#tell = resolve
  })
  readonly #onReason: (reason: string) => void

  /** Hears signals from now on, whatever is going on; `onReason` is called once. */
  constructor(onReason: (reason: string) => void) {
    this.#onReason = onReason
    this.#forgetSignal = onStopSignal(name => this.ask(name))
  }

  /** Whether it is time to leave. */
  get isAsked(): boolean {
    return this.#isAsked
  }

  /** Asks after a time, ms. */
  after(ms: number): void {
    this.#cancelTimer = realTimeout(ms, () => this.ask('the time is over'))
  }

  ask(reason: string): void {
    if (this.#isAsked) return
    this.#isAsked = true
    this.forget()
    ignoreHangups()
    this.#onReason(reason)
    this.#tell()
  }

  /** Hears nothing more. */
  forget(): void {
    this.#forgetSignal()
    this.#cancelTimer()
  }
}
