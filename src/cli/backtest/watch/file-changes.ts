import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { UsageError } from '../../../domain/sluice-error.ts'

/** Time without changes after which a file counts as saved, ms: editors write in several steps. */
const SETTLED_MS = 20

/** Detects changed content of files, however an editor saves them. */
export class FileChanges {
  readonly #onChange: () => void
  readonly #contents = new Map<string, string | undefined>()
  /**
   * Watchers by folder: many editors replace a file by a new one, which a watcher of the old file would miss.
   */
  readonly #watchers = new Map<string, FSWatcher>()
  #timer: NodeJS.Timeout | undefined

  /** `onChange` is called once the files have settled. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /**
   * Watches exactly these files from now on. A new one is compared with its current content, one that was
   * already watched with its earlier content. Throws `UsageError` if a folder cannot be watched.
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

  /** Stops watching. */
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
      // A missing file may be about to be replaced.
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
