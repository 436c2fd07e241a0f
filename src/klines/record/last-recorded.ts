import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** Enough for two of the longest lines: a book of 100 levels a side. */
const TAIL = 131_072
const NS_PER_MS = 1e6

/** Time of the last row in a folder of recorded ticks, ms UTC by the recorder's clock; `undefined` without rows. */
export function lastRecordedAt(folder: string): number | undefined {
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder).filter(name => /^\d{4}-\d\d-\d\d\.(trades|depth|index)\.csv$/.test(name))
  const [newest] = files.map(name => name.slice(0, 10)).toSorted((left, right) => (left < right ? 1 : -1))
  const times = files
    .filter(name => newest !== undefined && name.startsWith(newest))
    .map(name => lastTimeIn(join(folder, name)))
    .filter(time => !Number.isNaN(time))
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Time of the last whole line; NaN if there is only the header. */
function lastTimeIn(path: string): number {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const tail = Buffer.alloc(Math.min(size, TAIL))
    readSync(file, tail, 0, tail.length, size - tail.length)
    const lines = tail.toString('latin1').split('\n')
    // After the last line break is nothing, or the half line of a killed process.
    return Math.round(Number(lines.at(-2)?.split(',')[0]) / NS_PER_MS)
  } finally {
    closeSync(file)
  }
}
