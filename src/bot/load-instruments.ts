import type { Instrument } from '../domain/instrument.ts'
import { suggestion } from '../domain/nearest-name.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { SpotClient } from '../exchange/spot-client.ts'
import { instrumentOf } from '../exchange/spot-symbol.ts'

/** The instruments of the given symbols with the exchange's rules; throws `UsageError` for a symbol it does not list. */
export async function loadInstruments(
  spot: Pick<SpotClient, 'symbols'>,
  symbols: readonly string[],
): Promise<ReadonlyMap<string, Instrument>> {
  const listed = new Map((await spot.symbols()).map(pair => [pair.symbol, pair]))
  return new Map(
    symbols.map(symbol => {
      const pair = listed.get(symbol)
      if (pair !== undefined) return [symbol, instrumentOf(pair)]
      throw new UsageError(`The exchange does not list ${symbol}.${suggestion(symbol, [...listed.keys()])}`)
    }),
  )
}
