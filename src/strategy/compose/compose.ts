import { UsageError } from '../../domain/sluice-error.ts'
import type { Strategy } from '../define-strategy.ts'
import { type GivenParameter, type Parameters, type ParameterValues, parameterValues } from '../parameters.ts'
import { asked } from '../strategy-failure.ts'
import { ComposedRun } from './composed-run.ts'
import type { Part } from './part.ts'

/** Parts around a strategy. `P` are its own parameters, `B` those of the strategy. */
export interface Composition<P extends Parameters, B extends Parameters> {
  readonly name: string
  /** Default: the strategy's description. */
  readonly description?: string
  /** Parameters in addition to those of the strategy. */
  readonly parameters?: P
  /**
   * Filters, sizing, exits and protections. An entry passes them in order; a later one overrides the terms of
   * an earlier one. The function gets the values of both sets of parameters.
   */
  parts(parameters: ParameterValues<B> & ParameterValues<P>): readonly Part[]
}

type Given = Readonly<Record<string, GivenParameter>>

/**
 * Puts parts around a strategy of handlers or of streams; the result is a strategy with the parameters of
 * both. Parts apply to the strategy's own instrument; they may block and change entries, never exits.
 *
 * `compose(smaCross, { name: 'careful-cross', parts: () => [trendFilter({ klines: 200 }), timeStop({ klines:
 * 96 })] })`
 *
 * Throws `UsageError` if both have a parameter of the same name.
 */
export function compose<B extends Parameters, const P extends Parameters = Record<never, never>>(
  strategy: Strategy<B>,
  composition: Composition<P, B>,
): Strategy<B & P> {
  const { name, description = strategy.description } = composition
  // Without `parameters`, P is its default, the empty record.
  const own = composition.parameters ?? ({} as P)
  const shared = Object.keys(own).find(key => Object.hasOwn(strategy.parameters, key))
  if (shared !== undefined)
    throw new UsageError(
      `"${name}" and the strategy "${strategy.name}" in it both have a parameter "${shared}".`,
    )
  const parameters: B & P = { ...strategy.parameters, ...own }
  const valuesOf = (given: Given): Given => {
    const values = parameterValues<Parameters>(name, parameters, given)
    strategy.parameterValues(picked(values, strategy.parameters))
    return values
  }
  return {
    ...strategy,
    ...{ name, description, parameters },
    parameterValues: valuesOf,
    feeds: given => strategy.feeds(picked(valuesOf(given), strategy.parameters)),
    start(given, view) {
      const values = valuesOf(given)
      // Every name of B and P got a value of its parameter's type.
      const both = values as ParameterValues<B> & ParameterValues<P>
      const parts = asked(name, 'parts', () => composition.parts(both))
      const inner = strategy.start(picked(values, strategy.parameters), view)
      return new ComposedRun({ name, inner, view, parts: parts.map(part => part.start(name, view)) })
    },
  }
}

function picked(values: Given, parameters: Parameters): Given {
  return Object.fromEntries(Object.entries(values).filter(([key]) => Object.hasOwn(parameters, key)))
}
