import type { Order } from '../../../src/domain/order.ts'
import type { Lot } from '../../../src/domain/position.ts'
import type { Scene, Violation } from './scene.ts'

/** For every lot that an entry with protection opened, each kind of protective order is open for exactly that much, unless risk or the exchange refuses it. */
export function protectionCoversPosition({ ledger }: Scene): readonly Violation[] {
  const covered = new Map<string, { readonly open: number; readonly refused: boolean }>()
  const books = new Set<string>()
  for (const order of ledger.orders.remembered) {
    const { request } = order
    books.add(request.book ?? request.symbol)
    if (request.protects === undefined) continue
    const key = `${request.purpose} ${request.protects}`
    const { open, refused } = covered.get(key) ?? { open: 0, refused: false }
    covered.set(key, {
      open: open + openOf(ledger.orders.working, order),
      refused: refused || order.status === 'rejected',
    })
  }
  const lots = [...books].flatMap((book): readonly Lot[] => ledger.position(book)?.lots ?? [])
  return [...heldByEntry(lots)].flatMap(([entry, held]) => {
    const { protection } = ledger.orders.get(entry)?.request ?? {}
    return Object.keys(protection ?? {}).flatMap(purpose => {
      const { open, refused } = covered.get(`${purpose} ${entry}`) ?? { open: 0, refused: true }
      if (open === held || (refused && open === 0)) return []
      return [{ problem: `the ${purpose} of ${entry} covers ${open} of ${held}`, about: entry }]
    })
  })
}

function openOf(working: readonly Order[], order: Order): number {
  return working.includes(order) ? order.request.quantity - order.filledQuantity : 0
}

function heldByEntry(lots: readonly Lot[]): ReadonlyMap<string, number> {
  const held = new Map<string, number>()
  for (const { clientOrderId, quantity } of lots)
    held.set(clientOrderId, (held.get(clientOrderId) ?? 0) + quantity)
  return held
}
