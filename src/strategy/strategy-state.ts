import { UsageError } from '../domain/sluice-error.ts'
import type { Parameters, ParameterValues } from './parameters.ts'
import { asked } from './strategy-failure.ts'

/** A state that outlasts changes of its strategy: whoever changes what it is made of gives it the next version. */
export interface VersionedState<P extends Parameters, S> {
  /** A whole number of at least 1. */
  readonly version: number
  make(parameters: ParameterValues<P>): S
  /** Makes the state of another version one of this; without it, a state of another version is refused. */
  migrate?(old: unknown, version: number): S
  /** A sentence that says why a state that was kept (or migrated) cannot be gone on with. */
  check?(state: unknown): string | undefined
}

/** How a strategy makes its state: a function alone makes version 1. */
export type StateDefinition<P extends Parameters, S> =
  | ((parameters: ParameterValues<P>) => S)
  | VersionedState<P, S>

/** The version of a state. */
export function stateVersion(definition: StateDefinition<never, unknown> | undefined): number {
  return typeof definition === 'object' ? definition.version : 1
}

/** A new state. */
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
 * The state that a run goes on with, of one that was kept; throws `UsageError` for one of another version that nothing
 * makes one of this, and for one that the strategy refuses.
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
  // What was kept was made by this strategy, and is of this version unless it is migrated.
  const state = version === now ? kept : asked(strategy, 'state.migrate', () => migrate?.(kept, version))
  const problem = asked(strategy, 'state.check', () => check?.(state))
  if (problem === undefined) return state as S
  throw new UsageError(`The kept state of strategy "${strategy}" cannot be gone on with: ${problem}`)
}
