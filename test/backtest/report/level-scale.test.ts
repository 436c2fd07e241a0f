import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { PageLevels } from '../../../backtest/report/page-data.ts'

interface Axis {
  readonly level: {
    readonly time: readonly number[]
    readonly low: readonly number[]
    readonly high: readonly number[]
    readonly seconds: number
  }
  readonly start: number
  readonly end: number
}

// It runs in browsers, and is checked as such; what is used here of it is said above.
const PAGE = resolve(import.meta.dirname, '../../../backtest/report/page')
const {
  levelScale,
}: {
  levelScale: (
    axis: Axis,
    view: { from: number; to: number },
    levels: PageLevels,
    near: { rows: readonly number[]; ticksPerOne: number },
  ) => { minValue: number; maxValue: number } | undefined
} = await import(pathToFileURL(join(PAGE, 'level-scale.js')).href)

type Orders = { readonly levels: PageLevels; readonly ends: { readonly time: readonly number[] } }

const {
  OrderMarks,
}: {
  OrderMarks: new (
    data: Orders,
    pricePrecision: number,
    palette: object,
  ) => {
    show(axis: Axis & { timeAt(place: number): number }, from: number, to: number): void
    autoscaleInfo(first: number, last: number): object | null
  }
} = await import(pathToFileURL(join(PAGE, 'order-marks.js')).href)

/** Four klines of a minute; the last two, which are in view, lie between 99 and 101. */
const AXIS: Axis = {
  level: { seconds: 60, time: [0, 60, 120, 180], low: [50, 50, 99, 99.5], high: [60, 60, 100, 101] },
  ...{ start: 0, end: 4 },
}
const VIEW = { from: 120, to: 240 }

/** Levels by price, each of which stands from one time to another. */
const scaleOf = (...levels: readonly (readonly [price: number, from: number, to: number])[]) =>
  levelScale(
    AXIS,
    VIEW,
    {
      price: levels.map(([price]) => price * 100),
      from: levels.map(([, from]) => from),
      to: levels.map(([, , to]) => to),
      kind: levels.map(() => 0),
    },
    { rows: levels.map((_, row) => row), ticksPerOne: 100 },
  )

describe('the scale of prices in a chart', () => {
  it('reaches to a stop two percent below and a target two percent above', () => {
    expect(scaleOf([98, 0, 300], [102, 0, 300])).toEqual({ minValue: 98, maxValue: 102 })
  })

  it('does not reach to levels farther than three percent from the klines in view', () => {
    // 3% below 99 is 96.03, 3% above 101 is 104.03.
    expect(scaleOf([96, 0, 300], [104.1, 0, 300])).toBeUndefined()
    expect(scaleOf([96.1, 0, 300], [104, 0, 300])).toEqual({ minValue: 96.1, maxValue: 104 })
  })

  it('leaves out levels that stood before or after what is in view', () => {
    expect(scaleOf([98, 0, 120], [97, 240, 300])).toBeUndefined()
  })

  it('is what the marks of orders ask the chart for', () => {
    const levels: PageLevels = { price: [9800], from: [0], to: [300], kind: [0] }
    const marks = new OrderMarks({ levels, ends: { time: [] } }, 2, {})
    expect(marks.autoscaleInfo(2, 3)).toBeNull()
    marks.show({ ...AXIS, timeAt: place => place * 60 }, 120, 240)
    expect(marks.autoscaleInfo(2, 3)).toEqual({ priceRange: { minValue: 98, maxValue: 98 } })
  })
})
