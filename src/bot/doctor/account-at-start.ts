import { existsSync } from 'node:fs'
import type { Instrument } from '../../domain/instrument.ts'
import type { Ticks } from '../../domain/numbers/grid.ts'
import { Ledger, type LedgerState } from '../../ledger/ledger.ts'
import { lastState } from '../start/last-state.ts'
import { countedInstruments } from '../venue/counted-instruments.ts'
import type { Holdings } from '../venue/venue-accounts.ts'

/** An instrument that the bot trades or follows, at its latest prices. */
export interface PricedInstrument {
  readonly instrument: Instrument
  readonly price: Ticks
  /** Mark price of a contract. */
  readonly markPrice?: Ticks | undefined
}

/** Ledger and instruments of the last session in a journal. */
export interface JournaledAccount {
  readonly ledger: LedgerState
  readonly instruments: readonly Instrument[]
}

/**
 * Reads the ledger that a bot goes on from; changes no file. `undefined` without a session, and for a journal
 * that cannot be used, which the start refuses.
 */
export async function journaledAccount(file: string | undefined): Promise<JournaledAccount | undefined> {
  if (file === undefined || !existsSync(file)) return undefined
  const state = await lastState(file)
  if (state === undefined) return undefined
  const { ledger } = state.engine
  return { ledger: ledger.snapshot(), instruments: ledger.instruments }
}

/**
 * The ledger as the bot counts at its start: the balances of all accounts, every instrument at its latest
 * price, and the positions and orders of the journal. Balances that the exchange tells replace those of the
 * journal.
 */
export function ledgerAtStart(
  holdings: Holdings,
  priced: readonly PricedInstrument[],
  journaled?: JournaledAccount,
): Ledger {
  const listed = new Map(priced.map(({ instrument }) => [instrument.symbol, instrument]))
  const { instruments } = countedInstruments(journaled, listed)
  // Positions of an instrument that the configuration no longer names still count.
  const former = journaled?.instruments.filter(({ symbol }) => !instruments.has(symbol)) ?? []
  const ledger = new Ledger([...instruments.values(), ...former], holdings)
  if (journaled !== undefined) {
    const accounts = journaled.ledger.accounts.filter(({ account }) => account === 'margin')
    ledger.restore({ ...journaled.ledger, accounts })
  }
  for (const { instrument, price, markPrice } of priced) {
    ledger.mark(instrument, price)
    if (markPrice !== undefined) ledger.markContract(instrument, markPrice)
  }
  return ledger
}
