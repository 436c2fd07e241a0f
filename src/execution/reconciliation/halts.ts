import type { ReconcilerOptions } from './reconciler-options.ts'

/** Difference of books and account of an instrument, as a sentence; empty where they agree. */
type StateOf = (symbol: string) => string

type HaltsOptions = Pick<ReconcilerOptions, 'emit' | 'onReport' | 'serverNow' | 'namesakeReason'>

/** Instruments that a comparison has halted, each with the state of books and account that its reason describes; another process of this bot's name explains them all. */
export class Halts {
  readonly #options: HaltsOptions
  /** By symbol; `undefined` between the halt and the end of the look that found it. */
  readonly #states = new Map<string, string | undefined>()

  constructor(options: HaltsOptions) {
    this.#options = options
  }

  has(symbol: string): boolean {
    return this.#states.has(symbol)
  }

  /** Halts an instrument, once. */
  halt(symbol: string, reason: string): void {
    if (this.has(symbol)) return
    this.#states.set(symbol, undefined)
    const { emit, serverNow, namesakeReason } = this.#options
    emit({
      type: 'instrumentHalted',
      ...{ symbol, reason: namesakeReason?.() ?? reason, time: serverNow() },
    })
  }

  /** States that are not those that the reasons describe, as text. */
  changes(stateOf: StateOf): readonly string[] {
    return [...this.#states].flatMap(([symbol, described]) => {
      const state = this.#stateOf(symbol, stateOf)
      return described === undefined || described === state ? [] : [`${symbol}: ${state}`]
    })
  }

  /** Takes the present states as believed: gives the halts whose state has changed a new reason. */
  settle(stateOf: StateOf): void {
    for (const [symbol, described] of this.#states) {
      const state = this.#stateOf(symbol, stateOf)
      this.#states.set(symbol, state)
      if (described === undefined || described === state) continue
      const reason = state === '' ? AGREE_AGAIN : state
      this.#options.onReport({ type: 'haltChanged', symbol, reason })
    }
  }

  #stateOf(symbol: string, stateOf: StateOf): string {
    const state = stateOf(symbol)
    return state === '' ? state : (this.#options.namesakeReason?.() ?? state)
  }
}

/** Reason of a halt whose cause is over. */
export const AGREE_AGAIN =
  'It was halted because books and account differed. They do not differ any more; restart the bot to go on.'
