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
import { syncFolder } from '../../files/sync.ts'

const TEMPORARY = /^\..+\.tmp$/

/**
 * Replaces a file, given in parts, atomically: after a crash of the process or the machine it has its old or
 * its new content. Its name is on the disk once `syncFolder` has returned. Only one process at a time may
 * replace files of a folder.
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

/** Removes temporary files of interrupted `replaceFile` calls. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder))
    if (TEMPORARY.test(name)) rmSync(join(folder, name), { force: true })
}

/** Creates a folder and its parents so that they survive a crash of the machine. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true })
  if (first === undefined) return
  for (let made = resolve(folder); made !== dirname(resolve(first)); made = dirname(made))
    syncFolder(dirname(made))
}
