import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Measured } from './bench-row.ts'

/**
 * What a script (the URL of its file) measures and prints, run in a process of its own: what was measured before would
 * have shaped the heap and the compiled code for Sluice and the bare reference alike, but not equally.
 */
export async function inOwnProcess<Result = Measured>(
  script: string,
  ...values: readonly string[]
): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(script), ...values])
  return JSON.parse(stdout)
}
