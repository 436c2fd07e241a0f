import type { EngineEvent } from '../../src/domain/events/engine-event.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'

/** Money in quote and base held, by adding up fills and funding of a journal as decimals, from what the account began with. */
export function addedUp(path: string, quote: number, base: number) {
  const reader = new JournalReader(path)
  let [instrument, fills] = [undefined as Instrument | undefined, 0]
  for (const { kind, body } of reader.entries()) {
    if (kind === 'session') [instrument] = (body as { instruments: readonly Instrument[] }).instruments
    const event = body as EngineEvent
    if (kind !== 'event' || instrument === undefined) continue
    if (event.type === 'fundingPaid') quote += Number(event.payment.amount) / 1e18
    if (event.type !== 'filled') continue
    const { side, feeAsset, ...fill } = event.fill
    const unit =
      instrument.contractSize === undefined
        ? 10 ** -instrument.quantityPrecision
        : Number(instrument.contractSize) / 1e18
    const quantity = fill.quantity * unit
    const price = fill.price / 10 ** instrument.pricePrecision
    const fee = Number(fill.fee) / 1e18
    const sign = side === 'buy' ? 1 : -1
    quote -= sign * quantity * price + (feeAsset === 'USDT' ? fee : 0)
    base += sign * quantity - (feeAsset === 'BTC' ? fee : 0)
    fills++
  }
  reader.close()
  return { quote, base, fills }
}
