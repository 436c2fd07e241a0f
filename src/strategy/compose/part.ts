import type { Kline } from '../../domain/market-data/kline.ts'
import type { Direction } from '../../domain/orders/side.ts'
import type { EnterSignal, Protection, Size } from '../../domain/signal.ts'
import type { Indicator } from '../../indicators/indicator.ts'
import { handled } from '../strategy-failure.ts'
import type { FillView, PositionView, StrategyView } from '../strategy-view.ts'

/** A position that is held. */
export interface Held extends PositionView {
  readonly direction: Direction
}

/** Indicators by name. Their values have any type, hence `unknown`. */
type PartIndicators = Readonly<Record<string, Indicator<unknown>>>

/** What a part of a composed strategy is given beside what it is asked about. */
export interface PartContext<I extends PartIndicators, Memory> {
  /** The kline that closed last. */
  readonly kline: Kline
  readonly view: StrategyView
  readonly indicators: I
  /** The part's own: plain data, so that it survives a restart on a journal. */
  readonly memory: Memory
}

/** What a part adds to an entry. */
export interface EntryTerms {
  readonly size?: Size
  readonly stopLoss?: NonNullable<Protection['stopLoss']>
  readonly trailingStop?: NonNullable<Protection['trailingStop']>
}

/** What a part does; whatever is left out has no part in it. */
export interface PartDefinition<I extends PartIndicators, Memory> {
  /** For messages. */
  readonly name: string
  /** Made anew for every run; fed like those of a strategy, which waits for them too. */
  indicators?(): I
  /** Made anew for every run. */
  memory?(): Memory
  /** Whether a position in that direction may be opened or made larger now. */
  allows?(direction: Direction, context: PartContext<I, Memory>): boolean
  /** What an entry is to be given; `skip` where it is better left alone. */
  termsOf?(entry: EnterSignal, context: PartContext<I, Memory>): EntryTerms | 'skip'
  /** An entry goes out, with everything that the parts gave it. */
  onEntry?(entry: EnterSignal, context: PartContext<I, Memory>): void
  /** One of the strategy's orders traded; the view shows what is held after it. */
  onFill?(fill: FillView, context: PartContext<I, Memory>): void
  /** Whether to close what is held, at the close of a kline. */
  leaves?(held: Held, context: PartContext<I, Memory>): boolean
  /** Where to stop what is held (quote per base), at the close of a kline. Of several stops the nearest counts, and none ever moves away. */
  stopOf?(held: Held, context: PartContext<I, Memory>): number | undefined
}

/** Something that is put around a strategy by `compose`. */
export interface Part {
  /** Begins a run of it in a strategy of that name. */
  start(strategy: string, view: StrategyView): PartRun
}

/** A part at work on one instrument; see `PartDefinition`. */
export interface PartRun {
  readonly name: string
  readonly indicators: PartIndicators
  memory: unknown
  allows(direction: Direction, kline: Kline): boolean
  termsOf(entry: EnterSignal, kline: Kline): EntryTerms | 'skip'
  onEntry(entry: EnterSignal, kline: Kline): void
  onFill(fill: FillView, kline: Kline): void
  leaves(held: Held, kline: Kline): boolean
  stopOf(held: Held, kline: Kline): number | undefined
}

/** Makes a part of what it does: how to write one that is not here yet. */
export function definePart<I extends PartIndicators = Record<never, never>, Memory = undefined>(
  definition: PartDefinition<I, Memory>,
): Part {
  return { start: (strategy, view) => new DefinedPart(definition, strategy, view) }
}

const NO_TERMS: EntryTerms = {}

class DefinedPart<I extends PartIndicators, Memory> implements PartRun {
  readonly name: string
  readonly indicators: I
  memory: unknown
  readonly #definition: PartDefinition<I, Memory>
  readonly #strategy: string
  readonly #view: StrategyView

  constructor(definition: PartDefinition<I, Memory>, strategy: string, view: StrategyView) {
    this.name = definition.name
    this.#definition = definition
    this.#strategy = strategy
    this.#view = view
    // An absent maker leaves I at its default, the empty record.
    this.indicators = definition.indicators?.() ?? ({} as I)
    this.memory = definition.memory?.()
  }

  allows(direction: Direction, kline: Kline): boolean {
    return this.#asked(kline, context => this.#definition.allows?.(direction, context)) ?? true
  }

  termsOf(entry: EnterSignal, kline: Kline): EntryTerms | 'skip' {
    return this.#asked(kline, context => this.#definition.termsOf?.(entry, context)) ?? NO_TERMS
  }

  onEntry(entry: EnterSignal, kline: Kline): void {
    this.#asked(kline, context => this.#definition.onEntry?.(entry, context))
  }

  onFill(fill: FillView, kline: Kline): void {
    this.#asked(kline, context => this.#definition.onFill?.(fill, context))
  }

  leaves(held: Held, kline: Kline): boolean {
    return this.#asked(kline, context => this.#definition.leaves?.(held, context)) ?? false
  }

  stopOf(held: Held, kline: Kline): number | undefined {
    return this.#asked(kline, context => this.#definition.stopOf?.(held, context))
  }

  #asked<Answer>(kline: Kline, ask: (context: PartContext<I, Memory>) => Answer): Answer {
    // What `memory` made, or its like from a journal.
    const memory = this.memory as Memory
    const [view, indicators] = [this.#view, this.indicators]
    const part = `the part "${this.#definition.name}"`
    return handled(this.#strategy, view, part, () => ask({ kline, view, indicators, memory }))
  }
}
