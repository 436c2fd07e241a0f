import { UsageError } from '../../domain/sluice-error.ts'

/** A listed rule without which `name` cannot be traded; throws `UsageError` if the exchange omits it. */
export function listedOf<Value>(name: string, value: Value | undefined, rule: string): Value {
  if (value !== undefined) return value
  throw new UsageError(
    `The exchange does not list the ${rule} of ${name}; write it under "instruments" of the configuration.`,
  )
}
