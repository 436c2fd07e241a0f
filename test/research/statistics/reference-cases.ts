import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Resamples } from '../../../src/research/statistics/resampling/resamples.ts'
import type { Statistic } from '../../../src/research/statistics/statistic.ts'
import { sharedPath } from '../../shared-data.ts'

/** Cases of one file of reference figures; its README says where they are from. */
export function referenceCases<Case>(file: string): readonly Case[] {
  const text = readFileSync(sharedPath('oracles', 'research', `${file}.json`), 'utf8')
  return JSON.parse(text, (_, value) => NOT_FINITE[value as keyof typeof NOT_FINITE] ?? value).cases
}

/** JSON has no words for these. */
const NOT_FINITE = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
}

interface NamedReturns {
  readonly id: string
  readonly returns: readonly number[]
}

const series = new Map<string, readonly number[]>()

/** The returns of a case, which may name a series of `moments`. */
export function returnsOfCase(given: { returns?: readonly number[]; series?: string }): readonly number[] {
  if (given.returns !== undefined) return given.returns
  if (series.size === 0) {
    for (const { id, returns } of referenceCases<NamedReturns>('moments')) series.set(id, returns)
  }
  const named = series.get(given.series ?? '')
  if (named === undefined) throw new Error(`There is no series ${given.series}.`)
  return named
}

/** Expects a number within a part of the expected one; zero within 1e-14. */
export function expectNear(actual: number | undefined, expected: number, tolerance: number): void {
  const error = Math.abs((actual ?? Number.NaN) - expected)
  if (error <= Math.abs(expected) * tolerance || error <= ROUNDING_OF_ZERO) return
  expect.fail(`${actual} is not ${expected} within ${tolerance} of it: off by ${error}.`)
}

const ROUNDING_OF_ZERO = 1e-14

/** Expects a statistic, or, for an expected `null`, that it is undefined with a sentence. */
export function expectStatistic(actual: Statistic, expected: number | null, tolerance: number): void {
  if (expected === null) expect(actual).toEqual({ value: undefined, reason: expect.stringMatching(SENTENCE) })
  else expectNear(actual.value, expected, tolerance)
}

/** The form of every reason. */
export const SENTENCE = /^[A-Z0-9-].*\.$/s

/** Expects two lists of numbers. */
export function expectAllNear(
  actual: ArrayLike<number>,
  expected: readonly number[],
  tolerance: number,
): void {
  expect(actual.length).toBe(expected.length)
  for (const [index, value] of expected.entries()) expectNear(actual[index], value, tolerance)
}

/** The value of a statistic that must be defined. */
export function definedValue<Value>(statistic: Statistic<Value>): Value {
  if (statistic.value === undefined) throw new Error(`Undefined: ${statistic.reason}`)
  return statistic.value
}

/** Columns of a table of rows. */
export function columnsOf(rows: readonly (readonly number[])[]): Float64Array[] {
  return (rows[0] ?? []).map((_, column) => Float64Array.from(rows, row => row[column] ?? Number.NaN))
}

/** Resamples that are given. */
export function givenResamples(rows: readonly (readonly number[])[]): Resamples {
  return {
    count: rows.length,
    size: rows[0]?.length ?? 0,
    fill: (number, indices) => indices.set(rows[number] ?? []),
  }
}
