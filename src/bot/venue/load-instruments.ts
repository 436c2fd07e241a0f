import type { Accounts } from '../../config/account-fields.ts'
import { configuredMarkets, type MarketOf } from '../../config/configured-market.ts'
import { givenFor, type RulesBySymbol } from '../../config/instrument-rules.ts'
import { maintenanceFor } from '../../config/maintenance.ts'
import { listedName } from '../../domain/account-symbol.ts'
import { type Instrument, OWN_FUNDS } from '../../domain/instrument.ts'
import { amountToText, type Rate } from '../../domain/numbers/amount.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { FuturesClient } from '../../exchange/client/futures-client.ts'
import type { SpotClient } from '../../exchange/client/spot-client.ts'
import { contractInstrument } from '../../exchange/futures/contract-instrument.ts'
import { DOCUMENT_PROFILE } from '../../exchange/profiles/document-profile.ts'
import { instrumentOf } from '../../exchange/spot/spot-symbol.ts'
import { type ConfiguredListing, configuredContract, configuredPair } from './configured-listing.ts'
import { hostOrderKinds } from './host-order-kinds.ts'
import { type MissingRules, MissingRulesError } from './missing-rules-error.ts'
import { ReadListing } from './read-listing.ts'
import { UnlistedSymbolError } from './unlisted-symbol-error.ts'
import { futuresOf, type Venue } from './venue.ts'

/** The lists of an exchange, and how it differs from the interface document. */
interface Lists extends Pick<Venue, 'profile'> {
  readonly spot: Pick<SpotClient, 'symbols'>
  readonly futures?: Pick<FuturesClient, 'contracts'> | undefined
}

/** Configured rules of instruments. */
export interface ConfiguredInstruments {
  /** Rules that count instead of the listed ones, and those that the exchange lists nowhere. */
  readonly rules?: RulesBySymbol | undefined
  /** Largest slippage of a market order, a fraction of its price. */
  readonly maxSlippageRate?: Rate | undefined
  /** File of the configuration, for the line at which missing rules are to be written. */
  readonly configPath?: string | undefined
  /** Told a sentence about entries that were left out, and about rules that the exchange lists otherwise. */
  readonly onRemark?: ((sentence: string) => void) | undefined
}

/** An instrument, or the rules that it lacks. */
type Loaded = Instrument | MissingRules

/**
 * The instruments of the given symbols with the rules of the exchange and of the configuration; throws
 * `UnlistedSymbolError` for a symbol that is unlisted, `UsageError` for one whose entry cannot be read, and for a contract that the
 * account cannot hold as configured, `MissingRulesError` for rules that are given nowhere.
 */
export async function loadInstruments(
  venue: Lists,
  symbols: readonly string[],
  accounts: Accounts,
  configured: ConfiguredInstruments = {},
): Promise<ReadonlyMap<string, Instrument>> {
  const marketOf = configuredMarkets(accounts)
  const isSpot = (symbol: string) => marketOf(symbol).market === 'spot'
  const pairs = await pairInstruments(venue, symbols.filter(isSpot), marketOf, configured)
  const contracts = await contractInstruments(
    venue,
    symbols.filter(symbol => !isSpot(symbol)),
    accounts,
    configured,
  )
  const loaded = symbols.flatMap(symbol => pairs(symbol) ?? contracts(symbol) ?? [])
  const missing = loaded.flatMap(one => ('rules' in one ? [one] : []))
  if (missing.length > 0) throw new MissingRulesError(missing, configured.configPath)
  const { maxSlippageRate } = configured
  const slippage = maxSlippageRate && { maxSlippageRate: Number(amountToText(maxSlippageRate)) }
  return new Map(
    loaded.flatMap(one => ('rules' in one ? [] : [[one.symbol, { ...one, ...slippage }] as const])),
  )
}

type LoadedOf = (symbol: string) => Loaded | undefined

async function pairInstruments(
  { spot, profile = DOCUMENT_PROFILE }: Lists,
  symbols: readonly string[],
  marketOf: MarketOf,
  { rules = {}, onRemark = () => {} }: ConfiguredInstruments,
): Promise<LoadedOf> {
  if (symbols.length === 0) return () => undefined
  const listed = await ReadListing.of('pairs', spot.symbols, pair => pair.symbol)
  listed.remark(onRemark)
  const wanted = new Set(symbols)
  const kinds = hostOrderKinds(profile, 'spot')
  return symbol => {
    if (!wanted.has(symbol)) return undefined
    const { account, name } = marketOf(symbol)
    const found = configuredPair(entryOf(symbol, name, listed), givenFor(rules, symbol))
    return completed(symbol, found, onRemark, pair => ({
      ...{ ...instrumentOf(pair), ...kinds, symbol },
      ...(account === 'margin' && OWN_FUNDS),
    }))
  }
}

async function contractInstruments(
  venue: Lists,
  symbols: readonly string[],
  accounts: Accounts,
  { rules = {}, onRemark = () => {} }: ConfiguredInstruments,
): Promise<LoadedOf> {
  const { futures: terms } = accounts
  if (symbols.length === 0 || terms === undefined) return () => undefined
  const marketOf = configuredMarkets(accounts)
  const kinds = hostOrderKinds(venue.profile ?? DOCUMENT_PROFILE, 'futures')
  const listed = await ReadListing.of(
    'contracts',
    futuresOf(venue).contracts,
    contract => contract.contractName,
  )
  listed.remark(onRemark)
  const wanted = new Set(symbols)
  return symbol => {
    if (!wanted.has(symbol)) return undefined
    const found = configuredContract(entryOf(symbol, marketOf(symbol).name, listed), givenFor(rules, symbol))
    return completed(symbol, found, onRemark, contract => ({
      ...contractInstrument(contract, symbol, { ...terms, maintenance: maintenanceFor(symbol, rules) }),
      ...kinds,
    }))
  }
}

function completed<Listed>(
  symbol: string,
  { listing, missing, difference }: ConfiguredListing<Listed>,
  onRemark: (sentence: string) => void,
  instrument: (listing: Listed) => Instrument,
): Loaded {
  if (difference !== undefined) onRemark(difference)
  return missing.length > 0 ? { symbol, rules: missing } : instrument(listing)
}

function entryOf<Listed>(symbol: string, name: string, listed: ReadListing<Listed>): Listed {
  const entry = listed.entry(name)
  if (entry !== undefined) return entry
  const odd = listed.unreadable(name)
  const what = name === listedName(symbol) ? name : `${symbol} as the contract ${name}`
  if (odd !== undefined)
    throw new UsageError(
      `The exchange's entry of ${what} cannot be read: ${odd.key} ${odd.rule}. Trade another instrument until the exchange has corrected it.`,
    )
  throw new UnlistedSymbolError(what, name, listed.names)
}
