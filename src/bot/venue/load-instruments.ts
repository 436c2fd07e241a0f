import type { Accounts } from '../../config/account-fields.ts'
import { configuredMarkets, type MarketOf } from '../../config/configured-market.ts'
import { type MaintenanceBySymbol, maintenanceFor } from '../../config/maintenance.ts'
import { listedName } from '../../domain/account-symbol.ts'
import { type Instrument, OWN_FUNDS } from '../../domain/instrument.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import { amountToText, type Rate } from '../../domain/numbers/amount.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { contractInstrument } from '../../exchange/futures/contract-instrument.ts'
import { instrumentOf } from '../../exchange/spot/spot-symbol.ts'
import { futuresOf, type Venue } from './venue.ts'

type Lists = Pick<Venue, 'spot' | 'futures'>

/** Configured rules of instruments. */
interface Configured {
  /** Maintenance rates of contracts, which the exchange lists nowhere. */
  readonly maintenance?: MaintenanceBySymbol | undefined
  /** Largest slippage of a market order, a fraction of its price. */
  readonly maxSlippageRate?: Rate | undefined
}

/**
 * The instruments of the given symbols with the rules of the exchange and of the configuration; throws
 * `UsageError` for an unlisted symbol, and for a contract that the account cannot hold as configured.
 */
export async function loadInstruments(
  venue: Lists,
  symbols: readonly string[],
  accounts: Accounts,
  { maintenance = {}, maxSlippageRate }: Configured = {},
): Promise<ReadonlyMap<string, Instrument>> {
  const marketOf = configuredMarkets(accounts)
  const isSpot = (symbol: string) => marketOf(symbol).market === 'spot'
  const pairs = await pairInstruments(venue, symbols.filter(isSpot), marketOf)
  const contracts = await contractInstruments(
    venue,
    symbols.filter(symbol => !isSpot(symbol)),
    accounts,
    maintenance,
  )
  const slippage = maxSlippageRate && { maxSlippageRate: Number(amountToText(maxSlippageRate)) }
  return new Map(
    symbols
      .flatMap(symbol => pairs(symbol) ?? contracts(symbol) ?? [])
      .map(one => [one.symbol, { ...one, ...slippage }]),
  )
}

type InstrumentOf = (symbol: string) => Instrument | undefined

async function pairInstruments(
  { spot }: Lists,
  symbols: readonly string[],
  marketOf: MarketOf,
): Promise<InstrumentOf> {
  if (symbols.length === 0) return () => undefined
  const listed = new Map((await spot.symbols()).map(pair => [pair.symbol, pair]))
  const wanted = new Set(symbols)
  return symbol => {
    if (!wanted.has(symbol)) return undefined
    const { account, name } = marketOf(symbol)
    const pair = { ...instrumentOf(found(symbol, name, listed)), symbol }
    return account === 'margin' ? { ...pair, ...OWN_FUNDS } : pair
  }
}

async function contractInstruments(
  venue: Lists,
  symbols: readonly string[],
  accounts: Accounts,
  maintenance: MaintenanceBySymbol,
): Promise<InstrumentOf> {
  const { futures: terms } = accounts
  if (symbols.length === 0 || terms === undefined) return () => undefined
  const marketOf = configuredMarkets(accounts)
  const contracts = await futuresOf(venue).contracts()
  const listed = new Map(contracts.map(contract => [contract.contractName, contract]))
  const wanted = new Set(symbols)
  return symbol => {
    if (!wanted.has(symbol)) return undefined
    const listing = found(symbol, marketOf(symbol).name, listed)
    return contractInstrument(listing, symbol, { ...terms, maintenance: maintenanceFor(symbol, maintenance) })
  }
}

function found<Listed>(symbol: string, name: string, listed: ReadonlyMap<string, Listed>): Listed {
  const entry = listed.get(name)
  if (entry !== undefined) return entry
  const what = name === listedName(symbol) ? name : `${symbol} as the contract ${name}`
  throw new UsageError(`The exchange does not list ${what}.${suggestion(name, [...listed.keys()])}`)
}
