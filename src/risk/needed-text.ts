import type { Instrument } from '../domain/instrument.ts'
import { type Amount, amountToText } from '../domain/numbers/amount.ts'
import { isCapped } from '../ledger/reservation.ts'
import type { SizedDraft } from './risk-check.ts'

/**
 * Amount of an asset that an order needs, for a sentence; with the reason if that exceeds the expected cost.
 */
export function neededText(instrument: Instrument, draft: SizedDraft, needed: Amount, use = ''): string {
  const text = `${amountToText(needed)} ${instrument.quote}${use}`
  if (!isCapped(instrument, draft)) return text
  const percent = Number(((instrument.maxSlippageRate ?? 0) * 100).toPrecision(6))
  return `${text} at a price ${percent}% higher, up to which it may trade (execution.maxSlippageRate)`
}
