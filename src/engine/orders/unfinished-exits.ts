import { bookOf } from '../../domain/book-names.ts'
import type { EngineOutput, ReplacingSignal } from '../../domain/events/engine-output.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { baseAmount, NO_STEPS, type Steps, steps } from '../../domain/numbers/grid.ts'
import type { DenialRule } from '../../domain/orders/denial.ts'
import type { Fill } from '../../domain/orders/fill.ts'
import { type Order, openQuantityOf } from '../../domain/orders/order.ts'
import { AT_MARKET } from '../../domain/orders/order-intent.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { isWorking } from '../../domain/orders/order-status.ts'
import { exitSideOf, type Side } from '../../domain/orders/side.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { OrderPlacer } from './order-placer.ts'
import { openQuantityOfAll, type WorkingOrders } from './working-orders.ts'

/** Purposes of the exits that are sent again. */
export type ExitPurpose = 'exit' | 'operator'

/** An exit at market that the exchange did not complete, or that a hold on trading has kept back. */
export interface UnfinishedExit {
  readonly purpose: ExitPurpose
  readonly book: string
  readonly side: Side
  readonly tag?: string | undefined
  /** Steps that its first order was to close. */
  readonly total: Steps
  /** Steps that have not traded and are in no order: they wait for a retry. */
  readonly left: Steps
  /** Steps that its latest order leaves out, because the account could not pay for them; absent before one is sent again. */
  readonly unpaid?: Steps | undefined
  /** Ids of its latest orders, the newest last; none before the first. */
  readonly orders: readonly string[]
  /** Orders that may still leave at once, each because the one before it has traded. */
  readonly tries: number
  /** Rule of the denial that was reported last; absent since an order left. */
  readonly deniedBy?: DenialRule | undefined
}

export interface UnfinishedExitsOptions {
  readonly instrument: Instrument
  readonly ledger: Ledger
  readonly orders: WorkingOrders
  readonly orderPlacer: OrderPlacer
  /** True while a hold keeps exits at market back. */
  readonly isHalted: () => boolean
  /**
   * Orders of one exit that may follow each other at once, each because the one before it has traded; the next one waits
   * for a retry. Default: 10. 0 where nothing is left to trade with until the next kline.
   */
  readonly atOnce?: number | undefined
  /** Called when an exit goes on with another order: what waited for the first waits for the second. */
  readonly onSentAgain: (before: string, next: string) => void
  /** Called when an exit ends without having traded all: what waited for its latest order waits no longer. */
  readonly onGivenUp: (clientOrderId: string, out: EngineOutput[]) => void
}

const MOST_AT_ONCE = 10

/** Orders of one exit that are remembered, because the exchange may report the end of one of them twice. */
const REMEMBERED = 20

const NONE: readonly UnfinishedExit[] = []

/** Denial by a hold on trading, which ends. */
export const HOLD: DenialRule = 'tradingState'

/** Denials that no later retry can lift: the rest is less than an order may be. */
const TOO_SMALL: ReadonlySet<DenialRule> = new Set(['minimumVolume', 'minimumNotional'])

/**
 * Exits at market of one strategy on one instrument, of which the exchange took only a part or nothing, or which a hold
 * denies. The rest is sent again until it has traded: at once while something trades, otherwise at the next retry, or the
 * first one after the hold. An exit never closes more than the position, less what other market exits close.
 */
export class UnfinishedExits {
  readonly #options: UnfinishedExitsOptions
  readonly #atOnce: number
  #all = NONE

  constructor(options: UnfinishedExitsOptions) {
    this.#options = options
    this.#atOnce = options.atOnce ?? MOST_AT_ONCE
  }

  /** All of them, oldest first. */
  get all(): readonly UnfinishedExit[] {
    return this.#all
  }

  /** True if any of them waits for a retry, and for no hold. */
  get areWaiting(): boolean {
    return this.#all.some(exit => isWaiting(exit) && this.#mayLeave(exit))
  }

  /** True if a hold has denied any of them. */
  get areHeld(): boolean {
    return this.#all.some(isHeld)
  }

  /** Keeps an exit that a hold has denied, to be sent after it. */
  hold({ book, side, tag }: Pick<UnfinishedExit, 'book' | 'side' | 'tag'>, quantity: Steps): void {
    if (quantity === 0) return
    const exit: UnfinishedExit = {
      ...{ purpose: 'exit', book, side, total: quantity, left: quantity },
      ...{ orders: [], tries: this.#atOnce, deniedBy: HOLD },
      ...(tag !== undefined && { tag }),
    }
    this.#all = [...this.#all, exit]
  }

  /** True while the exit of an operator goes on. */
  get areOfOperator(): boolean {
    return this.#all.some(({ purpose }) => purpose === 'operator')
  }

  /** Steps of a book that wait for a retry, at most the position less its market exits. */
  waitingOf(book: string): Steps {
    return this.#waitingOf(book, this.#all)
  }

  /** The same, but for exits that a hold has denied: orders that rest make way for these once they leave. */
  leavingOf(book: string): Steps {
    return this.#waitingOf(
      book,
      this.#all.filter(exit => !isHeld(exit)),
    )
  }

  #waitingOf(book: string, exits: readonly UnfinishedExit[]): Steps {
    let waiting = 0
    let closable = 0
    for (const exit of exits) {
      if (exit.book !== book) continue
      closable = Math.max(closable, this.#closable(exit))
      waiting += exit.left
    }
    return steps(Math.min(waiting, closable))
  }

  /** True while an exit of a book that trades on a side goes on. */
  has(book: string, side: Side): boolean {
    return this.#all.some(exit => exit.book === book && exit.side === side)
  }

  /** The same, but for exits that a rule of the bot denies. */
  isSending(book: string, side: Side): boolean {
    return this.#all.some(exit => exit.book === book && exit.side === side && exit.deniedBy === undefined)
  }

  /**
   * Follows the end of an order; true if it was a market exit that goes on. Call it once for each order that stops
   * working.
   */
  end(order: Order, out: EngineOutput[]): boolean {
    if (!isMarketExit(order.request)) return false
    // Mostly an exit has traded all, and no other is unfinished.
    return order.status === 'filled' && this.#all.length === 0 ? false : this.#end(order, out)
  }

  #end(order: Order, out: EngineOutput[]): boolean {
    const { request, filledQuantity } = order
    const { clientOrderId } = request
    const known = this.#all.find(({ orders }) => orders.includes(clientOrderId))
    // Its rest is in a later order already.
    if (known !== undefined && known.orders.at(-1) !== clientOrderId) return true
    const open = order.status === 'filled' ? 0 : openQuantityOf(order)
    const left = steps(open + (known?.unpaid ?? 0))
    if (known === undefined && left === 0) return false
    const exit = { ...(known ?? this.#begin(request)), left }
    const others = this.#all.filter(one => one !== known)
    if (left <= 0 || !this.#isWanted(exit)) {
      this.#all = others
      return false
    }
    const next =
      filledQuantity > 0 && exit.tries > 0 ? this.#send({ ...exit, tries: exit.tries - 1 }, out) : exit
    this.#all = next === undefined ? others : [...others, next]
    return next !== undefined
  }

  /** Counts a fill that was reported after the end of its order. */
  fill(order: Order, fill: Fill, out: EngineOutput[]): void {
    const { clientOrderId } = order.request
    if (this.#all.length === 0 || isWorking(order.status)) return
    this.#change(
      exit =>
        exit.orders.at(-1) === clientOrderId && isWaiting(exit)
          ? { ...exit, left: steps(Math.max(0, exit.left - fill.quantity)) }
          : exit,
      out,
    )
  }

  /** Drops exits whose position is gone, or points elsewhere. */
  fit(out: EngineOutput[]): void {
    if (this.#all.length > 0) this.#change(exit => exit, out)
  }

  /** Sends again what waits for a retry; only exits of a purpose, if given. */
  retry(out: EngineOutput[], purpose?: ExitPurpose): void {
    const isMeant = (exit: UnfinishedExit) =>
      isWaiting(exit) && this.#mayLeave(exit) && (purpose === undefined || exit.purpose === purpose)
    if (!this.#all.some(isMeant)) return
    this.#change(exit => (isMeant(exit) ? this.#send({ ...exit, tries: this.#atOnce }, out) : exit), out)
  }

  /** Gives up exits that wait for a retry and whose place a signal takes, and reports it. */
  giveUp(replacedBy: (exit: UnfinishedExit) => ReplacingSignal | undefined, out: EngineOutput[]): void {
    if (this.#all.length === 0) return
    this.#change(exit => {
      const by = isWaiting(exit) ? replacedBy(exit) : undefined
      if (by === undefined) return exit
      const { instrument, orderPlacer } = this.#options
      const { book, side } = exit
      const quantity = steps(Math.min(exit.left, this.#closable(exit)))
      const { strategy, decision } = orderPlacer
      const { symbol } = instrument
      out.push({ type: 'exitReplaced', symbol, book, strategy, side, quantity, by, time: decision.time })
      return undefined
    }, out)
  }

  /** Forgets all exits, because an operator's closing takes their place. */
  giveUpAll(out: EngineOutput[]): void {
    if (this.#all.length > 0) this.#change(() => undefined, out)
  }

  /** Has a position closed at the next retry, of which the snapshot of an older version says only that its close was refused. */
  adopt(book: string): void {
    const { ledger, orders } = this.#options
    const position = ledger.position(book)
    if (position === undefined) return
    const left = steps(Math.max(0, position.quantity - openQuantityOfAll(orders.marketExits(book))))
    const side = exitSideOf(position.direction)
    const exit = {
      purpose: 'operator',
      book,
      side,
      total: left,
      left,
      orders: [],
      tries: this.#atOnce,
    } as const
    if (left > 0) this.#all = [...this.#all, exit]
  }

  snapshot(): readonly UnfinishedExit[] {
    return this.#all
  }

  restore(exits: readonly UnfinishedExit[]): void {
    this.#all = [...exits]
  }

  /** Replaces every exit by its next state; those without one, or without anything to do, are over. */
  #change(next: (exit: UnfinishedExit) => UnfinishedExit | undefined, out: EngineOutput[]): void {
    const before = this.#all
    const after = before.map(exit => {
      const changed = next(exit)
      return changed !== undefined && this.#isWanted(changed) ? changed : undefined
    })
    this.#all = after.filter(exit => exit !== undefined)
    const { ledger, onGivenUp } = this.#options
    for (const [place, exit] of before.entries()) {
      const latest = exit.orders.at(-1)
      if (after[place] !== undefined || latest === undefined) continue
      const order = ledger.orders.get(latest)
      // A working order releases what waits for it when it ends.
      if (order === undefined || !isWorking(order.status)) onGivenUp(latest, out)
    }
  }

  #begin({ clientOrderId, purpose, side, tag, quantity, ...request }: OrderRequest): UnfinishedExit {
    return {
      purpose: purpose as ExitPurpose, // followed, hence one of them
      ...{ book: bookOf(request), side, total: quantity, left: quantity },
      ...{ orders: [clientOrderId], tries: this.#atOnce },
      ...(tag !== undefined && { tag }),
    }
  }

  /** False for an exit that a hold has denied, as long as exits are kept back. */
  #mayLeave(exit: UnfinishedExit): boolean {
    return !isHeld(exit) || !this.#options.isHalted()
  }

  /** True while an order of it works, or there is something left that it may close. */
  #isWanted(exit: UnfinishedExit): boolean {
    const latest = this.#options.ledger.orders.get(exit.orders.at(-1) ?? '')
    if (latest !== undefined && isWorking(latest.status)) return true
    const position = this.#options.ledger.position(exit.book)
    return exit.left > 0 && position !== undefined && exitSideOf(position.direction) === exit.side
  }

  /** Steps that an exit may close beside the market exits of its position. */
  #closable({ book, side }: Pick<UnfinishedExit, 'book' | 'side'>): Steps {
    const { ledger, orders } = this.#options
    const position = ledger.position(book)
    if (position === undefined || exitSideOf(position.direction) !== side) return NO_STEPS
    return steps(Math.max(0, position.quantity - openQuantityOfAll(orders.marketExits(book))))
  }

  /** The exit after its rest was sent; unchanged if that must wait, `undefined` if it is over. */
  #send(exit: UnfinishedExit, out: EngineOutput[]): UnfinishedExit | undefined {
    const { instrument, orderPlacer, onSentAgain } = this.#options
    if (!this.#isWanted(exit)) return undefined
    const quantity = steps(Math.min(exit.left, this.#closable(exit)))
    // Other market exits close the whole position, or leave something to close.
    if (quantity === 0) return exit
    const { purpose, book, side, tag } = exit
    const payable = orderPlacer.payable(side, quantity)
    const placed: EngineOutput[] = []
    const request = orderPlacer.place(
      {
        ...{ book, side, purpose, tag, plan: AT_MARKET, quantity: baseAmount(instrument, payable) },
        ...{ reduceOnly: true, protection: undefined, protects: undefined, terms: undefined },
      },
      placed,
    )
    if (request === undefined) return deniedExit(exit, placed, out)
    out.push(...placed)
    const { time } = orderPlacer.decision
    out.push({ type: 'exitSentAgain', request, total: exit.total, time })
    const before = exit.orders.at(-1)
    if (before !== undefined) onSentAgain(before, request.clientOrderId)
    const orders = [...exit.orders, request.clientOrderId].slice(-REMEMBERED)
    return { ...exit, orders, left: NO_STEPS, unpaid: steps(quantity - payable), deniedBy: undefined }
  }
}

/** Reports a denial once. What is less than an order may be is over, everything else waits for the next retry. */
function deniedExit(
  exit: UnfinishedExit,
  placed: readonly EngineOutput[],
  out: EngineOutput[],
): UnfinishedExit | undefined {
  const denied = placed.find(output => output.type === 'denied')
  if (denied === undefined) return exit
  const { rule } = denied.denial
  if (rule !== exit.deniedBy) out.push(denied)
  return TOO_SMALL.has(rule) ? undefined : { ...exit, deniedBy: rule }
}

function isHeld({ deniedBy }: UnfinishedExit): boolean {
  return deniedBy === HOLD
}

function isWaiting({ left }: UnfinishedExit): boolean {
  return left > 0
}

/** True for an exit at market, whose rest is sent again until it has traded. */
export function isMarketExit({ purpose, spec }: OrderRequest): boolean {
  return (purpose === 'exit' || purpose === 'operator') && spec.type === 'market'
}
