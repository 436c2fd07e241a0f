import type { SpotSymbol } from './spot-symbol.ts'

/** The exchange's concatenated spelling of `BASE/QUOTE`, upper case. */
function concatenated(symbol: string): string {
  return symbol.replace('/', '').toUpperCase()
}

/**
 * Maps the exchange's spellings (`btcusdt`, `BTCUSDT`, `BTC/USDT`) to `BASE/QUOTE` by the list of symbols,
 * which is read when first needed and again for an unlisted spelling.
 */
export class SymbolNames {
  readonly #readSymbols: () => Promise<readonly SpotSymbol[]>
  #names: ReadonlyMap<string, string> = new Map()

  constructor(readSymbols: () => Promise<readonly SpotSymbol[]>) {
    this.#readSymbols = readSymbols
  }

  /** The items with symbols as `BASE/QUOTE`; an unlisted spelling stays, in upper case. */
  async named<Item extends { readonly symbol: string }>(items: readonly Item[]): Promise<readonly Item[]> {
    if (items.some(item => this.#nameOf(item.symbol) === undefined)) this.learn(await this.#readSymbols())
    return items.map(item => ({ ...item, symbol: this.#nameOf(item.symbol) ?? item.symbol.toUpperCase() }))
  }

  /** Replaces the known symbols. */
  learn(symbols: readonly SpotSymbol[]): void {
    const names = new Map<string, string>()
    for (const { symbol } of symbols) {
      const spelling = concatenated(symbol)
      // Two pairs with one spelling are ambiguous: neither is guessed.
      names.set(spelling, names.has(spelling) && names.get(spelling) !== symbol ? spelling : symbol)
    }
    for (const { symbol, wireSymbol } of symbols) {
      if (!names.has(concatenated(wireSymbol))) names.set(concatenated(wireSymbol), symbol)
    }
    this.#names = names
  }

  #nameOf(spelling: string): string | undefined {
    return spelling.includes('/') ? spelling.toUpperCase() : this.#names.get(spelling.toUpperCase())
  }
}

/** The items under the requested symbol, in place of the exchange's spelling. */
export function asSymbol<Item extends { readonly symbol: string }>(
  items: readonly Item[],
  symbol: string,
): readonly Item[] {
  return items.map(item => ({ ...item, symbol }))
}
