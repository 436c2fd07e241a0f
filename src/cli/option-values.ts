import { InvalidArgumentError } from 'commander'

/** Parser of a whole number from `min` to `max`; throws commander's error for other text. */
export function wholeNumberOption(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const expected =
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${min}`
      : `a whole number from ${min} to ${max}`
  return text => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`Give ${expected}.`)
  }
}

/** Parses a number above 0. */
export function positiveNumberOption(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new InvalidArgumentError('Give a number above 0.')
}

/** Parses a fraction from 0 up to 1. */
export function fractionOption(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value >= 0 && value < 1) return value
  throw new InvalidArgumentError('Give a fraction from 0 up to 1, such as 0.001 for 0.1%.')
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Parses a duration such as 500ms, 60s, 5m or 1h; in ms. */
export function durationOption(text: string): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? []
  const value = Math.round(Number(count) * (UNIT_MS[unit] ?? Number.NaN))
  if (value > 0) return value
  throw new InvalidArgumentError('Give a duration above 0 with its unit, such as 500ms, 60s, 5m or 1h.')
}

/** Parses a time: an ISO date or time in UTC (2018-01-31, 2018-01-31T08:30), or ms since 1970; in ms. */
export function timeOption(text: string): number {
  if (/^\d{12,14}$/.test(text)) return Number(text)
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?)?$/.test(text)
  const time = isIso ? Date.parse(text.length > 10 && !text.endsWith('Z') ? `${text}Z` : text) : Number.NaN
  // Refuses an invalid date: 31 February must not become 3 March.
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10))) return time
  throw new InvalidArgumentError(
    'Give an ISO date or time in UTC, such as 2018-01-31 or 2018-01-31T08:30, or milliseconds since 1970.',
  )
}

/** Parses a `name=value`, or another shape of which `example` tells how it is written, and adds it to the earlier ones. */
export function assignmentOption(
  text: string,
  before: Readonly<Record<string, string>> = {},
  example = 'name=value, such as fast=20',
): Readonly<Record<string, string>> {
  const [, name, value] = /^([^=\s]+)=(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError(`Write ${example}.`)
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`"${name}" is given twice; give it once.`)
  return { ...before, [name]: value }
}
