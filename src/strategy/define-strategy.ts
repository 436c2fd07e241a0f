import type { Kline } from '../domain/kline.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { Indicator } from '../indicators/indicator.ts'
import { type GivenParameter, type Parameters, type ParameterValues, parameterValues } from './parameters.ts'
import type { Signals } from './signals.ts'
import type { FillView, OrderView, StrategyView } from './strategy-view.ts'

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
  state?(parameters: ParameterValues<P>): S
  /** Klines to see before the first call of `onKline`; default: what the indicators need. */
  warmUp?(parameters: ParameterValues<P>): number
  /** A kline closed. */
  onKline?(kline: Kline, context: Context<P, I, S>): Signals
  /** One of the strategy's orders traded. */
  onFill?(fill: FillView, context: Context<P, I, S>): Signals
  /** One of the strategy's orders changed otherwise: accepted, rejected, canceled, … */
  onOrder?(order: OrderView, context: Context<P, I, S>): Signals
}

/** A strategy at work on one instrument. */
export interface StrategyRun {
  /** Klines it needs to see before its first decision. */
  readonly warmUp: number
  /** Feeds the indicators. */
  update(kline: Kline): void
  onKline(kline: Kline): Signals
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
  // An absent `parameters` is P's default, the empty record.
  const parameters = definition.parameters ?? ({} as P)
  const valuesOf = (given: Readonly<Record<string, GivenParameter>>) => {
    const values = parameterValues(definition.name, parameters, given)
    const problem = definition.check?.(values)
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
  const indicators = definition.indicators?.(parameters) ?? ({} as I)
  const state = definition.state?.(parameters) as S
  const context = contextOf({ parameters, indicators, state }, view)
  const list = Object.values(indicators)
  const needed = Math.max(0, ...list.map(indicator => indicator.requiredKlines))
  return {
    warmUp: definition.warmUp?.(parameters) ?? needed,
    update(kline) {
      for (const indicator of list) indicator.update(kline)
    },
    onKline: kline => definition.onKline?.(kline, context),
    onFill: definition.onFill && (fill => definition.onFill?.(fill, context)),
    onOrder: definition.onOrder && (order => definition.onOrder?.(order, context)),
  }
}

/** A context whose view fields always show the present. */
function contextOf<P extends Parameters, I extends Indicators, S>(
  own: Pick<Context<P, I, S>, 'parameters' | 'indicators' | 'state'>,
  view: StrategyView,
): Context<P, I, S> {
  return {
    ...own,
    instrument: view.instrument,
    get time() {
      return view.time
    },
    get position() {
      return view.position
    },
    get orders() {
      return view.orders
    },
    get equity() {
      return view.equity
    },
  }
}
