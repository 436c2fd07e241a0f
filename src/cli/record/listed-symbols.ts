import { listedText } from '../../bot/venue/unlisted-symbol-error.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { isNotOffered } from '../../exchange/errors/call-not-offered-error.ts'
import type { ExchangeCalls } from '../../exchange/exchange-client.ts'
import { asPairText, isPair } from '../public-exchange.ts'

/**
 * Rejects with `UsageError` for a symbol that its host does not list, which would be asked for in vain for ever. Resolves
 * to a sentence where a host has no list of them.
 */
export async function requireListed(
  { spot, futures }: ExchangeCalls,
  symbols: readonly string[],
): Promise<readonly string[]> {
  const pairs = symbols.filter(isPair)
  const contracts = symbols.filter(symbol => !isPair(symbol))
  return [
    ...(await required(pairs, async () => (await spot.symbols()).map(({ symbol }) => symbol))),
    ...(await required(contracts, async () =>
      (await futures.contracts()).map(({ contractName }) => contractName),
    )),
  ]
}

async function required(
  symbols: readonly string[],
  read: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (symbols.length === 0) return []
  let names: readonly string[]
  try {
    names = await read()
  } catch (error) {
    if (!isNotOffered(error)) throw error
    return [`The host has no list of instruments, so that nobody knows whether it has ${symbols.join(', ')}.`]
  }
  const listed = new Set(names)
  for (const symbol of symbols) {
    if (listed.has(symbol)) continue
    throw new UsageError(
      `The host does not list ${symbol}. ${listedText(symbol, names)}${asPairText(symbol)}`,
    )
  }
  return []
}
