import type { EngineOutput } from '../domain/engine-output.ts'
import type { Order } from '../domain/order.ts'
import type { Purpose } from '../domain/order-intent.ts'
import type { OrderRequest } from '../domain/order-request.ts'
import { isWorking } from '../domain/order-status.ts'
import type { EnterSignal, Signal, TargetSignal } from '../domain/signal.ts'
import type { Decision, OrderDesk } from './order-desk.ts'
import { idsOf, type OwnOrders } from './own-orders.ts'
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
  #waiting: WaitingSignals | undefined
  /** Market entries to be sized at the next opening. */
  #unsized: EnterSignal[] = []

  constructor(options: DecisionDeskOptions) {
    this.#options = options
  }

  /** Carries out the signals of one decision, in order. */
  carryOut(signals: readonly Signal[], out: EngineOutput[]): void {
    if (!signals.every(isPartialExit)) this.#forget()
    // Where nothing works there is nothing to replace and nothing to wait for.
    if (this.#options.orders.areNone) {
      this.#translate(signals, out)
      return
    }
    const entries = new Set(signals.flatMap(signal => this.#replacedEntries(signal)))
    const exits = new Set(signals.flatMap(signal => this.#replacedExits(signal)))
    this.#cancel([...entries, ...exits], out)
    // An exit only waits for exits: nothing else can close the same part twice.
    const atOnce =
      exits.size > 0 ? [] : signals.filter(signal => entries.size === 0 || signal.type === 'exit')
    this.#translate(atOnce, out)
    const later = signals.filter(signal => !atOnce.includes(signal) && signal.type !== 'cancelEntries')
    if (later.length === 0) return
    this.#waiting = {
      signals: later,
      cancels: entries.union(exits),
      decision: this.#options.orderDesk.decision,
    }
  }

  /** Goes on with what waited for an order, once that is over. */
  release(order: Order, out: EngineOutput[]): void {
    if (this.#waiting === undefined || isWorking(order.status)) return
    const { signals, cancels, decision } = this.#waiting
    cancels.delete(order.request.clientOrderId)
    if (cancels.size > 0) return
    this.#waiting = undefined
    this.#options.orderDesk.resume(decision)
    this.#translate(signals, out)
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

  /** Takes back entries that rest or wait. */
  cancelEntries(out: EngineOutput[]): void {
    this.#forget()
    this.#cancel(idsOf(this.#options.orders.restingEntries()), out)
  }

  /** Takes back everything that rests or waits, and closes the position at market. */
  flatten(purpose: Purpose, out: EngineOutput[]): void {
    this.cancelEntries(out)
    this.#cancel(idsOf(this.#options.orders.restingExits()), out)
    this.#options.translator.flatten(purpose, out)
  }

  #replacedEntries(signal: Signal): readonly string[] {
    const { orders } = this.#options
    if (signal.type === 'cancelEntries') return idsOf(orders.restingEntries(signal.tag))
    if (signal.type === 'exit')
      return isPartialExit(signal) ? [] : idsOf(orders.restingEntries(undefined, signal.direction))
    return idsOf(orders.restingEntries())
  }

  /** A signal that closes the whole position takes over from exits that rest; protective orders are none of them. */
  #replacedExits(signal: Signal): readonly string[] {
    const { orders, translator } = this.#options
    const closes =
      signal.type === 'target' ||
      (signal.type === 'exit' && !isPartialExit(signal)) ||
      (signal.type === 'enter' && isMarketEntry(signal) && translator.isHoldingAgainst(signal.direction))
    if (!closes) return []
    return idsOf(orders.restingExits(signal.type === 'exit' ? signal.direction : undefined))
  }

  #translate(signals: readonly Signal[], out: EngineOutput[]): void {
    for (const signal of signals) {
      if (signal.type === 'exit') this.#options.translator.exit(signal, out)
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

  #cancel(ids: readonly string[], out: EngineOutput[]): void {
    for (const clientOrderId of ids)
      out.push({ type: 'cancelOrder', clientOrderId, symbol: this.#options.symbol })
  }

  #forget(): void {
    this.#waiting = undefined
    if (this.#unsized.length > 0) this.#unsized = []
  }
}

function isPartialExit(signal: Signal): boolean {
  return signal.type === 'exit' && (signal.fraction ?? 1) < 1
}

function isMarketEntry({ order }: EnterSignal): boolean {
  return order === undefined || order.type === 'market'
}
