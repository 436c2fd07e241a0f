import type { CoreChange } from '../core-change.ts'
import type { ExchangeCore } from '../exchange-core.ts'

/** Keeps an exchange where it survives its process. */
export interface ExchangeKeeper {
  /** Restores the stored state into an exchange that has not opened; `false` without one. */
  restore(core: ExchangeCore): boolean
  /** Takes a completed change that touched no account. What comes later depends on it: it is stored with the next change that does. */
  hear(change: CoreChange, core: ExchangeCore): void
  /** Stores a completed change; if it throws, the answer is not sent. */
  note(change: CoreChange, core: ExchangeCore): void
  /** Time has passed. */
  pass(core: ExchangeCore): void
  /** Stores the present state in place of any earlier one. */
  save(core: ExchangeCore): void
}
