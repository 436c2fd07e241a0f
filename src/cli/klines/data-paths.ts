import { existsSync, globSync } from 'node:fs'
import { UsageError } from '../../domain/sluice-error.ts'

/**
 * Files of paths and patterns (`2024-*.zip`), in their order, those of a pattern sorted; without checksum
 * files. Throws `UsageError` for a pattern without a match.
 */
export function dataPaths(given: readonly string[]): readonly string[] {
  return given.flatMap(filesOf).filter(path => !/\.checksum$/i.test(path))
}

function filesOf(given: string): readonly string[] {
  if (existsSync(given) || !/[*?[\]{}]/.test(given)) return [given]
  const paths = globSync(given).sort()
  if (paths.length > 0) return paths
  throw new UsageError(
    `No file matches ${given}; give the path of a file, or a pattern such as data/*.csv.gz.`,
  )
}
