import type { EngineOutput } from '../../../../src/domain/events/engine-output.ts'
import type { Protection, ProtectSignal, TakeProfit } from '../../../../src/domain/signal.ts'
import type { Ledger } from '../../../../src/ledger/ledger.ts'
import { lotsOf } from '../money/held-lots.ts'

/**
 * How much of what is held a kind of protection is to cover: everything, or no more than that (parts of it, or what risk or
 * the exchange let pass), or nothing. `any` while a change of it may wait for orders of its list.
 */
export type Cover = 'all' | 'some' | 'nothing' | 'any'

const KINDS = ['stopLoss', 'takeProfit', 'trailingStop'] as const
const NOISE = 1e-9

type Level = NonNullable<ProtectSignal[(typeof KINDS)[number]]>

/** What one kind of protection of an entry is to be. */
interface Want {
  readonly cover: Cover
  /** So many orders are to cover that each: of several trailing stops each covers everything. */
  readonly levels: number
}

const NOTHING: Want = { cover: 'nothing', levels: 1 }

/** A change of protection that may wait until orders before it are over. */
interface Waiting extends Told {
  /** Entries that it certainly concerns, as far as it means them; it may concern those that come later. */
  readonly known: ReadonlySet<string>
  /** Those of them that it has changed at once. */
  readonly atOnce: ReadonlySet<string>
}

/** A change of protection, and where it was decided. */
interface Told {
  readonly strategy: string
  readonly symbol: string
  readonly signal: ProtectSignal<string>
}

/** What decisions alone say of how entries are to be protected. It never changes. */
export class WantedProtection {
  /** By purpose and clientOrderId of the entry. */
  readonly #wants: ReadonlyMap<string, Want>
  readonly #waiting: readonly Waiting[]
  /** What risk or the exchange refused since something waits, as the covers are named. */
  readonly #refused: ReadonlySet<string>

  constructor(
    wants: ReadonlyMap<string, Want> = new Map(),
    waiting: readonly Waiting[] = [],
    refused: ReadonlySet<string> = new Set(),
  ) {
    this.#wants = wants
    this.#waiting = waiting
    this.#refused = refused
  }

  /** What is wanted after decisions; the ledger is as they left it, and `canceled` orders are taken back. */
  after(
    decisions: readonly EngineOutput[],
    ledger: Ledger,
    canceled: ReadonlySet<string> = new Set(),
  ): WantedProtection {
    if (decisions.length === 0 && this.#waiting.length === 0) return this
    const wants = new Map(this.#wants)
    const waiting = [...this.#waiting]
    const refused = new Set(this.#refused)
    const refuse = (purpose: string, entry: string | undefined) => {
      if (entry === undefined) return
      const name = `${purpose} ${entry}`
      wants.set(name, { cover: 'some', levels: Math.max(levelsIn(this.#wants, name), levelsIn(wants, name)) })
      refused.add(name)
    }
    for (const [place, decision] of decisions.entries()) {
      switch (decision.type) {
        case 'placeOrder':
          wanted(wants, decision.request.clientOrderId, decision.request.protection ?? {})
          break
        case 'signaled': {
          if (decision.signal.type !== 'protect') break
          const told = { ...decision, signal: decision.signal }
          const entries = entriesMeant(ledger, told)
          const before = waiting.filter(one => isBeside(one, told))
          // One decision tells all its signals, and then what they come to.
          const others = decisions.slice(0, place).findLastIndex(({ type }) => type !== 'signaled')
          const entering = tradingIn(decisions.slice(others + 1, place), told)
          if (entering.length === 0 && before.length === 0) {
            for (const entry of entries) wanted(wants, entry, decision.signal)
            break
          }
          // With nothing that enters behind it, what enters now is of before it.
          const isLast = tradingIn(decisions.slice(place), told).length === 0
          const own = isLast && entering.length > 0 ? marketEntries(decisions.slice(place), told) : []
          waiting.push({
            ...told,
            known: new Set([...entries, ...own, ...before.flatMap(({ known }) => [...known])]),
            atOnce: new Set(entering.length === 0 ? entries : []),
          })
          break
        }
        case 'denied':
          refuse(decision.denial.intent.purpose, decision.denial.intent.protects)
          break
        case 'orderChanged': {
          const { request, status } = decision.order
          if (status === 'rejected') refuse(request.purpose, request.protects)
        }
      }
    }
    const left = waiting.filter(one => isOnItsWay(ledger, one, canceled))
    for (const one of waiting)
      for (const entry of entriesMeant(ledger, one)) {
        const isDone = one.atOnce.has(entry) || (!left.includes(one) && one.known.has(entry))
        if (isDone) wanted(wants, entry, one.signal)
        else leftOpen(wants, entry, one.signal)
      }
    if (waiting.length > 0) for (const name of refused) letPass(wants, name, levelsIn(this.#wants, name))
    return new WantedProtection(wants, left, left.length === 0 ? new Set() : refused)
  }

  /** How much of what an entry holds an order of this purpose is to cover. */
  coverOf(purpose: string, entry: string): Cover {
    return (this.#wants.get(`${purpose} ${entry}`) ?? NOTHING).cover
  }

  /** How many orders of this purpose are each to cover that much. */
  levelsOf(purpose: string, entry: string): number {
    return levelsIn(this.#wants, `${purpose} ${entry}`)
  }
}

function levelsIn(wants: ReadonlyMap<string, Want>, name: string): number {
  return (wants.get(name) ?? NOTHING).levels
}

function isBeside(one: Told, { strategy, symbol }: Told): boolean {
  return one.strategy === strategy && one.symbol === symbol
}

/** Signals of the same market that a later change of protection waits for: entries, targets, and exits of a part behind another exit. */
function tradingIn(decisions: readonly EngineOutput[], { strategy, symbol }: Told): readonly EngineOutput[] {
  let exits = 0
  return decisions.filter(decision => {
    if (decision.type !== 'signaled' || decision.strategy !== strategy || decision.symbol !== symbol)
      return false
    const { signal } = decision
    if (signal.type === 'exit') return exits++ > 0 && (signal.fraction ?? 1) < 1
    return signal.type === 'enter' || signal.type === 'target'
  })
}

function marketEntries(decisions: readonly EngineOutput[], { strategy, symbol }: Told): readonly string[] {
  return decisions.flatMap(decision => {
    if (decision.type !== 'placeOrder') return []
    const { request } = decision
    const isMeant = request.strategy === strategy && request.symbol === symbol
    return isMeant && request.purpose === 'entry' && request.spec.type === 'market'
      ? [request.clientOrderId]
      : []
  })
}

/** Whether anything is on its way that a change may wait for: orders at market, and those that were taken back. */
function isOnItsWay(ledger: Ledger, { strategy, symbol }: Told, canceled: ReadonlySet<string>): boolean {
  return ledger.orders.working.some(
    ({ request }) =>
      request.strategy === strategy &&
      request.symbol === symbol &&
      (request.spec.type === 'market' || canceled.has(request.clientOrderId)),
  )
}

/** A refused order need not cover anything; the orders that it was to replace may stay. */
function letPass(wants: Map<string, Want>, name: string, levelsBefore: number): void {
  const want = wants.get(name)
  if (want?.cover === 'all') wants.set(name, { cover: 'some', levels: Math.max(levelsBefore, want.levels) })
}

function leftOpen(wants: Map<string, Want>, entry: string, signal: ProtectSignal<string>): void {
  for (const kind of KINDS) {
    const level = signal[kind]
    if (level === undefined) continue
    const name = `${kind} ${entry}`
    wants.set(name, {
      cover: 'any',
      levels: Math.max(levelsIn(wants, name), levelsOf(kind, level)),
    })
  }
}

function wanted(
  wants: Map<string, Want>,
  entry: string,
  protection: Protection | ProtectSignal<string>,
): void {
  for (const kind of KINDS) {
    const level = protection[kind]
    if (level !== undefined)
      wants.set(`${kind} ${entry}`, { cover: coverOf(level), levels: levelsOf(kind, level) })
  }
}

function levelsOf(kind: (typeof KINDS)[number], level: Level): number {
  return kind === 'trailingStop' && Array.isArray(level) ? level.length : 1
}

function coverOf(level: Level): Cover {
  if (level === 'none') return 'nothing'
  if (!isParted(level)) return 'all'
  return level.reduce((sum, { fraction }) => sum + fraction, 0) >= 1 - NOISE ? 'all' : 'some'
}

function isParted(level: unknown): level is Extract<TakeProfit, readonly unknown[]> {
  return Array.isArray(level) && level.every(part => 'at' in part)
}

/** Entries that hold something now, and that a change is about. */
function entriesMeant(ledger: Ledger, { strategy, symbol, signal: { tag } }: Told): readonly string[] {
  return lotsOf(ledger)
    .map(({ clientOrderId }) => ledger.orders.get(clientOrderId)?.request)
    .filter(request => request?.strategy === strategy && request.symbol === symbol)
    .filter(request => tag === undefined || request?.tag === tag)
    .map(request => request?.clientOrderId ?? '')
}
