import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'

/**
 * Creates a folder and its missing parents; only its user may enter new folders. An existing folder is
 * unchanged.
 */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
}

/** Creates an empty file that only its user may read; an existing file is unchanged. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
}

/** True if the mode of a file lets its group or every user read or write it. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o066) !== 0
}
