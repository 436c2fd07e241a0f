import type { Convention } from '../metrics/convention.ts'

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
    `Returns and ratios: ${returns}; ${daysPerYear} days a year, risk-free rate ${riskFreeRate * 100} %, ddof ${ddof}.`,
    `Drawdowns: ${drawdowns}.`,
    `Buy and hold: ${benchmark}.`,
  ]
}
