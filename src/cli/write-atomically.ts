import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { UsageError } from '../domain/sluice-error.ts'

/**
 * Replaces a file atomically: at any time it has its old or its new content; throws `UsageError` if it cannot
 * be written.
 */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  replaceAtomically(path, temporary => writeFileSync(temporary, content))
}

/**
 * The same with a file that `write` makes, for content that is written bit by bit. Errors of `write` that are `UsageError`s are
 * thrown as they are.
 */
export function replaceAtomically(path: string, write: (temporary: string) => void): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    write(temporary)
    renameSync(temporary, path)
  } catch (cause) {
    if (existsSync(temporary)) rmSync(temporary)
    if (cause instanceof UsageError) throw cause
    // Without the part after the comma, which names the temporary file.
    const reason = cause instanceof Error ? cause.message.split(',')[0] : String(cause)
    throw new UsageError(`${path} cannot be written (${reason}); give a file in a folder that exists.`, cause)
  }
}
