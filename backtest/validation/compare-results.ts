import { isRecord } from '../../src/domain/is-record.ts'

export interface PartComparison {
  /** Part of the result: `manifest.code`, `roundTrips`, … */
  readonly part: string
  /** Path and both values of the first difference; `undefined` if the part is equal. */
  readonly difference: string | undefined
}

/** A result as JSON, read. */
export type ResultObject = Readonly<Record<string, unknown>>

/** Compares two results part by part: each key of the manifest, then every other key of either. */
export function compareResults(recorded: ResultObject, now: ResultObject): PartComparison[] {
  const { manifest: recordedManifest, ...recordedRest } = recorded
  const { manifest: manifestNow, ...restNow } = now
  return [
    ...partsOf(recordOf(recordedManifest), recordOf(manifestNow), 'manifest.'),
    ...partsOf(recordedRest, restNow, ''),
  ]
}

function partsOf(recorded: ResultObject, now: ResultObject, prefix: string): PartComparison[] {
  const names = new Set([...Object.keys(recorded), ...Object.keys(now)])
  return [...names].map(name => {
    const part = `${prefix}${name}`
    return { part, difference: firstDifferenceIn(recorded[name], now[name], part) }
  })
}

/** `roundTrips[3].pnl was 1.5 and is 1.6`, for the first place at which two values of JSON differ; the order of keys counts. */
function firstDifferenceIn(was: unknown, is: unknown, path: string): string | undefined {
  if (Array.isArray(was) && Array.isArray(is)) return listDifference(was, is, path)
  if (isRecord(was) && isRecord(is)) return recordDifference(was, is, path)
  return Object.is(was, is) ? undefined : `${path} was ${shown(was)} and is ${shown(is)}`
}

function listDifference(was: readonly unknown[], is: readonly unknown[], path: string): string | undefined {
  const shared = Math.min(was.length, is.length)
  for (let index = 0; index < shared; index++) {
    const difference = firstDifferenceIn(was[index], is[index], `${path}[${index}]`)
    if (difference !== undefined) return difference
  }
  return was.length === is.length ? undefined : `${path} had ${was.length} entries and has ${is.length}`
}

function recordDifference(was: ResultObject, is: ResultObject, path: string): string | undefined {
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const difference = firstDifferenceIn(was[name], is[name], `${path}.${name}`)
    if (difference !== undefined) return difference
  }
  const isSameOrder = Object.keys(was).join() === Object.keys(is).join()
  return isSameOrder ? undefined : `${path} has its keys in another order`
}

function recordOf(value: unknown): ResultObject {
  return isRecord(value) ? value : {}
}

const LONGEST = 80

function shown(value: unknown): string {
  if (value === undefined) return 'absent'
  const text = JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
