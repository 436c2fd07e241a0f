import type { Strategy } from '../../strategy/define-strategy.ts'
import type { Parameter } from '../../strategy/parameters.ts'
import type { JsonSchema } from './json-schema.ts'

/** A strategy, with its file in configurations. */
export interface StrategyFile {
  /** Relative to the project folder. */
  readonly file: string
  readonly strategy: Strategy
}

/** Adds the parameters of these strategies to the entries of `strategies` in a configuration's schema. */
export function addParameters(schema: JsonSchema, strategies: readonly StrategyFile[]): void {
  const entry = schema.properties?.strategies?.items
  const file = entry?.properties?.file
  if (entry === undefined || file === undefined || strategies.length === 0) return
  file.examples = strategies.map(({ file: path }) => path)
  entry.allOf = strategies.map(({ file: path, strategy }) => ({
    if: { properties: { file: { const: path } }, required: ['file'] },
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name.
    then: { properties: { parameters: parametersSchema(strategy) } },
  }))
}

function parametersSchema({ name, parameters, description }: Strategy): JsonSchema {
  return {
    type: ['object', 'null'],
    description: `Parameters of ${name}. ${description}`.trim(),
    properties: Object.fromEntries(
      Object.entries(parameters).map(([key, parameter]) => [key, parameterSchema(parameter)]),
    ),
    additionalProperties: false,
  }
}

function parameterSchema(parameter: Parameter): JsonSchema {
  const { description, default: usual } = parameter
  switch (parameter.type) {
    case 'integer':
    case 'number':
      return {
        description,
        default: usual,
        type: parameter.type,
        minimum: parameter.min,
        maximum: parameter.max,
      }
    case 'choice':
      return { description, default: usual, enum: parameter.options }
    case 'boolean':
      return { description, default: usual, type: 'boolean' }
  }
}
