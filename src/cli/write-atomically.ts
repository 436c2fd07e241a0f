import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { UsageError } from '../domain/sluice-error.ts'

/** Writes a file so that at every moment it has either its old content or all of the new; throws `UsageError` if it cannot be written. */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, content)
    renameSync(temporary, path)
  } catch (cause) {
    if (existsSync(temporary)) rmSync(temporary)
    // Without what follows the comma, which names the temporary file.
    const reason = cause instanceof Error ? cause.message.split(',')[0] : String(cause)
    throw new UsageError(`${path} cannot be written (${reason}); give a file in a folder that exists.`, cause)
  }
}
