import { expect, it } from 'vitest'
import { resumableBacktest, runBacktest } from '../../../backtest/run/run-backtest.ts'
import { ETH, klinesAt, marketOf, several } from '../markets/several.ts'
import { randomRows, randomSignals } from '../random-market.ts'

const KLINES = klinesAt(randomRows(7, 3000))
const ONE = [marketOf(randomSignals, KLINES)]
const TWO = [...ONE, marketOf(randomSignals, KLINES, { instrument: ETH })]

it.each([
  // The first step has 8 klines; a quick one doubles the next, one of 200 ms leaves an eighth, one of 10 s the least.
  ['one market', ONE, [8, 16, 2, 1, 1, 2, 2]],
  // The least is a moment, at which both markets close.
  ['two markets', TWO, [8, 16, 2, 2, 2, 2, 2]],
])('the steps of %s follow the time that they take, and change no result', (_, markets, expected) => {
  const took = [0, 200, 10_000, 10_000, 1, 60]
  const work = resumableBacktest(several(markets))
  const steps: unknown[] = [work.next().value]
  for (const ms of took) steps.push(work.next(ms).value)
  expect(steps).toEqual(expected)
  for (;;) {
    const step = work.next(60)
    if (step.done !== true) continue
    const { fills, equity, roundTrips } = runBacktest(several(markets))
    expect(step.value.fills).toEqual(fills)
    expect([...step.value.equity]).toEqual([...equity])
    expect(step.value.roundTrips).toEqual(roundTrips)
    expect(fills.length).toBeGreaterThan(0)
    return
  }
})
