import type { Kline } from '../../domain/market-data/kline.ts'
import type { Direction } from '../../domain/orders/side.ts'
import type { EnterSignal, Protection, Size } from '../../domain/signal.ts'
import type { Indicator } from '../../indicators/indicator.ts'
import { handled } from '../strategy-failure.ts'
import type { FillView, PositionView, StrategyView } from '../strategy-view.ts'

/** An open position. */
export interface Held extends PositionView {
  readonly direction: Direction
}

/** Indicators by name. Their values have any type, hence `unknown`. */
type PartIndicators = Readonly<Record<string, Indicator<unknown>>>

/** Context of a part's functions. */
export interface PartContext<I extends PartIndicators, Memory> {
  /** Latest closed kline. */
  readonly kline: Kline
  readonly view: StrategyView
  readonly indicators: I
  /** The part's own memory: plain data, so that it survives a restart on a journal. */
  readonly memory: Memory
}

/** Terms that a part sets on an entry. */
export interface EntryTerms {
  readonly size?: Size
  readonly stopLoss?: NonNullable<Protection['stopLoss']>
  readonly trailingStop?: NonNullable<Protection['trailingStop']>
}

/** Functions of a part; all but the name are optional. */
export interface PartDefinition<I extends PartIndicators, Memory> {
  /** For messages. */
  readonly name: string
  /** Created for every run; updated like the strategy's indicators, and their warm-up counts too. */
  indicators?(): I
  /** Created for every run. */
  memory?(): Memory
  /** True if a position in that direction may be opened or increased now. */
  allows?(direction: Direction, context: PartContext<I, Memory>): boolean
  /** Terms for an entry; `skip` drops it. */
  termsOf?(entry: EnterSignal, context: PartContext<I, Memory>): EntryTerms | 'skip'
  /** Called when an entry is sent, with its final terms. */
  onEntry?(entry: EnterSignal, context: PartContext<I, Memory>): void
  /** Called after a fill of one of the strategy's orders; the view shows the position after it. */
  onFill?(fill: FillView, context: PartContext<I, Memory>): void
  /** True closes the position at the close of this kline. */
  leaves?(held: Held, context: PartContext<I, Memory>): boolean
  /**
   * Stop price of the position (quote per base) at the close of this kline. Of several stops the closest
   * applies, and none moves away from the market.
   */
  stopOf?(held: Held, context: PartContext<I, Memory>): number | undefined
}

/** A part that `compose` puts around a strategy. */
export interface Part {
  /** Starts the part in a run of the strategy with that name. */
  start(strategy: string, view: StrategyView): PartRun
}

/** A running part on one instrument; see `PartDefinition`. */
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

/** Makes a part from its functions; for parts of your own. */
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
    // Without `indicators`, I is its default, the empty record.
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
    // Created by `memory`, or restored from a journal.
    const memory = this.memory as Memory
    const [view, indicators] = [this.#view, this.indicators]
    const part = `the part "${this.#definition.name}"`
    return handled(this.#strategy, view, part, () => ask({ kline, view, indicators, memory }))
  }
}
