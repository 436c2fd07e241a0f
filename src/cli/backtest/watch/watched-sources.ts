import { FreshModules } from '../../../bot/start/fresh-modules.ts'
import { loadStrategy } from '../../../bot/start/load-strategy.ts'
import type { Strategy } from '../../../strategy/define-strategy.ts'
import { PROJECT_FOLDER } from '../../project.ts'
import { CachedSources } from '../input/cached-sources.ts'

/** Strategies in their current version on disk, and klines as they were first read. */
export class WatchedSources extends CachedSources {
  readonly #modules = new FreshModules(PROJECT_FOLDER)

  override strategy(file: string): Promise<Strategy> {
    return loadStrategy(file, path => this.#modules.urlOf(path))
  }

  /** Restores normal imports. */
  stop(): void {
    this.#modules.stop()
  }
}
