import type { CancelCause } from '../domain/cancel-cause.ts'
import type { EngineOutput } from '../domain/engine-output.ts'
import type { Order } from '../domain/order.ts'
import type { Purpose } from '../domain/order-intent.ts'
import type { OrderRequest } from '../domain/order-request.ts'
import { isWorking } from '../domain/order-status.ts'
import type { EnterSignal, ProtectSignal, Signal, TargetSignal } from '../domain/signal.ts'
import type { Decision, OrderDesk } from './order-desk.ts'
import { idsOf, NO_IDS, type OwnOrders } from './own-orders.ts'
import type { SignalTranslator } from './signal-translator.ts'

/** What a decision desk is made of. */
export interface DecisionDeskOptions {
  readonly symbol: string
  readonly orders: OwnOrders
  readonly orderDesk: OrderDesk
  readonly translator: SignalTranslator
  /** Leaves market entries unsized until an opening is seen. */
  readonly sizesAtOpen: boolean
  /** Takes every entry that was placed. */
  readonly onEntry: (request: OrderRequest) => void
  /** Changes the protection of what is open. */
  readonly onProtect: (signal: ProtectSignal, out: EngineOutput[]) => void
}

/** A decision desk as plain data. */
export interface DecisionDeskState {
  readonly waiting: readonly {
    readonly signals: readonly Signal[]
    readonly cancels: readonly string[]
    /** Place of its decision in the list; absent for the order desk's latest one, which then goes on for both. */
    readonly decision?: number | undefined
  }[]
  /** Decisions that wait. Two that wait for one decision count their orders together. */
  readonly decisions: readonly Decision[]
  readonly unsized: readonly EnterSignal[]
}

interface WaitingSignals {
  readonly signals: readonly Signal[]
  /** Orders whose end they wait for. */
  readonly cancels: Set<string>
  readonly decision: Decision
}

/**
 * Carries out what one decision of a strategy asks for. Orders that a decision replaces are canceled first, and what
 * replaces them waits until they are over, so that old and new can never both fill.
 */
export class DecisionDesk {
  readonly #options: DecisionDeskOptions
  /** What still waits, by decision; more than one decision only where entries are to be kept. */
  #waiting: readonly WaitingSignals[] = NONE_WAITING
  /** Market entries to be sized at the next opening. */
  #unsized: EnterSignal[] = []

  constructor(options: DecisionDeskOptions) {
    this.#options = options
  }

  /** Carries out the signals of one decision, in order. */
  carryOut(decided: readonly Signal[], out: EngineOutput[]): void {
    const signals = withOwnGroups(decided, this.#options.orderDesk)
    this.#forget(signals)
    // Where nothing works there is nothing to replace and nothing to wait for.
    if (this.#options.orders.areNone) {
      this.#translate(signals, out)
      return
    }
    const entries = new Set(signals.flatMap(signal => this.#replacedEntries(signal)))
    const exits = new Set(signals.flatMap(signal => this.#replacedExits(signal)))
    this.#cancel([...entries, ...exits], out)
    // An exit only waits for exits: nothing else can close the same part twice. A change of protection replaces its own orders.
    const atOnce = signals.filter(
      ({ type }) => type === 'protect' || (exits.size === 0 && (entries.size === 0 || type === 'exit')),
    )
    this.#translate(atOnce, out)
    const later = signals.filter(signal => !atOnce.includes(signal) && signal.type !== 'cancelEntries')
    if (later.length === 0) return
    const { decision } = this.#options.orderDesk
    this.#waiting = [...this.#waiting, { signals: later, cancels: entries.union(exits), decision }]
  }

  /** Goes on with what waited for an order, once that is over. */
  release(order: Order, out: EngineOutput[]): void {
    if (this.#waiting.length === 0 || isWorking(order.status)) return
    for (const { cancels } of this.#waiting) cancels.delete(order.request.clientOrderId)
    const released = this.#waiting.filter(({ cancels }) => cancels.size === 0)
    if (released.length === 0) return
    this.#waiting = this.#waiting.filter(({ cancels }) => cancels.size > 0)
    for (const { signals, decision } of released) {
      this.#options.orderDesk.resume(decision)
      this.#translate(signals, out)
    }
  }

  /** Takes back what has rested for as long as it may. */
  expire(ids: readonly string[], out: EngineOutput[]): void {
    this.#cancel(ids, out, 'expired')
  }

  /** After a fill of an entry that belongs to a group: takes back the others. */
  settleGroup(request: OrderRequest, out: EngineOutput[]): void {
    this.#cancel(idsOf(this.#options.orders.groupOf(request)), out, 'groupFilled')
  }

  /** Sizes and places the market entries that wait for an opening. */
  seeOpening(out: EngineOutput[]): void {
    if (this.#unsized.length === 0) return
    const signals = this.#unsized
    this.#unsized = []
    for (const signal of signals) this.#enter(signal, out)
  }

  /** Cancels exits that have nothing left to close. */
  cancelIdleExits(out: EngineOutput[]): void {
    const { orders, translator } = this.#options
    if (orders.areNone) return
    for (const book of translator.flatBooks) this.#cancel(idsOf(orders.exitsFrom(book)), out)
  }

  /** Whether nothing is held, and nothing is on its way that could change that. */
  get isFlat(): boolean {
    const { orders, translator } = this.#options
    return !translator.isHolding && orders.entries().length === 0
  }

  /** Takes back entries that rest or wait. */
  cancelEntries(out: EngineOutput[]): void {
    this.#forget(ALL)
    this.#cancel(idsOf(this.#options.orders.restingEntries()), out)
  }

  /** Takes back everything that rests or waits, and closes the position at market. */
  flatten(purpose: Purpose, out: EngineOutput[]): void {
    this.cancelEntries(out)
    this.#cancel(idsOf(this.#options.orders.restingExits()), out)
    this.closeRest(purpose, out)
  }

  /** Closes at market what no market exit closes yet. */
  closeRest(purpose: Purpose, out: EngineOutput[]): void {
    this.#options.translator.flatten(purpose, out)
  }

  /** What waits. */
  snapshot(): DecisionDeskState {
    const { latest } = this.#options.orderDesk
    const decisions = [...new Set(this.#waiting.map(({ decision }) => decision))].filter(
      one => one !== latest,
    )
    const waiting = this.#waiting.map(({ signals, cancels, decision }) => ({
      signals,
      cancels: [...cancels],
      ...(decision !== latest && { decision: decisions.indexOf(decision) }),
    }))
    return { waiting, decisions: decisions.map(decision => ({ ...decision })), unsized: this.#unsized }
  }

  /** Takes over a snapshot; the order desk must have taken over its own before. */
  restore({ waiting, decisions, unsized }: DecisionDeskState): void {
    const { latest } = this.#options.orderDesk
    const own = decisions.map(decision => ({ ...decision }))
    this.#unsized = [...unsized]
    this.#waiting = waiting.map(({ signals, cancels, decision }) => ({
      signals,
      cancels: new Set(cancels),
      decision: (decision === undefined ? undefined : own[decision]) ?? latest,
    }))
  }

  #replacedEntries(signal: Signal): readonly string[] {
    const { orders } = this.#options
    if (signal.type === 'cancelEntries') return idsOf(orders.restingEntries(signal.tag))
    if (signal.type === 'enter') return idsOf(orders.entriesReplacedBy(signal.tag))
    if (leavesEntries(signal)) return NO_IDS
    return idsOf(orders.restingEntries(undefined, signal.type === 'exit' ? signal.direction : undefined))
  }

  /** A signal that closes the whole position takes over from exits that rest; protective orders are none of them. */
  #replacedExits(signal: Signal): readonly string[] {
    const { orders, translator } = this.#options
    const closes =
      signal.type === 'target' ||
      (signal.type === 'exit' && !leavesEntries(signal)) ||
      (signal.type === 'enter' && isMarketEntry(signal) && translator.isHoldingAgainst(signal.direction))
    if (!closes) return []
    return idsOf(orders.restingExits(signal.type === 'exit' ? signal.direction : undefined))
  }

  #translate(signals: readonly Signal[], out: EngineOutput[]): void {
    for (const signal of signals) {
      if (signal.type === 'exit') this.#options.translator.exit(signal, out)
      else if (signal.type === 'protect') this.#options.onProtect(signal, out)
      else if (signal.type === 'enter' && this.#options.sizesAtOpen && isMarketEntry(signal))
        this.#postpone(signal, out)
      else if (signal.type !== 'cancelEntries') this.#enter(signal, out)
    }
  }

  #postpone(signal: EnterSignal, out: EngineOutput[]): void {
    const { translator } = this.#options
    if (translator.isEntered(signal.direction) && !signal.scaleIn) return
    translator.closeOpposite(signal, out)
    this.#unsized.push(signal)
  }

  #enter(signal: EnterSignal | TargetSignal, out: EngineOutput[]): void {
    const from = out.length
    this.#options.translator.translate(signal, out)
    for (let index = from; index < out.length; index++) {
      const output = out[index]
      if (output?.type === 'placeOrder') this.#options.onEntry(output.request)
    }
  }

  /** Takes orders back, but for those that this event takes back already. */
  #cancel(ids: readonly string[], out: EngineOutput[], cause?: CancelCause): void {
    const { symbol } = this.#options
    for (const clientOrderId of ids) {
      if (out.some(output => output.type === 'cancelOrder' && output.clientOrderId === clientOrderId))
        continue
      out.push({ type: 'cancelOrder', clientOrderId, symbol, ...(cause !== undefined && { cause }) })
    }
  }

  /** Drops what waits from earlier decisions and the new one replaces. */
  #forget(signals: readonly Signal[]): void {
    if (this.#unsized.length === 0 && this.#waiting.length === 0) return
    if (signals.every(leavesEntries)) return
    if (this.#unsized.length > 0) this.#unsized = []
    const isKept = (waiting: Signal) =>
      isToKeep(waiting) && !signals.some(signal => replaces(signal, waiting))
    this.#waiting = this.#waiting
      .map(waiting => ({ ...waiting, signals: waiting.signals.filter(isKept) }))
      .filter(waiting => waiting.signals.length > 0)
  }
}

const NONE_WAITING: readonly WaitingSignals[] = []

/** Replaces everything. */
const ALL: readonly Signal[] = [{ type: 'cancelEntries' }]

/** Whether a signal has nothing to do with entries. */
function leavesEntries(signal: Signal): boolean {
  return signal.type === 'protect' || (signal.type === 'exit' && (signal.fraction ?? 1) < 1)
}

/** Names the groups of a decision as those of no other are named. */
function withOwnGroups(signals: readonly Signal[], desk: OrderDesk): readonly Signal[] {
  if (!signals.some(isGrouped)) return signals
  return signals.map(signal => (isGrouped(signal) ? { ...signal, oco: desk.groupName(signal.oco) } : signal))
}

function isGrouped(signal: Signal): signal is EnterSignal & { readonly oco: string } {
  return signal.type === 'enter' && signal.oco !== undefined
}

function isToKeep(signal: Signal): signal is EnterSignal {
  return signal.type === 'enter' && signal.keep === true
}

/** Whether a new signal takes back a kept entry. */
function replaces(signal: Signal, kept: EnterSignal): boolean {
  if (signal.type === 'enter') return signal.tag !== undefined && signal.tag === kept.tag
  if (signal.type === 'cancelEntries') return signal.tag === undefined || signal.tag === kept.tag
  if (leavesEntries(signal)) return false
  return signal.type !== 'exit' || signal.direction === undefined || signal.direction === kept.direction
}

function isMarketEntry({ order }: EnterSignal): boolean {
  return order === undefined || order.type === 'market'
}
