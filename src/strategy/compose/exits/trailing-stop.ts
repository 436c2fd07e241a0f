import type { Protection } from '../../../domain/signal.ts'
import { definePart, type Part } from '../part.ts'

/**
 * Gives every entry that has no trailing stop this one, as an entry takes it: `{ callbackRate: 0.02 }`, or with an
 * `activation`, or several. It follows every price, while the other stops of parts are looked at when a kline closes.
 */
export function trailingStop(trailing: NonNullable<Protection['trailingStop']>): Part {
  return definePart({
    name: 'trailingStop',
    termsOf: entry => (entry.trailingStop === undefined ? { trailingStop: trailing } : {}),
  })
}
