import { type Instrument, quantityUnit } from '../domain/instrument.ts'
import { amountToText } from '../domain/numbers/amount.ts'
import { notionalOf, quantityText, type Steps, type Ticks } from '../domain/numbers/grid.ts'
import type { Refusal } from './risk-check.ts'

/** Refusal of the change of a position to its target for which an order would be too small. */
export function missedTarget(instrument: Instrument, missed: Steps, price: Ticks): Refusal {
  const { symbol, quote, minQuantity, minNotional } = instrument
  const change = `${quantityText(instrument, missed)} ${quantityUnit(instrument, missed)}`
  const worth = `${amountToText(notionalOf(instrument, price, missed))} ${quote}`
  const isShort = missed < minQuantity
  const limit = isShort
    ? `${quantityText(instrument, minQuantity)} ${quantityUnit(instrument, minQuantity)}`
    : `${amountToText(minNotional)} ${quote}`
  return {
    rule: isShort ? 'minimumVolume' : 'minimumNotional',
    limit,
    actual: isShort ? change : worth,
    message: `The position in ${symbol} misses its target by ${change}, worth ${worth}: the smallest order is ${limit}, so that it stays as it is.`,
  }
}
