import type { FuturesContract } from './contract.ts'

/** The lower-case code that the list of all tickers is keyed by: `e_btcusdt` for `E-BTC-USDT`. */
function codeOf(contractName: string): string {
  const [kind = '', ...pair] = contractName.split('-')
  return `${kind}_${pair.join('')}`.toLowerCase()
}

/**
 * Maps contract codes (`e_btcusdt`) to contract names by the list of contracts, which is read when needed.
 */
export class ContractNames {
  readonly #readContracts: () => Promise<readonly FuturesContract[]>
  #names: ReadonlyMap<string, string> = new Map()

  constructor(readContracts: () => Promise<readonly FuturesContract[]>) {
    this.#readContracts = readContracts
  }

  /** The values by code as a list with contract names; an unlisted code stays, in upper case. */
  async named<Item>(items: Readonly<Record<string, Item>>): Promise<(Item & { contractName: string })[]> {
    const codes = Object.keys(items)
    if (codes.some(code => !this.#names.has(code.toLowerCase()))) this.learn(await this.#readContracts())
    return Object.entries(items).map(([code, item]) => ({
      ...item,
      contractName: this.#names.get(code.toLowerCase()) ?? code.toUpperCase(),
    }))
  }

  /** Replaces the known contracts. */
  learn(contracts: readonly FuturesContract[]): void {
    this.#names = new Map(contracts.map(({ contractName }) => [codeOf(contractName), contractName]))
  }
}
