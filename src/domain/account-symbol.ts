/** What the symbol of a pair ends with that is traded on the margin account while the spot account trades the same pair. */
const ON_MARGIN = '@margin'

/** The account that a symbol names behind its pair, as `BTC/USDT@margin` does; `undefined` for one that names none. */
export function accountIn(symbol: string): 'margin' | undefined {
  return symbol.endsWith(ON_MARGIN) ? 'margin' : undefined
}

/** What the exchange calls a symbol: that of `BTC/USDT@margin` is `BTC/USDT`. */
export function listedName(symbol: string): string {
  return symbol.endsWith(ON_MARGIN) ? symbol.slice(0, -ON_MARGIN.length) : symbol
}
