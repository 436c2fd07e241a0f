import { readYamlFile, type ValuePath, type YamlFile } from '../../config/yaml-file.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { Strategy } from '../../strategy/define-strategy.ts'
import { type GivenParameter, ParameterError } from '../../strategy/parameters.ts'

export interface ConfiguredPlace {
  /** Path of the configuration. */
  readonly config: string
  /** Index of the entry in its `strategies`, from 0. */
  readonly entry: number
}

/**
 * Checks the parameters of a strategy; throws a `UsageError` that names file, line and column where they are
 * written in a configuration.
 */
export function checkParameters(
  strategy: Pick<Strategy, 'parameterValues'>,
  parameters: Readonly<Record<string, GivenParameter>>,
  place?: ConfiguredPlace,
): void {
  try {
    strategy.parameterValues(parameters)
  } catch (error) {
    if (place === undefined || !(error instanceof UsageError)) throw error
    const file = readYamlFile(place.config)
    const all = ['strategies', place.entry, 'parameters']
    throw file.errorFor([{ offset: offsetIn(file, all, error), sentence: error.message }])
  }
}

/** Offset of the parameter; of all of them where they do not go together. */
function offsetIn(file: YamlFile, all: ValuePath, error: UsageError): number {
  if (!(error instanceof ParameterError)) return file.offsetOf(all)
  const path = [...all, error.parameter]
  return error.isUnknown ? file.offsetOfKey(path) : file.offsetOf(path)
}
