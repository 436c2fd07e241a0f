import { expect, it } from 'vitest'
import { SettledFunding } from '../../../src/bot/inputs/settled-funding.ts'

const HOUR = 3_600_000
const at = (hours: number, minutes: number) => hours * HOUR + minutes * 60_000

/** Rates as read, and what is told of them: hours and rates. */
function told(reads: readonly (readonly [time: number, rate: number])[]): readonly string[] {
  const funding = new SettledFunding()
  return reads.flatMap(([time, rate]) =>
    funding
      .observe('E-BTC-USDT', rate, time)
      .map(({ fundingRate }) => `${fundingRate.time / HOUR}: ${fundingRate.rate}`),
  )
}

it('tells a rate that changes as settled at the full hour before', () => {
  expect(
    told([
      [at(9, 10), 0.1],
      [at(9, 40), 0.1],
      [at(12, 1), 0.2],
      [at(12, 30), 0.2],
    ]),
  ).toEqual(['9: 0.1', '12: 0.2'])
})

it('takes a rate that stays to be settled anew every eight hours, once that must have been read', () => {
  expect(
    told([
      [at(9, 10), 0.1],
      [at(16, 4), 0.1],
      [at(16, 5), 0.1],
      [at(23, 0), 0.1],
      [at(24, 6), 0.1],
    ]),
  ).toEqual(['9: 0.1', '16: 0.1', '24: 0.1'])
})
