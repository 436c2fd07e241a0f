import { bookOf } from '../../domain/book-names.ts'
import type { Engine } from '../../engine/engine.ts'
import { booksOf } from '../state/books-of.ts'

/**
 * A sentence about the rest of a stopped strategy: no position, one with protective orders, or one without.
 */
export function leftOf({ ledger, runners }: Pick<Engine, 'ledger' | 'runners'>, book: string): string {
  const own = booksOf({ ledger, runners: runners.filter(runner => runner.book === book) })
  const held = own.filter(({ name }) => ledger.position(name) !== undefined)
  if (held.length === 0) return 'It holds nothing.'
  const { working } = ledger.orders
  const bare = held.filter(
    ({ name }) => !working.some(({ request }) => request.protects !== undefined && bookOf(request) === name),
  )
  if (bare.length === 0) return 'Its protective orders stay.'
  const names = bare.map(({ name }) => name).join(', ')
  const symbol = bare.length === 1 ? ` ${bare[0]?.instrument.symbol}` : ''
  return `It holds ${names} and NO order protects that; close it with "npm run -s bot -- flatten${symbol}", or by hand.`
}
