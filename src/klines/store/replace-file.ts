import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

const TEMPORARY = /^\..+\.tmp$/

/**
 * Writes a file, given in parts, so that at every moment, whatever ends the process or the machine, it has its old content
 * or all of the new. Its name is on the disk once `syncFolder` has returned. One process at a time may replace files of a
 * folder.
 */
export function replaceFile(path: string, parts: readonly Uint8Array[]): void {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`)
  const file = openSync(temporary, 'w')
  try {
    for (const part of parts) for (let at = 0; at < part.length; ) at += writeSync(file, part, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}

/** Takes away what a `replaceFile` that did not come to its end left in a folder. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder))
    if (TEMPORARY.test(name)) rmSync(join(folder, name), { force: true })
}

/** Makes a folder, and those that it lies in, so that they outlive a crash of the machine. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true })
  if (first === undefined) return
  for (let made = resolve(folder); made !== dirname(resolve(first)); made = dirname(made))
    syncFolder(dirname(made))
}

/** Puts the names in a folder on the disk; Windows does that by itself, and cannot open folders. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
