import type { Scene, Violation } from '../scene.ts'

/** What a strategy sells of a spot account is what it bought: the rest belongs to somebody else. */
export function neverSellsMore({ ledger }: Pick<Scene, 'ledger'>): readonly Violation[] {
  const books = new Set(ledger.orders.remembered.map(({ request }) => request.book ?? request.symbol))
  return [...books].flatMap(book => {
    const position = ledger.position(book)
    if (position?.direction !== 'short' || ledger.instrument(position.symbol).accountType !== 'spot')
      return []
    const about = position.lots[0]?.clientOrderId ?? book
    return [{ problem: `${position.quantity} steps more than ${book} held were sold`, about }]
  })
}
