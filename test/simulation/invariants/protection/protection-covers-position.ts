import { baseAmount, steps, worthOf } from '../../../../src/domain/numbers/grid.ts'
import { isWorking } from '../../../../src/domain/orders/order-status.ts'
import type { Ledger } from '../../../../src/ledger/ledger.ts'
import { lotsOf } from '../money/held-lots.ts'
import type { Past } from '../past.ts'
import type { Moment, Rest, Violation } from '../scene.ts'
import type { Cover } from './wanted-protection.ts'

/** Steps that protective orders of one kind and entry may still trade: of those that stay, and of those that were taken back and are not over. */
interface Open {
  stays: number
  goes: number
}

const KINDS = ['stopLoss', 'takeProfit', 'trailingStop']

/** For everything that an entry holds, each kind of protective order that is wanted is open for exactly that much, and none for more. */
export function protectionCoversPosition({ ledger, after }: Moment): readonly Violation[] {
  return uncovered(ledger, after)
}

/** The same where nothing is on its way. */
export function protectionCoversRest({ ledger, past }: Rest): readonly Violation[] {
  return uncovered(ledger, past)
}

function uncovered(ledger: Ledger, { protection, canceled }: Past): readonly Violation[] {
  const open = openOf(ledger, canceled)
  return [...heldByEntry(ledger)].flatMap(([entry, held]) =>
    KINDS.flatMap(purpose => {
      const cover = partOf(ledger, entry, held, protection.coverOf(purpose, entry))
      const { stays, goes } = open.get(`${purpose} ${entry}`) ?? { stays: 0, goes: 0 }
      if (isCovered(cover, held * protection.levelsOf(purpose, entry), stays, goes)) return []
      return [{ problem: `the ${purpose} of ${entry} covers ${stays} of ${held}`, about: entry }]
    }),
  )
}

/** Half of the smallest share of a position that plans protect. */
const SMALLEST_SHARE = 1 / 20

/** Of the first parts of an entry that still fills, orders smaller than the exchange takes wait for more. */
function partOf(ledger: Ledger, entry: string, held: number, cover: Cover): Cover {
  const order = ledger.orders.get(entry)
  if (cover !== 'all' || order === undefined || !isWorking(order.status)) return cover
  const instrument = ledger.instrument(order.request.symbol)
  const smallest = steps(Math.floor(held * SMALLEST_SHARE))
  const price = ledger.markOf(order.request.symbol) ?? order.request.referencePrice
  const isSmall =
    smallest < instrument.minQuantity ||
    worthOf(instrument, price, baseAmount(instrument, smallest)) < instrument.minNotional
  return isSmall ? 'some' : cover
}

/** What replaces an order comes once that is over. */
function isCovered(cover: Cover, held: number, stays: number, goes: number): boolean {
  if (cover === 'nothing') return stays === 0
  if (cover === 'any') return stays <= held
  return stays === held || (stays < held && (cover === 'some' || goes > 0))
}

function openOf(ledger: Ledger, canceled: ReadonlySet<string>): ReadonlyMap<string, Open> {
  const open = new Map<string, Open>()
  for (const { request, filledQuantity } of ledger.orders.working) {
    if (request.protects === undefined) continue
    const key = `${request.purpose} ${request.protects}`
    const sum = open.get(key) ?? { stays: 0, goes: 0 }
    sum[canceled.has(request.clientOrderId) ? 'goes' : 'stays'] += request.quantity - filledQuantity
    open.set(key, sum)
  }
  return open
}

function heldByEntry(ledger: Ledger): ReadonlyMap<string, number> {
  const held = new Map<string, number>()
  for (const { clientOrderId, quantity } of lotsOf(ledger))
    held.set(clientOrderId, (held.get(clientOrderId) ?? 0) + quantity)
  return held
}
