import type { CoreChange } from '../core-change.ts'
import type { ExchangeCore } from '../exchange-core.ts'

/** Keeps an exchange where it survives its process. */
export interface ExchangeKeeper {
  /** Brings an exchange that has not opened to where the one that was kept is; `false` where none was. */
  restore(core: ExchangeCore): boolean
  /** Takes note of a change that has been carried out; what it throws keeps the answer back. */
  note(change: CoreChange, core: ExchangeCore): void
  /** Time has passed. */
  pass(core: ExchangeCore): void
  /** Keeps an exchange as it is now, whatever it was before. */
  save(core: ExchangeCore): void
}
