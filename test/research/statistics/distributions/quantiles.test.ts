import { expect, it } from 'vitest'
import {
  normalProbability,
  normalQuantile,
} from '../../../../src/research/statistics/distributions/normal-distribution.ts'
import { studentProbability } from '../../../../src/research/statistics/distributions/student-distribution.ts'
import { expectNear } from '../reference-cases.ts'

it('the normal quantile undoes the normal probability', () => {
  for (let x = -30; x < 0; x += 0.37) expectNear(normalQuantile(normalProbability(x)), x, 1e-9)
  for (let x = 0.01; x < 5; x += 0.37) expectNear(normalQuantile(normalProbability(x)), x, 1e-8)
})

it('the normal quantile is infinite at the ends and has no value outside of them', () => {
  expect([0, 0.5, 1, -0.1, 1.1, Number.NaN].map(normalQuantile)).toEqual([
    Number.NEGATIVE_INFINITY,
    0,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ])
})

it.each([-50, -3, -0.2, 0, 0.7, 4, 1000])("Student's probability of at most %d has closed forms", t => {
  expect(studentProbability(t, 1)).toBeCloseTo(0.5 + Math.atan(t) / Math.PI, 12)
  expect(studentProbability(t, 2)).toBeCloseTo(0.5 + t / (2 * Math.sqrt(2 + t * t)), 12)
})

it("Student's distribution comes to the normal one, and has no value without degrees of freedom", () => {
  expect(studentProbability(1.3, 1e7)).toBeCloseTo(normalProbability(1.3), 7)
  expect(studentProbability(1.3, 0)).toBeNaN()
})
