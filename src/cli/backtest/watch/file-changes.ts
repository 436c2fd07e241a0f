import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { UsageError } from '../../../domain/sluice-error.ts'

/** Editors write a file in several steps. */
const SETTLED_MS = 20

/** Notices when the content of files changes, however an editor saves them. */
export class FileChanges {
  readonly #onChange: () => void
  readonly #contents = new Map<string, string | undefined>()
  /** By folder: many editors put a new file into the place of the old one, which who watches the old one would not see. */
  readonly #watchers = new Map<string, FSWatcher>()
  #timer: NodeJS.Timeout | undefined

  /** `onChange` is called once the files stand still again. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /**
   * Follows these files from now on, and no others. One that is new is compared with what it has at this moment, one that
   * was followed before with what it had then. Throws `UsageError` where a folder cannot be watched.
   */
  follow(files: readonly string[]): void {
    const paths = new Set(files.map(file => resolve(file)))
    for (const path of this.#contents.keys()) if (!paths.has(path)) this.#contents.delete(path)
    for (const path of paths) if (!this.#contents.has(path)) this.#contents.set(path, contentOf(path))
    const folders = new Set([...paths].map(path => dirname(path)))
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    for (const folder of folders) {
      if (!this.#watchers.has(folder)) this.#watchers.set(folder, this.#watched(folder))
    }
  }

  /** Follows nothing any more. */
  stop(): void {
    clearTimeout(this.#timer)
    this.follow([])
  }

  #watched(folder: string): FSWatcher {
    try {
      return watch(folder, (_event, name) => {
        if (name !== null && !this.#contents.has(resolve(folder, basename(name)))) return
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => this.#compare(), SETTLED_MS)
      })
    } catch (cause) {
      throw new UsageError(`The folder ${folder} cannot be watched; run the backtest without --watch.`, cause)
    }
  }

  #compare(): void {
    let isOther = false
    for (const [path, before] of this.#contents) {
      const now = contentOf(path)
      // One that is gone may be about to be replaced.
      if (now === before || now === undefined) continue
      this.#contents.set(path, now)
      isOther = true
    }
    if (isOther) this.#onChange()
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // not there
  }
}
