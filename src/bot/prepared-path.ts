import { UsageError } from '../domain/sluice-error.ts'
import { makePrivateFile, makePrivateFolder } from '../files/private-file.ts'

/** Makes a folder that only its user may enter, unless it exists. Throws `UsageError` where the path or its rights do not allow it. */
export function prepareFolder(path: string): void {
  refused(`The folder ${path}`, () => makePrivateFolder(path))
}

/** Makes an empty file that only its user may read, unless it exists. Throws `UsageError` where the path or its rights do not allow it. */
export function prepareFile(path: string): void {
  refused(`The file ${path}`, () => makePrivateFile(path))
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
