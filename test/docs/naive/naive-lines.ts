import type { Kline } from '../../../src/domain/market-data/kline.ts'

/** Closes of klines. */
export function closesOf(rows: readonly Kline[]): readonly number[] {
  return rows.map(({ close }) => close)
}

/** Averages of the last `count` values, NaN before there are as many; each summed anew. */
export function averages(values: readonly number[], count: number): readonly number[] {
  return values.map((_, end) => {
    if (end < count - 1) return Number.NaN
    let sum = 0
    for (let index = end - count + 1; index <= end; index++) sum += values[index] ?? Number.NaN
    return sum / count
  })
}

/** Exponential average with the weight of `count` klines, begun with the first value. */
export function exponential(values: readonly number[], count: number): readonly number[] {
  let latest = values[0] ?? Number.NaN
  return values.map(value => {
    latest += (2 / (count + 1)) * (value - latest)
    return latest
  })
}

/** Wilder's average, begun with the plain one of the first `count` values that are there. */
function wilder(values: readonly number[], count: number): readonly number[] {
  let seen = 0
  let latest = 0
  return values.map(value => {
    if (Number.isNaN(value)) return Number.NaN
    seen++
    latest = seen <= count ? latest + value / count : (latest * (count - 1) + value) / count
    return seen < count ? Number.NaN : latest
  })
}

/** Average true range. */
export function ranges(rows: readonly Kline[], count: number): readonly number[] {
  const trueRanges = rows.map(({ high, low }, row) => {
    const before = rows[row - 1]?.close ?? Number.NaN
    return Math.max(high, before) - Math.min(low, before)
  })
  return wilder(trueRanges, count)
}

/** Wilder's RSI of closes. */
export function strengths(closes: readonly number[], count: number): readonly number[] {
  const changes = closes.map((close, row) => close - (closes[row - 1] ?? Number.NaN))
  const ups = wilder(
    changes.map(change => Math.max(change, 0)),
    count,
  )
  const downs = wilder(
    changes.map(change => Math.max(-change, 0)),
    count,
  )
  return ups.map((up, row) => (100 * up) / (up + (downs[row] ?? Number.NaN)))
}

/** Whether a line goes above another at this row; `crossedAbove(b, a, row)` is whether it goes below. */
export function crossedAbove(line: readonly number[], other: readonly number[], row: number): boolean {
  const [now = Number.NaN, before = Number.NaN] = [line[row], line[row - 1]]
  return now > (other[row] ?? Number.NaN) && before <= (other[row - 1] ?? Number.NaN)
}
