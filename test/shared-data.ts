import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Folder with the real market data and the oracles; tests that need it say so and skip where it is absent. */
const shared = resolve(import.meta.dirname, '..', process.env.SLUICE_SHARED ?? '../shared')

/** Path of a shared file. */
export function sharedPath(...parts: readonly string[]): string {
  return join(shared, ...parts)
}

/** Whether the shared folder is here; prints why tests are skipped where it is not. */
export function hasShared(...parts: readonly string[]): boolean {
  const path = sharedPath(...parts)
  if (existsSync(path)) return true
  console.warn(`Skipped: ${parts.join('/')} is not in SLUICE_SHARED (default ../shared).`)
  return false
}
