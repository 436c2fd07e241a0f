import { UsageError } from '../../src/domain/sluice-error.ts'
import type { Dimension, SearchSpace } from '../../src/research/sampling/search-space.ts'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import {
  type GivenParameter,
  type Parameter,
  parameterValues,
  requireParameters,
} from '../../src/strategy/parameters.ts'
import type { ParameterSet } from '../trials/trial.ts'

/** Parameters of a strategy, divided into those that a search varies and those that it keeps. */
export interface SearchedParameters {
  readonly space: SearchSpace
  readonly fixed: ParameterSet
}

/**
 * The search space of a strategy: all of its parameters within their bounds, whole numbers in steps of 1, narrowed by `given`:
 * `5:50:5` (from, to, step), `0.1:0.5` (any number between), `a,b` (of several options) or `20` (fixed). Throws `UsageError` for
 * a name that the strategy does not have, and for values that it does not allow.
 */
export function searchedParameters(
  { name: strategy, parameters }: Pick<Strategy, 'name' | 'parameters'>,
  given: Readonly<Record<string, string>>,
): SearchedParameters {
  const space: Dimension[] = []
  const fixed: [name: string, value: GivenParameter][] = []
  requireParameters(strategy, parameters, Object.keys(given))
  for (const [name, parameter] of Object.entries(parameters)) {
    const found = narrowed(strategy, name, parameter, given[name])
    if (typeof found === 'object') space.push(found)
    else fixed.push([name, found])
  }
  return { space, fixed: Object.fromEntries(fixed) }
}

/** A dimension, or the only value. */
function narrowed(
  strategy: string,
  name: string,
  parameter: Parameter,
  given: string | undefined,
): Dimension | GivenParameter {
  if (given === undefined) return wholeDimension(name, parameter)
  const valueIn = (text: string) => checkedText(strategy, name, parameter, text)
  if (given.includes(':')) return rangeOf(name, parameter, given, valueIn)
  if (given.includes(',')) return optionsOf(name, parameter, given, valueIn)
  return valueIn(given)
}

function wholeDimension(name: string, parameter: Parameter): Dimension {
  switch (parameter.type) {
    case 'integer':
      return { kind: 'range', name, min: parameter.min, max: parameter.max, step: 1 }
    case 'number':
      return { kind: 'range', name, min: parameter.min, max: parameter.max }
    case 'choice':
      return { kind: 'choice', name, options: parameter.options }
    case 'boolean':
      return { kind: 'choice', name, options: [false, true] }
  }
}

/** The value of a text; throws the error of a backtest with that value. */
function checkedText(strategy: string, name: string, parameter: Parameter, text: string): GivenParameter {
  return parameterValues(strategy, { [name]: parameter }, { [name]: text })[name] as GivenParameter // one name
}

function rangeOf(
  name: string,
  { type }: Parameter,
  given: string,
  valueIn: (text: string) => GivenParameter,
): Dimension {
  if (type === 'choice' || type === 'boolean')
    throw new UsageError(
      `--param ${name}=${given} is a range, but "${name}" has a few values; list them, with commas.`,
    )
  const [from = '', to = '', step, ...more] = given.split(':')
  if (more.length > 0)
    throw new UsageError(
      `--param ${name}=${given} has too many parts; write from:to:step, as in ${name}=5:50:5.`,
    )
  const [min, max] = [Number(valueIn(from)), Number(valueIn(to))]
  if (min > max)
    throw new UsageError(
      `--param ${name}=${given} ends before it begins; write ${[`${name}=${to}`, from, ...(step === undefined ? [] : [step.replace(/^-/, '')])].join(':')}.`,
    )
  if (step === undefined) return { kind: 'range', name, min, max, ...(type === 'integer' && { step: 1 }) }
  return { kind: 'range', name, min, max, step: stepOf(name, type, given, step) }
}

function stepOf(name: string, type: 'integer' | 'number', given: string, text: string): number {
  const step = text.trim() === '' ? Number.NaN : Number(text)
  if (step > 0 && Number.isFinite(step) && (type === 'number' || Number.isInteger(step))) return step
  throw new UsageError(
    `--param ${name}=${given} has ${text === '' ? 'no step' : `the step ${text}`}, but must have ${type === 'integer' ? 'a whole number' : 'a number'} above 0.`,
  )
}

function optionsOf(
  name: string,
  { type }: Parameter,
  given: string,
  valueIn: (text: string) => GivenParameter,
): Dimension {
  if (type === 'integer' || type === 'number')
    throw new UsageError(
      `--param ${name}=${given} lists values, but "${name}" is a number; write from:to:step.`,
    )
  const options = given.split(',').map(text => valueIn(text) as string | boolean) // of its type
  if (new Set(options).size < options.length)
    throw new UsageError(`--param ${name}=${given} names a value twice; name each once.`)
  return { kind: 'choice', name, options }
}
