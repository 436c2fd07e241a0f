import type { Convention } from '../../metrics/convention.ts'

/** The convention of all figures, one sentence on returns, one on drawdowns and one on buy and hold. */
export function conventionText({
  returns,
  drawdowns,
  benchmark,
  daysPerYear,
  riskFreeRate,
  ddof,
}: Convention): string[] {
  return [
    `Returns and ratios: ${returns}; ${daysPerYear} days a year, risk-free rate ${percentOf(riskFreeRate)}%, ddof ${ddof}.`,
    `Drawdowns: ${drawdowns}.`,
    `Buy and hold: ${benchmark}.`,
  ]
}

/** 0.035 is 3.5, not 3.5000000000000004. */
function percentOf(fraction: number): number {
  return Number((fraction * 100).toPrecision(15))
}
