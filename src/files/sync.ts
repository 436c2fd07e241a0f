import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Flushes the content of a file to disk. */
export function syncFile(path: string): void {
  syncHandle(openSync(path, 'r+'))
}

/** Flushes the names in a folder to disk; Windows does that itself, and cannot open folders. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') syncHandle(openSync(folder, 'r'))
}

function syncHandle(handle: number): void {
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
