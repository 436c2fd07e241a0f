import type { PageColumn } from '../page-data.ts'

/** A column of numbers as differences in whole steps of `10 ** -decimals`; `NaN` becomes a gap. */
export function pageColumn(values: Float64Array, decimals: number): PageColumn {
  const scale = 10 ** decimals
  let last = 0
  const differences = Array.from(values, value => {
    if (!Number.isFinite(value)) return null
    const whole = Math.round(value * scale)
    const difference = whole - last
    last = whole
    return difference
  })
  return { step: 10 ** -decimals, differences }
}
