/** One closed kline. Prices in quote per base, volume in base; statistics, hence `number`. */
export interface Kline {
  /** Open time, ms UTC. */
  readonly openTime: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/**
 * Problem of an impossible kline, worded to follow its name; `undefined` for a possible one: 0 < low <= open,
 * close <= high.
 */
export function klineProblem({ open, high, low, close, volume }: Kline): string | undefined {
  return (
    priceProblem({ open, high, low, close }) ??
    (high < Math.max(open, low, close) ? `its high of ${high} is below another of its prices` : undefined) ??
    (low > Math.min(open, close) ? `its low of ${low} is above another of its prices` : undefined) ??
    (Number.isFinite(volume) && volume >= 0 ? undefined : `its volume is ${volume}`)
  )
}

function priceProblem(prices: Readonly<Record<string, number>>): string | undefined {
  const wrong = Object.entries(prices).find(([, price]) => !(Number.isFinite(price) && price > 0))
  return wrong && `its ${wrong[0]} is ${wrong[1]}`
}
