import { loadStrategy } from '../bot/start/load-strategy.ts'
import type { Strategy } from '../strategy/define-strategy.ts'
import { strategyHash } from './strategy-hash.ts'

/**
 * Strategies as their files were when this process first read them, with the hash of that code: Node imports a file only
 * once, so a hash of the file as it is now may be that of other code.
 */
export class ReadStrategies {
  readonly #root: string
  readonly #hashes = new Map<string, string | undefined>()

  /** `root` contains `src/` and `backtest/`. */
  constructor(root: string) {
    this.#root = root
  }

  /** The strategy in a file; rejects as `loadStrategy` does. */
  readonly load = async (file: string): Promise<Strategy> => {
    const before = strategyHash(file, this.#root)
    const strategy = await loadStrategy(file)
    if (!this.#hashes.has(file)) {
      const after = strategyHash(file, this.#root)
      this.#hashes.set(file, before === after ? after : undefined)
    }
    return strategy
  }

  /** Hash of the code of a file that was read; `undefined` of another, and of one that changed while it was read. */
  readonly hashOf = (file: string): string | undefined => this.#hashes.get(file)
}
