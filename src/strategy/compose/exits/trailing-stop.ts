import type { Protection } from '../../../domain/signal.ts'
import { definePart, type Part } from '../part.ts'

/**
 * Adds this trailing stop to every entry without one, in the form of an entry's: `{ callbackRate: 0.02 }`, or
 * with an `activation`, or several. It follows every price, while other stops of parts move at the close of a
 * kline.
 */
export function trailingStop(trailing: NonNullable<Protection['trailingStop']>): Part {
  return definePart({
    name: 'trailingStop',
    termsOf: entry => (entry.trailingStop === undefined ? { trailingStop: trailing } : {}),
  })
}
