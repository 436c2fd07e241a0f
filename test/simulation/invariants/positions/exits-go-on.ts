import { wholeBook } from '../../../../src/domain/book-names.ts'
import type { Moment, Rest, Violation } from '../scene.ts'
import { onItsWay } from './told-exits.ts'

/** Longest pause before an exit is sent again, and the time of its answer, ms. */
const SENT_AGAIN_MS = 60_000

/**
 * An exit in full that the exchange has not completed is sent again at the next kline; one on a further market of its
 * strategy with the next kline of that strategy, which may close a moment later.
 */
export function exitsGoOn({ after, risk }: Moment): readonly Violation[] {
  const mostIdle = (book: string) => (risk.strategies.has(wholeBook(book)) ? 0 : 1)
  return [...after.exits]
    .filter(([book, { idleCloses, isDenied }]) => idleCloses > mostIdle(book) && !isDenied)
    .map(([book, { since }]) => ({
      problem: `the exit of ${book} of ${since} is not sent again`,
      about: book,
    }))
}

/**
 * A position that its strategy has left in full, and has not decided on since, is closed where the market trades, or has
 * been tried to be closed a moment ago: a thin book may take only a little at a time.
 */
export function exitsAreDone({ past, ledger, knownUntil }: Rest): readonly Violation[] {
  const { now, exits, heldBack } = past
  return [...exits].flatMap(([book, { since, sentAt, symbol, isDenied }]) => {
    const held = ledger.position(book)
    if (held === undefined || isDenied || heldBack.modeOf(symbol, now) !== 'active') return []
    if (sentAt > (knownUntil ?? now) - SENT_AGAIN_MS || onItsWay(ledger, book) > 0) return []
    return [{ problem: `the exit of ${book} of ${since} has left ${held.quantity}`, about: book }]
  })
}
