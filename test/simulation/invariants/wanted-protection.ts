import type { EngineOutput } from '../../../src/domain/engine-output.ts'
import type { Protection, ProtectSignal, TakeProfit } from '../../../src/domain/signal.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { lotsOf } from './held-lots.ts'

/** How much of what is held a kind of protection is to cover: everything, or no more than that (parts of it, or what risk or the exchange let pass), or nothing. */
export type Cover = 'all' | 'some' | 'nothing'

const KINDS = ['stopLoss', 'takeProfit', 'trailingStop'] as const
const NOISE = 1e-9

/** What decisions alone say of how entries are to be protected. It never changes. */
export class WantedProtection {
  /** By purpose and clientOrderId of the entry. */
  readonly #covers: ReadonlyMap<string, Cover>

  constructor(covers: ReadonlyMap<string, Cover> = new Map()) {
    this.#covers = covers
  }

  /** What is wanted after decisions; the ledger is as they left it. */
  after(decisions: readonly EngineOutput[], ledger: Ledger): WantedProtection {
    if (decisions.length === 0) return this
    const covers = new Map(this.#covers)
    const refuse = (purpose: string, entry: string | undefined) => {
      if (entry !== undefined) covers.set(`${purpose} ${entry}`, 'some')
    }
    for (const decision of decisions) {
      switch (decision.type) {
        case 'placeOrder':
          wanted(covers, decision.request.clientOrderId, decision.request.protection ?? {})
          break
        case 'signaled':
          if (decision.signal.type !== 'protect') break
          for (const entry of entriesMeant(ledger, decision.strategy, decision.symbol, decision.signal))
            wanted(covers, entry, decision.signal)
          break
        case 'denied':
          refuse(decision.denial.intent.purpose, decision.denial.intent.protects)
          break
        case 'orderChanged': {
          const { request, status } = decision.order
          if (status === 'rejected') refuse(request.purpose, request.protects)
        }
      }
    }
    return new WantedProtection(covers)
  }

  /** How much of what an entry holds an order of this purpose is to cover. */
  coverOf(purpose: string, entry: string): Cover {
    return this.#covers.get(`${purpose} ${entry}`) ?? 'nothing'
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
