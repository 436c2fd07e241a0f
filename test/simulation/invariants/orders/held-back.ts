import type { EngineEvent, InstrumentHalted } from '../../../../src/domain/events/engine-event.ts'
import type { TradingCommanded } from '../../../../src/domain/events/trading-event.ts'

/** How strictly trading is held back by commands. */
export type Commanded = 'active' | 'paused' | 'reducing' | 'halted'

/** A command that is in force. */
interface InForce {
  readonly mode: Commanded
  /** ms UTC. */
  readonly until: number
}

/** The account, where it is not an instrument. */
const ACCOUNT = ''
const STRICTNESS: readonly Commanded[] = ['active', 'paused', 'reducing', 'halted']

/** What events alone say of how trading is held back: by commands for the account or an instrument, and by differences that nobody can explain. It never changes. */
export class HeldBack {
  readonly #commanded: ReadonlyMap<string, InForce>
  readonly #halted: ReadonlySet<string>

  constructor(commanded: ReadonlyMap<string, InForce> = new Map(), halted: ReadonlySet<string> = new Set()) {
    this.#commanded = commanded
    this.#halted = halted
  }

  /** What holds after the next event. */
  after(event: EngineEvent): HeldBack {
    if (event.type === 'instrumentHalted') return this.#halt(event)
    return event.type === 'tradingCommanded' ? this.#command(event) : this
  }

  /** A bot starts anew: what nobody could explain is looked at again. */
  afterStart(): HeldBack {
    return new HeldBack(this.#commanded)
  }

  /** Whether nobody could explain a difference of an instrument since the bot started. */
  isHalted(symbol: string): boolean {
    return this.#halted.has(symbol)
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

  #halt({ symbol }: InstrumentHalted): HeldBack {
    return new HeldBack(this.#commanded, new Set(this.#halted).add(symbol))
  }

  #command({ command, symbol = ACCOUNT, until }: TradingCommanded): HeldBack {
    if (command === 'flatten') return this
    const before = this.#commanded.get(symbol)?.mode ?? 'active'
    const mode = (
      { pause: 'paused', reduce: 'reducing', halt: 'halted', kill: 'halted', resume: 'active' } as const
    )[command]
    const commanded = new Map(this.#commanded)
    if (mode === 'active') commanded.delete(symbol)
    else if (STRICTNESS.indexOf(mode) >= STRICTNESS.indexOf(before)) {
      const end = mode === 'paused' ? until : undefined
      commanded.set(symbol, { mode, until: end ?? Number.POSITIVE_INFINITY })
    }
    return new HeldBack(commanded, this.#halted)
  }
}
