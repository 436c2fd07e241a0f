import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { UsageError } from '../../../domain/sluice-error.ts'

/** The one file in a ZIP file. */
export interface ZippedText {
  readonly stream: Readable
  readonly bytes: number
}

/** Opens the only data file in a ZIP file; rejects with `UsageError` if there is none or more than one. */
export async function openZippedText(path: string): Promise<ZippedText> {
  const zip: ZipFile = await openPromise(path, { autoClose: false })
  try {
    const entry = await onlyEntry(zip, path)
    const stream = await zip.openReadStreamPromise(entry)
    return { stream: stream.once('close', () => zip.close()), bytes: entry.uncompressedSize }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function onlyEntry(zip: ZipFile, path: string): Promise<Entry> {
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) if (isData(entry)) entries.push(entry)
  const [entry] = entries
  if (entry !== undefined && entries.length === 1) return entry
  const names = entries.map(({ fileName }) => fileName).join(', ')
  throw new UsageError(
    `The ZIP file ${path} holds ${entries.length} data files${names && ` (${names})`}; expected one CSV or JSON file.`,
  )
}

/** False for a folder, a checksum, or a file that macOS adds. */
function isData({ fileName }: Entry): boolean {
  return !/\/$|\.checksum$|^__MACOSX\//i.test(fileName)
}
