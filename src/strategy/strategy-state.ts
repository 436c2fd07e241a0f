import { UsageError } from '../domain/sluice-error.ts'
import type { Parameters, ParameterValues } from './parameters.ts'
import { asked } from './strategy-failure.ts'

/**
 * Stands in a state for memory that is no plain data and that the klines of a warm-up reach: the memory of streams.
 */
export class WarmedMemory {}

/** A state that survives changes of its strategy: increase the version when its structure changes. */
export interface VersionedState<P extends Parameters, S> {
  /** A whole number of at least 1. */
  readonly version: number
  make(parameters: ParameterValues<P>): S
  /** Converts the state of another version to this one; without it, a state of another version is refused. */
  migrate?(old: unknown, version: number): S
  /** Reason, a sentence, for which a saved (or migrated) state cannot be used. */
  check?(state: unknown): string | undefined
}

/** Definition of a strategy's state: a function alone makes version 1. */
export type StateDefinition<P extends Parameters, S> =
  | ((parameters: ParameterValues<P>) => S)
  | VersionedState<P, S>

export function stateVersion(definition: StateDefinition<never, unknown> | undefined): number {
  return typeof definition === 'object' ? definition.version : 1
}

export function newState<P extends Parameters, S>(
  strategy: string,
  definition: StateDefinition<P, S> | undefined,
  parameters: ParameterValues<P>,
): S {
  const make = typeof definition === 'object' ? definition.make : definition
  // Without a definition, S is undefined.
  return asked(strategy, 'state', () => make?.(parameters)) as S
}

/**
 * State of a run that continues from a saved one; throws `UsageError` for another version without `migrate`,
 * and for a state that the strategy refuses.
 */
export function keptState<P extends Parameters, S>(
  strategy: string,
  definition: StateDefinition<P, S> | undefined,
  kept: unknown,
  version: number,
): S {
  const now = typeof definition === 'object' ? definition.version : 1
  const { migrate, check } = typeof definition === 'object' ? definition : {}
  if (version !== now && migrate === undefined) {
    throw new UsageError(
      `The kept state of strategy "${strategy}" is of version ${version}, but the strategy is at version ${now} and has no migrate for it. Add state.migrate, use the strategy file that wrote it, or begin a new journal once the account is flat.`,
    )
  }
  // This strategy created the saved state, in this version unless it is migrated.
  const state = version === now ? kept : asked(strategy, 'state.migrate', () => migrate?.(kept, version))
  const problem = asked(strategy, 'state.check', () => check?.(state))
  if (problem === undefined) return state as S
  throw new UsageError(`The kept state of strategy "${strategy}" cannot be used: ${problem}`)
}
