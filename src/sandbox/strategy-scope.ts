import { AsyncLocalStorage } from 'node:async_hooks'
import { StrategyError } from '../strategy/strategy-error.ts'
import { messageOf } from '../strategy/strategy-failure.ts'
import { isCalledByStrategy } from './calling-files.ts'
import { ForbiddenError, type ForbiddenReason } from './forbidden-error.ts'

/** Runs a function within one scope. */
type Enter = <Answer>(work: () => Answer) => Answer

const scopes = new AsyncLocalStorage<StrategyScope>()

/**
 * The code of a strategy, seen from the functions that it calls. Everything that runs while a scope is called belongs to it,
 * and so does what such code leaves behind: reactions of promises run in the scope in which they were made.
 */
export class StrategyScope {
  readonly #names = new Set<string>()
  readonly #parents = new Set<StrategyScope>()
  readonly #listeners: ((error: StrategyError) => void)[] = []
  readonly #enter: Enter
  #isCalling = false
  #isImporting = false
  /** Packages that a module imports may use what they like while they are imported; only the strategy's own code is refused. */
  #sparesPackages = false
  /** What was forbidden in the present call. */
  #forbidden: ForbiddenError | undefined
  #failure: StrategyError | undefined

  /** `name` is that of the strategy, for messages. */
  constructor(name?: string) {
    if (name !== undefined) this.#names.add(name)
    this.#enter = scopes.run(this, () => AsyncLocalStorage.snapshot()) as Enter // it hands on what the function returns
  }

  /** The scope of the code that is running, if it is a strategy's. */
  static get current(): StrategyScope | undefined {
    return scopes.getStore()
  }

  /** Also answers for a strategy of this name, and for the import of its module. */
  include(name: string, imported: StrategyScope): void {
    this.#names.add(name)
    this.#parents.add(imported)
  }

  /**
   * Calls code of a strategy; throws `StrategyError` where that used what is forbidden and kept the error to itself.
   */
  call<Answer>(work: () => Answer): Answer {
    if (this.#isCalling) return work()
    this.#isCalling = true
    this.#forbidden = undefined
    try {
      const answer = this.#enter(work)
      if (this.#forbidden !== undefined) throw this.#kept(this.#forbidden)
      return answer
    } finally {
      this.#isCalling = false
    }
  }

  /** Imports the module of a strategy, with all that it imports; rejects with `ForbiddenError` where that used what is forbidden. */
  async import<Module>(load: () => Promise<Module>): Promise<Module> {
    this.#sparesPackages = true
    this.#isImporting = true
    try {
      return await scopes.run(this, async () => {
        // So that nobody who asked for the import is among the callers of the module's code.
        await undefined
        const module = await load()
        if (this.#forbidden !== undefined) throw this.#forbidden
        return module
      })
    } finally {
      this.#isImporting = false
    }
  }

  /** The error for a use of something forbidden by code of this scope; `undefined` where that code is a package's. */
  forbid(used: string, reason: ForbiddenReason): ForbiddenError | undefined {
    if (this.#sparesPackages && !isCalledByStrategy()) return undefined
    const error = new ForbiddenError(used, reason)
    if (this.#isCalling || this.#isImporting) this.#forbidden ??= error
    else this.fail(error)
    return error
  }

  /** Something that the strategy left behind has failed. */
  fail(cause: unknown): void {
    if (this.#failure !== undefined) return
    const error = new StrategyError(
      `${this.#subject} left a promise behind, which failed: ${asSentence(messageOf(cause))} A handler decides before it returns: leave out async, await and then.`,
      cause,
    )
    this.#failure = error
    for (const listener of this.#listeners) listener(error)
  }

  /** The first failure of what the strategy, or its module, left behind. */
  get failure(): StrategyError | undefined {
    return this.#failure ?? [...this.#parents].find(({ failure }) => failure !== undefined)?.failure
  }

  /** Calls `listener` once with that failure, at once where there is one already. */
  watch(listener: (error: StrategyError) => void): void {
    let isTold = false
    // The listener is none of the strategy's code.
    const outside = AsyncLocalStorage.snapshot()
    const tell = (error: StrategyError) => {
      if (isTold) return
      isTold = true
      outside(listener, error)
    }
    for (const scope of [this, ...this.#parents]) {
      scope.#listeners.push(tell)
      if (scope.#failure !== undefined) tell(scope.#failure)
    }
  }

  #kept(forbidden: ForbiddenError): StrategyError {
    return new StrategyError(
      `${this.#subject} used something forbidden, and caught the error. ${forbidden.message}`,
      forbidden,
    )
  }

  get #subject(): string {
    const names = [...this.#names].map(name => `"${name}"`)
    return names.length === 0 ? 'The strategy' : `Strategy ${names.join(' or ')}`
  }
}

/** Throws where code of a strategy is running. */
export function forbid(used: string, reason: ForbiddenReason): void {
  const error = scopes.getStore()?.forbid(used, reason)
  if (error !== undefined) throw error
}

/** Notes the failure of a promise that nobody awaited with the strategy that made it; `false` where no strategy did. */
export function isFailureOfStrategy(cause: unknown): boolean {
  const scope = scopes.getStore()
  scope?.fail(cause)
  return scope !== undefined
}

/** A message with a full stop at its end, unless it has one. */
function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}
