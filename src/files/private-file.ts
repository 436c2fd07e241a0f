import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'

/** Makes a folder, with those above it where they are absent; only its user may enter what is made. An existing folder stays as it is. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
}

/** Makes an empty file that only its user may read; an existing file stays as it is. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
}

/** Whether the mode of a file lets its group or every user read or write it. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o066) !== 0
}
