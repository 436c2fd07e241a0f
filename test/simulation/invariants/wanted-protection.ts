import type { EngineOutput } from '../../../src/domain/engine-output.ts'
import type { Lot } from '../../../src/domain/position.ts'
import type { Protection, ProtectSignal, TakeProfit } from '../../../src/domain/signal.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'

/** How much of what is held a kind of protection is to cover: everything, or no more than that (parts of it, or what risk or the exchange let pass), or nothing. */
export type Cover = 'all' | 'some' | 'nothing'

/** What is held, and who holds it. */
export interface HeldLot extends Lot {
  readonly book: string
}

const KINDS = ['stopLoss', 'takeProfit', 'trailingStop'] as const
const NOISE = 1e-9

/** What decisions alone say of how entries are to be protected. It never changes. */
export class WantedProtection {
  /** By purpose and clientOrderId of the entry. */
  readonly #covers: ReadonlyMap<string, Cover>
  /** Protective orders that somebody has taken back, whatever became of that. */
  readonly #canceled: ReadonlySet<string>

  constructor(covers: ReadonlyMap<string, Cover> = new Map(), canceled: ReadonlySet<string> = new Set()) {
    this.#covers = covers
    this.#canceled = canceled
  }

  /** What entries were told themselves; what was changed later is not known. */
  static of(ledger: Ledger): WantedProtection {
    const requests = ledger.orders.remembered.map(({ request }) => request)
    return new WantedProtection().after(
      requests.map(request => ({ type: 'placeOrder', request })),
      ledger,
    )
  }

  /** What is wanted after decisions; the ledger is as they left it. */
  after(decisions: readonly EngineOutput[], ledger: Ledger): WantedProtection {
    const covers = new Map(this.#covers)
    const canceled = new Set(this.#canceled)
    const refuse = (purpose: string, entry: string) => covers.set(`${purpose} ${entry}`, 'some')
    let isChanged = false
    for (const decision of decisions) {
      const before = covers.size + canceled.size
      switch (decision.type) {
        case 'placeOrder':
          wanted(covers, decision.request.clientOrderId, decision.request.protection ?? {})
          break
        case 'signaled':
          if (decision.signal.type !== 'protect') break
          for (const entry of entriesMeant(ledger, decision.strategy, decision.symbol, decision.signal))
            wanted(covers, entry, decision.signal)
          isChanged = true
          break
        case 'cancelOrder':
          if (ledger.orders.get(decision.clientOrderId)?.request.protects !== undefined)
            canceled.add(decision.clientOrderId)
          break
        case 'denied':
          if (decision.denial.intent.protects !== undefined)
            refuse(decision.denial.intent.purpose, decision.denial.intent.protects)
          isChanged = true
          break
        case 'orderChanged': {
          const { request, status } = decision.order
          if (status !== 'rejected' || request.protects === undefined) break
          refuse(request.purpose, request.protects)
          isChanged = true
        }
      }
      isChanged ||= covers.size + canceled.size !== before
    }
    return isChanged ? new WantedProtection(covers, canceled) : this
  }

  /** How much of what an entry holds an order of this purpose is to cover. */
  coverOf(purpose: string, entry: string): Cover {
    return this.#covers.get(`${purpose} ${entry}`) ?? 'nothing'
  }

  /** Whether somebody has taken an order back. */
  isCanceled(clientOrderId: string): boolean {
    return this.#canceled.has(clientOrderId)
  }
}

function wanted(
  covers: Map<string, Cover>,
  entry: string,
  protection: Protection | ProtectSignal<string>,
): void {
  for (const kind of KINDS) {
    const level = protection[kind]
    if (level !== undefined) covers.set(`${kind} ${entry}`, coverOf(level))
  }
}

function coverOf(level: NonNullable<ProtectSignal[(typeof KINDS)[number]]>): Cover {
  if (level === 'none') return 'nothing'
  if (!isParted(level)) return 'all'
  return level.reduce((sum, { fraction }) => sum + fraction, 0) >= 1 - NOISE ? 'all' : 'some'
}

function isParted(level: unknown): level is Extract<TakeProfit, readonly unknown[]> {
  return Array.isArray(level)
}

/** Entries of a strategy that hold something now, and that a signal is about. */
function entriesMeant(
  ledger: Ledger,
  strategy: string,
  symbol: string,
  { tag }: ProtectSignal<string>,
): readonly string[] {
  return lotsOf(ledger)
    .map(({ clientOrderId }) => ledger.orders.get(clientOrderId)?.request)
    .filter(request => request?.strategy === strategy && request.symbol === symbol)
    .filter(request => tag === undefined || request?.tag === tag)
    .map(request => request?.clientOrderId ?? '')
}

/** Everything that is held, in all books. */
export function lotsOf(ledger: Ledger): readonly HeldLot[] {
  const books = new Set(ledger.orders.remembered.map(({ request }) => request.book ?? request.symbol))
  return [...books].flatMap(book => (ledger.position(book)?.lots ?? []).map(lot => ({ ...lot, book })))
}
