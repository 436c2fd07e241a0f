import { utcText } from '../domain/civil-date.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Kline } from '../domain/kline.ts'
import { type KlineCursor, KlineRow, type KlineSeries } from '../domain/kline-series.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { Indicator } from '../indicators/indicator.ts'
import { type GivenParameter, type Parameters, type ParameterValues, parameterValues } from './parameters.ts'
import type { Signals } from './signals.ts'
import { requireDefinition, requireIndicators, requireWarmUp } from './strategy-definition-check.ts'
import { asked, handled, strategyFailure, threwIn } from './strategy-failure.ts'
import type { FillView, OrderView, Positions, PositionView, StrategyView } from './strategy-view.ts'

/** Indicators by name. Their values have any type, hence `unknown`. */
export type Indicators = Readonly<Record<string, Indicator<unknown>>>

/** What a handler is given beside its event. */
export interface Context<P extends Parameters, I extends Indicators, S> extends StrategyView {
  readonly parameters: ParameterValues<P>
  readonly indicators: I
  /** The strategy's own memory; made anew for every run. */
  readonly state: S
}

/** What `defineStrategy` takes. Handlers return signals; they have no other effect. */
export interface StrategyDefinition<P extends Parameters, I extends Indicators, S> {
  readonly name: string
  readonly description?: string
  readonly parameters?: P
  /** A sentence that says what is wrong with a combination of parameters. */
  check?(parameters: ParameterValues<P>): string | undefined
  /** Fed once per closed kline, before the handler. */
  indicators?(parameters: ParameterValues<P>): I
  /** What handlers remember. Plain data (numbers, texts, lists, records, Maps, Sets) survives a restart on a journal. */
  state?(parameters: ParameterValues<P>): S
  /** Klines to see before the first call of `onKline`; default: what the indicators need. */
  warmUp?(parameters: ParameterValues<P>): number
  /** A kline closed. It never changes, so it may be kept; read its fields by name, for a spread may copy none of them. */
  onKline?(kline: Kline, context: Context<P, I, S>): Signals
  /** One of the strategy's orders traded. */
  onFill?(fill: FillView, context: Context<P, I, S>): Signals
  /** One of the strategy's orders changed otherwise: accepted, rejected, canceled, … */
  onOrder?(order: OrderView, context: Context<P, I, S>): Signals
}

/** A strategy at work on one instrument. */
export interface StrategyRun {
  /** The strategy's own state, as `state` made it and handlers have changed it; what is assigned takes its place. */
  memory: unknown
  /** Klines it needs to see before its first decision. */
  readonly warmUp: number
  /** Tells the indicators which klines come next: rows `from` to `to - 1`. */
  announce(klines: KlineSeries, from: number, to: number): void
  /** Feeds the indicators. */
  update(kline: Kline): void
  onKline(kline: Kline): Signals
  /** `update` and `onKline` for each row before `to`, up to the first that is answered with signals. */
  onKlines(cursor: KlineCursor, to: number): Signals
  onFill: ((fill: FillView) => Signals) | undefined
  onOrder: ((order: OrderView) => Signals) | undefined
}

const strategyMark = Symbol.for('sluice.strategy')

/** What a strategy file exports: everything needed to check parameters and to start runs. */
export interface Strategy {
  readonly [strategyMark]: true
  readonly name: string
  readonly description: string
  readonly parameters: Parameters
  /** Checks and completes parameters; throws `UsageError`. */
  parameterValues(given: Readonly<Record<string, GivenParameter>>): Readonly<Record<string, GivenParameter>>
  /** Starts a run with fresh indicators and state; throws `UsageError` for wrong parameters. */
  start(given: Readonly<Record<string, GivenParameter>>, view: StrategyView): StrategyRun
}

/** Makes a strategy of a definition; every handler sees parameters, indicators and state with their exact types. */
export function defineStrategy<
  const P extends Parameters = Record<never, never>,
  I extends Indicators = Record<never, never>,
  S = undefined,
>(definition: StrategyDefinition<P, I, S>): Strategy {
  requireDefinition(definition)
  // An absent `parameters` is P's default, the empty record.
  const parameters = definition.parameters ?? ({} as P)
  const valuesOf = (given: Readonly<Record<string, GivenParameter>>) => {
    const values = parameterValues(definition.name, parameters, given)
    const problem = asked(definition.name, 'check', () => definition.check?.(values))
    if (problem !== undefined)
      throw new UsageError(`Strategy "${definition.name}" cannot use these parameters: ${problem}`)
    return values
  }
  return {
    [strategyMark]: true,
    name: definition.name,
    description: definition.description ?? '',
    parameters,
    parameterValues: valuesOf,
    start: (given, view) => startRun(definition, valuesOf(given), view),
  }
}

/** Whether a value came from `defineStrategy`. */
export function isStrategy(value: unknown): value is Strategy {
  return typeof value === 'object' && value !== null && strategyMark in value
}

function startRun<P extends Parameters, I extends Indicators, S>(
  definition: StrategyDefinition<P, I, S>,
  parameters: ParameterValues<P>,
  view: StrategyView,
): StrategyRun {
  // Absent makers leave I and S at their defaults, the empty record and undefined.
  const { name } = definition
  const indicators = asked(name, 'indicators', () => definition.indicators?.(parameters)) ?? ({} as I)
  requireIndicators(name, indicators)
  const state = asked(name, 'state', () => definition.state?.(parameters)) as S
  const context = new DeskContext(parameters, indicators, state, view)
  return new DefinedRun(definition, context)
}

/** A class, so that every run of a process has the same shape and the same code. */
class DefinedRun<P extends Parameters, I extends Indicators, S> implements StrategyRun {
  readonly warmUp: number
  readonly onFill: StrategyRun['onFill']
  readonly onOrder: StrategyRun['onOrder']
  readonly #definition: StrategyDefinition<P, I, S>
  readonly #context: DeskContext<P, I, S>
  readonly #indicators: readonly Indicator<unknown>[]

  constructor(definition: StrategyDefinition<P, I, S>, context: DeskContext<P, I, S>) {
    this.#definition = definition
    this.#context = context
    this.#indicators = Object.values(context.indicators)
    const needed = Math.max(0, ...this.#indicators.map(indicator => indicator.requiredKlines))
    this.warmUp = asked(definition.name, 'warmUp', () => definition.warmUp?.(context.parameters)) ?? needed
    requireWarmUp(definition.name, this.warmUp)
    const { name } = definition
    this.onFill =
      definition.onFill &&
      (fill => handled(name, context, 'onFill', () => definition.onFill?.(fill, context)))
    this.onOrder =
      definition.onOrder &&
      (order => handled(name, context, 'onOrder', () => definition.onOrder?.(order, context)))
  }

  get memory(): unknown {
    return this.#context.state
  }

  set memory(memory: unknown) {
    this.#context.state = memory as S // what was read here before, or its like from a journal
  }

  announce(klines: KlineSeries, from: number, to: number): void {
    asked(this.#definition.name, 'an indicator, when klines were announced', () => {
      for (const indicator of this.#indicators) indicator.announce?.(klines, from, to)
    })
  }

  update(kline: Kline): void {
    const indicators = this.#indicators
    try {
      // An index loop: an iterator costs more than most indicators.
      for (let index = 0; index < indicators.length; index++) indicators[index]?.update(kline)
    } catch (cause) {
      const where = `an indicator, on the kline of ${utcText(kline.openTime)}`
      throw strategyFailure(this.#definition.name, where, cause)
    }
  }

  onKline(kline: Kline): Signals {
    // Not by way of `handled`: a closure for every kline costs more than most handlers.
    try {
      return this.#definition.onKline?.(kline, this.#context)
    } catch (cause) {
      throw threwIn(this.#definition.name, this.#context, 'onKline', cause)
    }
  }

  /** The loop that a quiet backtest spends its time in: nothing but indicators and handler. */
  onKlines(cursor: KlineCursor, to: number): Signals {
    const { klines } = cursor
    while (cursor.next < to) {
      const kline = new KlineRow(klines, cursor.next++)
      this.update(kline)
      const signals = this.onKline(kline)
      if (signals !== undefined) return signals
    }
    return undefined
  }
}

/** A context whose view fields always show the present. */
class DeskContext<P extends Parameters, I extends Indicators, S> implements Context<P, I, S> {
  readonly parameters: ParameterValues<P>
  readonly indicators: I
  /** Replaced only before a run goes on after a restart. */
  state: S
  readonly instrument: Instrument
  readonly #view: StrategyView

  constructor(parameters: ParameterValues<P>, indicators: I, state: S, view: StrategyView) {
    this.parameters = parameters
    this.indicators = indicators
    this.state = state
    this.instrument = view.instrument
    this.#view = view
  }

  get time(): number {
    return this.#view.time
  }

  get position(): PositionView {
    return this.#view.position
  }

  get positions(): Positions {
    return this.#view.positions
  }

  get orders(): readonly OrderView[] {
    return this.#view.orders
  }

  get equity(): number {
    return this.#view.equity
  }
}
