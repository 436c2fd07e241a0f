import type { Instrument } from '../../domain/instrument.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import type { SessionRecord } from '../state/session-record.ts'

/** The instruments of a bot with the grids in use, and the reasons that some must not be traded. */
export interface CountedInstruments {
  readonly instruments: ReadonlyMap<string, Instrument>
  /** A sentence with the remedy, by symbol. */
  readonly changed: ReadonlyMap<string, string>
}

/**
 * Instruments as the exchange lists them. An instrument with changed decimals keeps its old grid, because its
 * positions, orders and history are in the old steps and ticks.
 */
export function countedInstruments(
  before: Pick<SessionRecord, 'instruments'> | undefined,
  listed: ReadonlyMap<string, Instrument>,
): CountedInstruments {
  const changed = new Map<string, string>()
  const instruments = new Map(listed)
  for (const known of before?.instruments ?? []) {
    const now = listed.get(known.symbol)
    if (now === undefined || gridOf(now) === gridOf(known)) continue
    const { pricePrecision, quantityPrecision, minQuantity, maxQuantity, minPrice, contractSize } = known
    const counted = { pricePrecision, quantityPrecision, minQuantity, maxQuantity, minPrice, contractSize }
    instruments.set(known.symbol, { ...now, ...counted })
    changed.set(
      known.symbol,
      `The exchange now counts ${known.symbol} in ${gridOf(now)}, but the journal in ${gridOf(known)}, so that no order of ours means what it says any more. Cancel and close by hand what is open of it at the exchange; the bot goes on without it, until it is started with a new journal.`,
    )
  }
  return { instruments, changed }
}

function gridOf({ pricePrecision, quantityPrecision, contractSize, base }: Instrument): string {
  const quantity =
    contractSize === undefined
      ? `${quantityPrecision} of its quantity`
      : `contracts of ${amountToText(contractSize)} ${base}`
  return `${pricePrecision} ${pricePrecision === 1 ? 'decimal' : 'decimals'} of its price and ${quantity}`
}
