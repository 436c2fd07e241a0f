import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../../domain/sluice-error.ts'
import type { NewFile } from './new-strategy-files.ts'

/**
 * Writes new files below a folder: all of them, or none if one exists or cannot be written; throws
 * `UsageError`.
 */
export function writeAll(folder: string, files: readonly NewFile[]): void {
  const existing = files.filter(({ path }) => existsSync(join(folder, path))).map(({ path }) => path)
  if (existing.length > 0) {
    throw new UsageError(
      `${existing.join(' and ')} ${existing.length === 1 ? 'exists' : 'exist'} already, and nothing was written; take another name.`,
    )
  }
  const written: string[] = []
  try {
    for (const { path, text } of files) {
      const target = join(folder, path)
      mkdirSync(dirname(target), { recursive: true })
      // Fails for a file created in the meantime.
      writeFileSync(target, text, { flag: 'wx' })
      written.push(target)
    }
  } catch (cause) {
    for (const target of written) rmSync(target)
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`The new strategy cannot be written, and nothing was: ${reason}.`, cause)
  }
}
