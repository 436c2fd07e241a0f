import type { EngineEvent } from '../../../src/domain/engine-event.ts'

/** How strictly trading is held back by commands. */
export type Commanded = 'active' | 'paused' | 'reducing' | 'halted'

/** The account, where it is not an instrument. */
const ACCOUNT = ''
const STRICTNESS: readonly Commanded[] = ['active', 'paused', 'reducing', 'halted']

/** What events alone say of how trading is held back: by commands for the account or an instrument, and by differences that nobody can explain. */
export class HeldBack {
  readonly #commanded = new Map<string, { readonly mode: Commanded; readonly until: number }>()
  readonly #halted = new Set<string>()

  /** Takes the next event. */
  take(event: EngineEvent): void {
    if (event.type === 'instrumentHalted') this.#halted.add(event.symbol)
    if (event.type !== 'tradingCommanded' || event.command === 'flatten') return
    const scope = event.symbol ?? ACCOUNT
    const before = this.#commanded.get(scope)?.mode ?? 'active'
    const wanted = (
      { pause: 'paused', reduce: 'reducing', halt: 'halted', kill: 'halted', resume: 'active' } as const
    )[event.command]
    const until = event.until ?? Number.POSITIVE_INFINITY
    if (wanted === 'active') this.#commanded.delete(scope)
    else if (STRICTNESS.indexOf(wanted) >= STRICTNESS.indexOf(before))
      this.#commanded.set(scope, {
        mode: wanted,
        until: wanted === 'paused' ? until : Number.POSITIVE_INFINITY,
      })
  }

  /** A bot starts anew: what nobody could explain is looked at again. */
  beginSession(): void {
    this.#halted.clear()
  }

  /** How strictly an instrument is held back at a time, ms UTC. */
  modeOf(symbol: string, time: number): Commanded {
    let mode: Commanded = this.#halted.has(symbol) ? 'reducing' : 'active'
    for (const scope of [ACCOUNT, symbol]) {
      const held = this.#commanded.get(scope)
      if (held === undefined || time >= held.until) continue
      if (STRICTNESS.indexOf(held.mode) > STRICTNESS.indexOf(mode)) mode = held.mode
    }
    return mode
  }
}
