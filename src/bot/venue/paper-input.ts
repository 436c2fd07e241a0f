import type { Accounts } from '../../config/account-fields.ts'
import type { PaperVenueConfig } from '../../config/bot-config.ts'
import type { MarketOf } from '../../config/configured-market.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import type { SessionStart } from '../../matching/session-row.ts'
import type { SimulatorConfigInput } from '../../simulator/simulator-config.ts'
import { paperContract, paperListing } from '../paper/paper-rules.ts'
import { testAccount } from './simulator-input.ts'

/** Finished orders and trades that the paper exchange remembers. */
const KEPT_RECORDS = 2000

/** Configuration of the exchange on which a paper account trades the given instruments. */
export function paperInput(
  venue: PaperVenueConfig,
  accounts: Accounts,
  instruments: Iterable<Instrument>,
  marketOf: MarketOf,
): SimulatorConfigInput {
  const named = Array.from(instruments, instrument => ({ instrument, traded: marketOf(instrument.symbol) }))
  const of = (market: 'spot' | 'futures') =>
    new Map(
      named.filter(({ traded }) => traded.market === market).map(one => [one.traded.name, one.instrument]),
    )
  const [pairs, contracts] = [of('spot'), of('futures')]
  return {
    seed: venue.seed,
    listings: listingsOf(pairs, contracts),
    accounts: [testAccount(venue, accounts)],
    // Observations are recorded in the session, and would fill the memory here.
    keptInputs: 0,
    keptRecords: KEPT_RECORDS,
    futures: {
      contracts: Array.from(contracts, ([name, instrument]) => paperContract(name, instrument)),
      keptRecords: KEPT_RECORDS,
    },
  }
}

/** An exchange has at least one pair; where only contracts are traded, it is one that takes no orders. */
function listingsOf(
  pairs: ReadonlyMap<string, Instrument>,
  contracts: ReadonlyMap<string, Instrument>,
): NonNullable<SimulatorConfigInput['listings']> {
  if (pairs.size > 0)
    return Array.from(pairs, ([symbol, instrument]) => paperListing({ ...instrument, symbol }))
  const [{ base, quote } = { base: 'NONE', quote: 'NONE' }] = contracts.values()
  return [{ symbol: `${base}/${quote}`, market: { type: 'live' }, isTrading: false }]
}

/** Steps of prices and quantities by market, as text that changes when they do. */
export function countedGrids(instruments: Iterable<Instrument>, marketOf: MarketOf): Record<string, string> {
  return Object.fromEntries(
    Array.from(instruments, ({ symbol, pricePrecision, quantityPrecision, contractSize }) => [
      marketOf(symbol).name,
      contractSize === undefined
        ? `${pricePrecision} decimals of price, ${quantityPrecision} of quantity`
        : `${pricePrecision} decimals of price, ${amountToText(contractSize)} a contract`,
    ]),
  )
}

/** Row of a session at the start of a process. */
export function startRow(
  { queue, levels }: PaperVenueConfig,
  instruments: Iterable<Instrument>,
  marketOf: MarketOf,
  process: Pick<SessionStart, 'at' | 'goesOn'>,
): SessionStart {
  const markets = Array.from(
    instruments,
    ({ symbol, pricePrecision, quantityPrecision, contractSize, fees }) => ({
      symbol: marketOf(symbol).name,
      pricePrecision,
      quantityPrecision: contractSize === undefined ? quantityPrecision : 0,
      contractSize: contractSize && amountToText(contractSize),
      makerFeeRate: amountToText(fees.maker),
      takerFeeRate: amountToText(fees.taker),
    }),
  )
  return { type: 'start', ...process, queue, levels, markets }
}
