import { AsyncLocalStorage } from 'node:async_hooks'
import { StrategyError } from '../strategy/strategy-error.ts'
import { messageOf } from '../strategy/strategy-failure.ts'
import { isCalledByStrategy } from './calling-files.ts'
import { ForbiddenError, type ForbiddenReason } from './forbidden-error.ts'

/** Runs a function within one scope. */
type Enter = <Answer>(work: () => Answer) => Answer

const scopes = new AsyncLocalStorage<StrategyScope>()

/**
 * Scope of a strategy's code, known to the functions that it calls. All code that runs during a call of a
 * scope belongs to it, and so do its promise reactions, which run in the scope of their creation.
 */
export class StrategyScope {
  readonly #names = new Set<string>()
  readonly #parents = new Set<StrategyScope>()
  readonly #listeners: ((error: StrategyError) => void)[] = []
  readonly #enter: Enter
  #isCalling = false
  #isImporting = false
  /**
   * True while a module is imported: its packages may then use forbidden functions, only the strategy's own
   * code may not.
   */
  #sparesPackages = false
  /** First forbidden use in the current call. */
  #forbidden: ForbiddenError | undefined
  #failure: StrategyError | undefined

  /** `name` is the strategy's name, for messages. */
  constructor(name?: string) {
    if (name !== undefined) this.#names.add(name)
    this.#enter = scopes.run(this, () => AsyncLocalStorage.snapshot()) as Enter // it hands on what the function returns
  }

  /** Scope of the running code, if it is a strategy's. */
  static get current(): StrategyScope | undefined {
    return scopes.getStore()
  }

  /** Includes the failures of a strategy of this name, and of the import of its module. */
  include(name: string, imported: StrategyScope): void {
    this.#names.add(name)
    this.#parents.add(imported)
  }

  /**
   * Calls code of a strategy; throws `StrategyError` if it used a forbidden function and caught the error.
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

  /**
   * Imports the module of a strategy with its imports; rejects with `ForbiddenError` if it used a forbidden
   * function.
   */
  async import<Module>(load: () => Promise<Module>): Promise<Module> {
    this.#sparesPackages = true
    this.#isImporting = true
    try {
      return await scopes.run(this, async () => {
        // Removes the importing code from the call stack of the module's code.
        await undefined
        const module = await load()
        if (this.#forbidden !== undefined) throw this.#forbidden
        return module
      })
    } finally {
      this.#isImporting = false
    }
  }

  /** Error for a forbidden use by code of this scope; `undefined` if a package uses it. */
  forbid(used: string, reason: ForbiddenReason): ForbiddenError | undefined {
    if (this.#sparesPackages && !isCalledByStrategy()) return undefined
    const error = new ForbiddenError(used, reason)
    if (this.#isCalling || this.#isImporting) this.#forbidden ??= error
    else this.fail(error)
    return error
  }

  /** Notes the failure of a promise that the strategy left behind. */
  fail(cause: unknown): void {
    if (this.#failure !== undefined) return
    const error = new StrategyError(
      `${this.#subject} left a promise behind, which failed: ${asSentence(messageOf(cause))} A handler decides before it returns: leave out async, await and then.`,
      cause,
    )
    this.#failure = error
    for (const listener of this.#listeners) listener(error)
  }

  /** First failure of a promise that the strategy, or its module, left behind. */
  get failure(): StrategyError | undefined {
    return this.#failure ?? [...this.#parents].find(({ failure }) => failure !== undefined)?.failure
  }

  /** Calls `listener` once with that failure, at once if it has already happened. */
  watch(listener: (error: StrategyError) => void): void {
    let isTold = false
    // The listener is not code of the strategy.
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
      `${this.#subject} used a forbidden function, and caught the error. ${forbidden.message}`,
      forbidden,
    )
  }

  get #subject(): string {
    const names = [...this.#names].map(name => `"${name}"`)
    return names.length === 0 ? 'The strategy' : `Strategy ${names.join(' or ')}`
  }
}

/** Throws if code of a strategy is running. */
export function forbid(used: string, reason: ForbiddenReason): void {
  const error = scopes.getStore()?.forbid(used, reason)
  if (error !== undefined) throw error
}

/**
 * Attributes the failure of an unhandled promise to the strategy that created it; `false` if no strategy did.
 */
export function isFailureOfStrategy(cause: unknown): boolean {
  const scope = scopes.getStore()
  scope?.fail(cause)
  return scope !== undefined
}

/** A message with a full stop at its end, unless it has one. */
function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}
