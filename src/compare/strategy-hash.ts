import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { strategyFiles } from '../../backtest/manifest/strategy-files.ts'

/**
 * SHA-256 over the code of a strategy: its file and all that it imports outside Sluice, by their names, and the versions
 * of packages. `undefined` where it cannot be read. `root` contains `src/` and `backtest/`.
 */
export function strategyHash(file: string, root: string): string | undefined {
  try {
    const hash = createHash('sha256')
    const { files, packages } = strategyFiles(file, root)
    for (const { name, path } of files) {
      const bytes = readFileSync(path)
      hash.update(`${name}\0${bytes.length}\0`).update(bytes)
    }
    for (const name of packages) hash.update(`package ${name}\0`)
    return hash.digest('hex')
  } catch {
    return undefined
  }
}

/** Hashes of the code of strategies by their files, but of those that cannot be read. */
export function strategyHashes(files: readonly string[], root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    files.flatMap(file => {
      const hash = strategyHash(file, root)
      return hash === undefined ? [] : [[file, hash]]
    }),
  )
}
