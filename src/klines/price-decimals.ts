import type { KlineSeries } from '../domain/market-data/kline-series.ts'

/** Part of a value that counts as the noise of a double: two of its last bits. */
const NOISE = 2 ** -50

/** The most decimals that a price of klines has, counted up to `most`; noise in the last bits of a double is none. */
export function priceDecimals(klines: KlineSeries & { readonly length: number }, most: number): number {
  let decimals = 0
  for (const column of [klines.open, klines.high, klines.low, klines.close]) {
    for (let row = 0; row < klines.length && decimals < most; row++) {
      const price = column[row] as number
      while (decimals < most && !isWhole(price * 10 ** decimals)) decimals++
    }
  }
  return decimals
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= value * NOISE
}
