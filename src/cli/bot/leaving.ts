import { realTimeout } from '../../exchange/clock/real-timeout.ts'
import { ignoreHangups, onStopSignal } from './stop-signal.ts'

/** Shutdown of a bot, with the first reason only. */
export class Shutdown {
  readonly #forgetSignal: () => void
  #cancelTimer = () => {}
  #isRequested = false
  #tell: () => void = () => {}
  /** Resolves at the shutdown. */
  readonly time = new Promise<void>(resolve => {
    this.#tell = resolve
  })
  readonly #onReason: (reason: string) => void

  /** Listens to signals from now on; `onReason` is called once. */
  constructor(onReason: (reason: string) => void) {
    this.#onReason = onReason
    this.#forgetSignal = onStopSignal(name => this.ask(name))
  }

  /** True once the shutdown was requested. */
  get isRequested(): boolean {
    return this.#isRequested
  }

  /** Requests it after a time, ms. */
  after(ms: number): void {
    this.#cancelTimer = realTimeout(ms, () => this.ask('the time is over'))
  }

  ask(reason: string): void {
    if (this.#isRequested) return
    this.#isRequested = true
    this.forget()
    ignoreHangups()
    this.#onReason(reason)
    this.#tell()
  }

  /** Stops listening. */
  forget(): void {
    this.#forgetSignal()
    this.#cancelTimer()
  }
}
