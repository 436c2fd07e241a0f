import type { Steps, Ticks } from '../../domain/numbers/grid.ts'

/** The best bid and ask of a recorded market as of a time, on the grid of its instrument. */
export interface Quotes {
  /** ms UTC. */
  readonly time: number
  readonly bid: Ticks
  readonly bidQuantity: Steps
  readonly ask: Ticks
  readonly askQuantity: Steps
}

/** The same quotes made wide enough for a print at `price`: the record of the quotes may lag behind that of the trades. */
export function quotesAround(quotes: Quotes, price: Ticks): Quotes {
  const { bid, ask } = quotes
  if (bid <= price && price <= ask) return quotes
  return { ...quotes, bid: price < bid ? price : bid, ask: price > ask ? price : ask }
}
