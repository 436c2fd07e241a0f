import { suggestion } from '../domain/nearest-name.ts'
import { UsageError } from '../domain/sluice-error.ts'

/** A whole number within bounds. */
export interface IntegerParameter {
  readonly type: 'integer'
  readonly default: number
  readonly min: number
  readonly max: number
  readonly description: string
}

/** A number within bounds. */
export interface NumberParameter extends Omit<IntegerParameter, 'type'> {
  readonly type: 'number'
}

/** One of a few names. */
export interface ChoiceParameter<Option extends string = string> {
  readonly type: 'choice'
  readonly default: Option
  readonly options: readonly Option[]
  readonly description: string
}

/** True or false. */
export interface BooleanParameter {
  readonly type: 'boolean'
  readonly default: boolean
  readonly description: string
}

/** A parameter that the user of a strategy sets. */
export type Parameter = IntegerParameter | NumberParameter | ChoiceParameter | BooleanParameter

export type Parameters = Readonly<Record<string, Parameter>>

/** Parameter values of a strategy, typed by its parameters. */
export type ParameterValues<P extends Parameters> = { readonly [Name in keyof P]: ValueOf<P[Name]> }

/** Value of one parameter; any parameter value if its type is unknown. */
type ValueOf<One extends Parameter> =
  One extends ChoiceParameter<infer Option> ? Option : One extends BooleanParameter ? boolean : number

/** A whole number from `min` to `max`. */
export function integer(options: Omit<IntegerParameter, 'type'>): IntegerParameter {
  return { type: 'integer', ...options }
}

/** A number from `min` to `max`. */
export function number(options: Omit<NumberParameter, 'type'>): NumberParameter {
  return { type: 'number', ...options }
}

/** One of `options`. */
export function choice<const Option extends string>(
  options: Omit<ChoiceParameter<Option>, 'type'>,
): ChoiceParameter<Option> {
  return { type: 'choice', ...options }
}

/** True or false. */
export function boolean(options: Omit<BooleanParameter, 'type'>): BooleanParameter {
  return { type: 'boolean', ...options }
}

/** An unusable parameter. */
export class ParameterError extends UsageError {
  readonly parameter: string
  /** True if the strategy has none of this name. */
  readonly isUnknown: boolean

  constructor(message: string, parameter: string, isUnknown: boolean) {
    super(message)
    this.parameter = parameter
    this.isUnknown = isUnknown
  }
}

/** A given parameter value: from a file, or text from a command line. */
export type GivenParameter = string | number | boolean

/**
 * Completes given values with the defaults and checks them. Text is parsed ("20", "true"). Throws
 * `ParameterError` naming the parameter, the value and the expectation; for an unknown name it suggests the
 * nearest known one.
 */
export function parameterValues<P extends Parameters>(
  strategy: string,
  parameters: P,
  given: Readonly<Record<string, GivenParameter>>,
): ParameterValues<P> {
  requireParameters(strategy, parameters, Object.keys(given))
  const values = Object.entries(parameters).map(([name, parameter]) => {
    const value = given[name] ?? parameter.default
    const checked = checkedValue(parameter, value)
    if (checked !== undefined) return [name, checked]
    const what = given[name] === undefined ? `The default of parameter "${name}"` : `Parameter "${name}"`
    throw new ParameterError(
      `${what} of strategy "${strategy}" is ${typeof value === 'string' ? JSON.stringify(value) : value}, but must be ${expectation(parameter)}.`,
      name,
      false,
    )
  })
  // Every name of P got a value of its parameter's type just above.
  return Object.fromEntries(values) as ParameterValues<P>
}

/** Throws `ParameterError` for a name that a strategy has no parameter of; it suggests the nearest known one. */
export function requireParameters(strategy: string, parameters: Parameters, names: readonly string[]): void {
  for (const name of names) {
    if (Object.hasOwn(parameters, name)) continue
    const known = Object.keys(parameters)
    const hint = known.length === 0 ? ' It takes none.' : suggestion(name, known)
    throw new ParameterError(`Strategy "${strategy}" has no parameter "${name}".${hint}`, name, true)
  }
}

/** Allowed values of a parameter, in words: "a whole number from 2 to 500". */
export function expectation(parameter: Parameter): string {
  switch (parameter.type) {
    case 'integer':
      return `a whole number from ${parameter.min} to ${parameter.max}`
    case 'number':
      return `a number from ${parameter.min} to ${parameter.max}`
    case 'choice':
      return `one of ${parameter.options.join(', ')}`
    case 'boolean':
      return 'true or false'
  }
}

function checkedValue(parameter: Parameter, value: GivenParameter): GivenParameter | undefined {
  switch (parameter.type) {
    case 'integer':
    case 'number':
      return checkedNumber(parameter, value)
    case 'choice':
      return parameter.options.find(option => option === value)
    case 'boolean':
      if (typeof value === 'boolean') return value
      return value === 'true' ? true : value === 'false' ? false : undefined
  }
}

function checkedNumber(
  parameter: IntegerParameter | NumberParameter,
  value: GivenParameter,
): number | undefined {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof parsed !== 'number' || !(parsed >= parameter.min && parsed <= parameter.max)) return undefined
  return parameter.type === 'integer' && !Number.isInteger(parsed) ? undefined : parsed
}
