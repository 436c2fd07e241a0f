import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../../domain/sluice-error.ts'
import { makePrivateFile, makePrivateFolder } from '../../files/private-file.ts'

/** Makes a folder that only its user may enter, unless it exists. Throws `UsageError` where the path or its rights do not allow it. */
export function prepareFolder(path: string): void {
  refused(`The folder ${path}`, () => makePrivateFolder(path))
}

/** Makes an empty file that only its user may read, unless it exists. Throws `UsageError` where the path or its rights do not allow it. */
export function prepareFile(path: string): void {
  refused(`The file ${path}`, () => makePrivateFile(path))
}

/**
 * Reason that no new file can be created at a path, including its absent folders: the nearest existing
 * ancestor is not a folder, or its user may not write there. `undefined` if it can. Changes nothing.
 */
export function whyNotMakable(path: string): string | undefined {
  let folder = dirname(resolve(path))
  try {
    let there = statSync(folder, { throwIfNoEntry: false })
    while (there === undefined) {
      folder = dirname(folder)
      there = statSync(folder, { throwIfNoEntry: false })
    }
    if (!there.isDirectory()) return `${folder} is no folder`
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch {
    return `the folder ${folder} cannot be written`
  }
}

/** By the code of the operating system. */
const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'an ordinary file stands where a folder is needed',
  ENOTDIR: 'an ordinary file stands where a folder is needed',
  EISDIR: 'it is a folder',
  EACCES: 'its user has no right to write there',
  EPERM: 'its user has no right to write there',
  EROFS: 'that disk can only be read',
  ENOENT: 'the path leads nowhere',
}

function refused(name: string, make: () => void): void {
  try {
    make()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = REASONS[code]
    if (reason === undefined) throw error
    throw new UsageError(
      `${name} cannot be made: ${reason}. Name a path in a folder that you may write to.`,
      error,
    )
  }
}
