const HOUR = 3_600_000

/** Open time of the first kline, ms UTC. */
export const START = Date.UTC(2024, 0, 1)

/** CSV of hourly klines on a wave around 100 with 48 klines a period; rows in `without` are left out. */
export function waveCsv(count: number, without: readonly number[] = []): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const [open, close] = [priceAt(index), priceAt(index + 1)]
    const [high, low] = [Math.max(open, close) + 0.5, Math.min(open, close) - 0.5]
    return [START + index * HOUR, open, high.toFixed(2), low.toFixed(2), close, 10].join(',')
  })
  return `idx,open,high,low,close,vol\n${rows.filter((_, index) => !without.includes(index)).join('\n')}\n`
}

function priceAt(index: number): number {
  return Number((100 + 10 * Math.sin((index * Math.PI) / 24) + index / 50).toFixed(2))
}
