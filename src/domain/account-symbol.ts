/** Suffix of a symbol traded on the margin account while the spot account trades the same pair. */
const ON_MARGIN = '@margin'

/** Account suffix of a symbol, as in `BTC/USDT@margin`; `undefined` without one. */
export function accountIn(symbol: string): 'margin' | undefined {
  return symbol.endsWith(ON_MARGIN) ? 'margin' : undefined
}

/** The exchange's name of a symbol: `BTC/USDT` for `BTC/USDT@margin`. */
export function listedName(symbol: string): string {
  return symbol.endsWith(ON_MARGIN) ? symbol.slice(0, -ON_MARGIN.length) : symbol
}
