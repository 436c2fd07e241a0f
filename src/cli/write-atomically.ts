import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { UsageError } from '../domain/sluice-error.ts'

/**
 * Replaces a file atomically: at any time it has its old or its new content; throws `UsageError` if it cannot
 * be written.
 */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, content)
    renameSync(temporary, path)
  } catch (cause) {
    if (existsSync(temporary)) rmSync(temporary)
    // Without the part after the comma, which names the temporary file.
    const reason = cause instanceof Error ? cause.message.split(',')[0] : String(cause)
    throw new UsageError(`${path} cannot be written (${reason}); give a file in a folder that exists.`, cause)
  }
}
