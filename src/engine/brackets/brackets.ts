import { bookOf } from '../../domain/book-names.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { NO_STEPS, priceOf, type Steps, steps } from '../../domain/numbers/grid.ts'
import { type PartRange, stepsOfPart } from '../../domain/numbers/part-range.ts'
import type { DenialRule } from '../../domain/orders/denial.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { isWorking } from '../../domain/orders/order-status.ts'
import { type Direction, entrySideOf, oppositeOf } from '../../domain/orders/side.ts'
import { betterPrice } from '../../domain/orders/trailing-stop.ts'
import type { Lot } from '../../domain/position.ts'
import type { Protection, ProtectSignal } from '../../domain/signal.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PositionBooks } from '../position-books.ts'
import type { BestPrices } from './best-prices.ts'
import { changedProtection, PROTECTIVE_PURPOSES, samePlans } from './protection-change.ts'
import { type ProtectiveLeg, protectiveLegs } from './protection-prices.ts'
import {
  newProtectiveOrder,
  type ProtectiveOrder,
  type TooSmallProtection,
  type WantedProtection,
} from './protective-order.ts'

/** The entry that a protective order belongs to. */
export type ProtectedEntry = Pick<OrderRequest, 'clientOrderId' | 'symbol' | 'book' | 'side' | 'tag'>

/** Places the orders of brackets, or checks them with risk. */
export interface ProtectionPlacer {
  /**
   * Sizes and places one protective order for `quantity` base units; returns its id, or `undefined` if risk
   * denied it.
   */
  readonly place: (
    leg: ProtectiveLeg,
    entry: ProtectedEntry,
    quantity: Steps,
    out: EngineOutput[],
  ) => string | undefined
  /** True if risk would approve the order; places none. */
  readonly isApproved: (
    leg: ProtectiveLeg,
    entry: ProtectedEntry,
    quantity: Steps,
    out: EngineOutput[],
  ) => boolean
}

interface Bracket {
  readonly entry: ProtectedEntry
  protection: Protection
  /** Absent until the first fill. */
  legs: readonly ProtectiveOrder[] | undefined
  /** Replaced legs; their orders may still be working. */
  replaced: readonly ProtectiveOrder[]
  /** Position of the entry at the latest sync, in steps. */
  held: Steps
  /**
   * Total that the parts of a take-profit divide, in steps: all quantity bought or sold since the legs were
   * made.
   */
  acquired: Steps
}

/** The protection of one entry as plain data. */
export type BracketState = Readonly<Omit<Bracket, 'legs'>> & Partial<Pick<Bracket, 'legs'>>

const NO_LOTS: readonly Lot[] = []
const NO_LEGS: readonly ProtectiveOrder[] = []

/** Denials that no later retry can lift: the part is less than an order may be. */
const TOO_SMALL: ReadonlySet<DenialRule> = new Set(['minimumVolume', 'minimumNotional'])

const GROWS =
  'The bot places it when its entry has filled enough for the smallest order; until then, and if that does not happen, this part is without it.'

/** Refusals by the exchange after which a leg waits for a retry, which avoids endless requests. */
const MOST_REFUSALS = 3

/**
 * The protective orders of one strategy's entries. After every fill, `sync` sets each leg's open quantity to
 * the remaining quantity of its entry (or its part of that); the legs of an entry cancel each other by that
 * rule alone.
 */
export class Brackets {
  readonly #instrument: Instrument
  readonly #books: PositionBooks
  readonly #ledger: Ledger
  readonly #bests: BestPrices
  readonly #placer: ProtectionPlacer
  /** A list: there are few, and a map would have to hash every id. */
  readonly #brackets: Bracket[] = []

  constructor(
    instrument: Instrument,
    books: PositionBooks,
    ledger: Ledger,
    bests: BestPrices,
    placer: ProtectionPlacer,
  ) {
    this.#instrument = instrument
    this.#books = books
    this.#ledger = ledger
    this.#bests = bests
    this.#placer = placer
  }

  /** True if no entry is protected. */
  get areNone(): boolean {
    return this.#brackets.length === 0
  }

  /** Protects the future position of an entry. */
  attach(entry: OrderRequest): void {
    if (entry.protection === undefined) return
    this.#brackets.push(newBracket(entry, entry.protection))
  }

  /** Places, resizes and cancels protective orders until they match the position. */
  sync(out: EngineOutput[]): void {
    let index = 0
    while (index < this.#brackets.length) {
      const bracket = this.#brackets[index] as Bracket // below the length
      const held = this.#heldOf(bracket.entry)
      if (held > 0) this.#cover(bracket, held, out)
      else if (this.#isReleased(bracket, out)) {
        this.#brackets.splice(index, 1)
        continue
      }
      index++
    }
  }

  /** Protective orders of open positions that work, or wait for a retry because the exchange refused or risk denied them. */
  get wanted(): readonly WantedProtection[] {
    return this.#brackets.flatMap(({ entry, legs = NO_LEGS }) =>
      legs.flatMap((placed, leg) => {
        const { id, refusedTimes } = placed
        const denial = isDenied(placed) ? placed.denial : undefined
        const clientOrderId = id ?? denial?.clientOrderId
        if (clientOrderId === undefined) return []
        if (denial === undefined && !this.#isWorking(clientOrderId) && !isGivenUp(placed)) return []
        const { symbol } = this.#instrument
        const { purpose } = placed.leg
        return [
          {
            book: bookOf(entry),
            symbol,
            entry: entry.clientOrderId,
            purpose,
            leg,
            clientOrderId,
            refusedTimes,
            ...(denial && { deniedBecause: denial.message }),
          },
        ]
      }),
    )
  }

  /** Protective orders of open positions that no order is placed for, because they are less than an order may be. */
  get tooSmall(): readonly TooSmallProtection[] {
    return this.#brackets.flatMap(({ entry, legs = NO_LEGS }) =>
      legs.flatMap(({ id, denial, leg }) =>
        id === undefined && denial !== undefined && TOO_SMALL.has(denial.rule)
          ? [{ book: bookOf(entry), purpose: leg.purpose, message: denial.message }]
          : [],
      ),
    )
  }

  /** True if a leg waits for a retry: the exchange refused it too often, risk denied it, or its part of the entry is still too small. */
  get isWaiting(): boolean {
    return this.#brackets.some(
      ({ legs }) => legs?.some(leg => isGivenUp(leg) || isDenied(leg) || leg.tooSmall === 'quiet') === true,
    )
  }

  /** Sends each waiting leg once more: what refused it, such as a frozen market or a lack of money, may be over. */
  retry(out: EngineOutput[]): void {
    for (const { legs } of this.#brackets) {
      for (const leg of legs ?? NO_LEGS) {
        if (isGivenUp(leg)) leg.refusals = MOST_REFUSALS - 1
        if (isDenied(leg)) leg.askedFor = NO_STEPS
        if (leg.tooSmall === 'quiet') askAgain(leg)
      }
    }
    this.sync(out)
  }

  /**
   * Changes the protection of open positions. A new order waits until the one it replaces has ended, so that
   * both can never fill; a level that risk denies changes nothing. A new trailing stop continues from the
   * best price since the entry.
   */
  change(signal: ProtectSignal, out: EngineOutput[]): void {
    for (const book of this.#books.all) {
      const position = this.#ledger.position(book)
      if (position === undefined) continue
      const side = entrySideOf(position.direction)
      for (const [clientOrderId, { tag }] of new Map(position.lots.map(lot => [lot.clientOrderId, lot]))) {
        if (signal.tag !== undefined && signal.tag !== tag) continue
        const { symbol } = this.#instrument
        this.#change(this.#bracketOf({ clientOrderId, symbol, book, side, tag }), signal, out)
      }
    }
    this.sync(out)
  }

  /** Entries under protection, and their protective orders. */
  snapshot(): readonly BracketState[] {
    return this.#brackets.map(copyOf)
  }

  restore(brackets: readonly BracketState[]): void {
    for (const bracket of brackets) this.#brackets.push(copyOf(bracket))
  }

  /** The bracket of an entry; a new one without protection where the entry had none. */
  #bracketOf(entry: ProtectedEntry): Bracket {
    const known = this.#brackets.find(bracket => bracket.entry.clientOrderId === entry.clientOrderId)
    if (known !== undefined) return known
    const bracket = newBracket(entry, {})
    this.#brackets.push(bracket)
    return bracket
  }

  #change(bracket: Bracket, signal: ProtectSignal, out: EngineOutput[]): void {
    const held = this.#heldOf(bracket.entry)
    bracket.legs ??= this.#legsOf(bracket.protection, bracket.entry, held)
    for (const purpose of PROTECTIVE_PURPOSES) {
      if (signal[purpose] === undefined) continue
      const protection = changedProtection(bracket.protection, signal, purpose)
      const legs = this.#legsOf({ [purpose]: protection[purpose] }, bracket.entry, held)
      const old: readonly ProtectiveOrder[] = bracket.legs.filter(({ leg }) => leg.purpose === purpose)
      const side = oppositeOf(bracket.entry.side)
      if (samePlans(this.#instrument, side, old, legs) && !old.some(isAbsent)) {
        bracket.protection = protection
        continue
      }
      if (!this.#areApproved(legs, bracket.entry, held, out)) continue
      for (const placed of legs) placed.leg = this.#continued(placed.leg, bracket.entry, old)
      this.#cancel(old, out)
      bracket.protection = protection
      bracket.replaced = [...bracket.replaced, ...old].filter(({ id }) => this.#isWorking(id))
      bracket.legs = [...bracket.legs.filter(leg => !old.includes(leg)), ...legs]
      if (purpose === 'takeProfit') bracket.acquired = held
      bracket.held = held
    }
  }

  #areApproved(
    legs: readonly ProtectiveOrder[],
    entry: ProtectedEntry,
    held: Steps,
    out: EngineOutput[],
  ): boolean {
    return legs.every(({ leg }) => {
      const quantity = leg.part === undefined ? held : stepsOfPart(leg.part, held)
      return this.#placer.isApproved(leg, entry, quantity, out)
    })
  }

  #heldOf(entry: ProtectedEntry): Steps {
    let held = 0
    for (const lot of this.#ledger.position(bookOf(entry))?.lots ?? NO_LOTS) {
      if (lot.clientOrderId === entry.clientOrderId) held += lot.quantity
    }
    return steps(held)
  }

  #cover(bracket: Bracket, held: Steps, out: EngineOutput[]): void {
    bracket.legs ??= this.#legsOf(bracket.protection, bracket.entry, held)
    if (held > bracket.held) bracket.acquired = steps(bracket.acquired + held - bracket.held)
    bracket.held = held
    const isFilling = this.#isWorking(bracket.entry.clientOrderId)
    // Quantity that partial take-profits may close together; after a partial exit by another order, the last
    // of them shrink first.
    let free: number = held
    for (const placed of bracket.legs) {
      const order = placed.id === undefined ? undefined : this.#ledger.orders.get(placed.id)
      let wanted = held
      if (placed.leg.part !== undefined) {
        wanted = steps(Math.min(free, openPart(placed, placed.leg.part, bracket.acquired, order)))
        free -= wanted
      }
      if (wanted > 0 && order?.status === 'rejected') countRefusal(placed, order, out)
      if (placed.tooSmall === 'quiet' && !isFilling) askAgain(placed)
      if (order !== undefined && isWorking(order.status)) this.#resize(placed, order, wanted, out)
      else if (wanted > 0 && isWanted(placed, wanted) && !this.#isReplacing(bracket, placed)) {
        placed.askedFor = wanted
        placed.filledBefore = placed.filled
        placed.leg = this.#continued(placed.leg, bracket.entry, [...bracket.replaced, placed])
        const outputs: EngineOutput[] = []
        placed.id = this.#placer.place(placed.leg, bracket.entry, wanted, outputs)
        noteDenial(placed, outputs, isFilling, out)
      }
    }
  }

  /** True if an order that a leg replaces may still trade. */
  #isReplacing({ replaced }: Bracket, { leg }: ProtectiveOrder): boolean {
    return (
      replaced.length > 0 && replaced.some(old => old.leg.purpose === leg.purpose && this.#isWorking(old.id))
    )
  }

  /**
   * The leg to place now: a trailing stop starts from the best price since its entry, and of the orders
   * before it.
   */
  #continued(
    leg: ProtectiveLeg,
    { clientOrderId, side }: ProtectedEntry,
    before: readonly ProtectiveOrder[],
  ): ProtectiveLeg {
    if (leg.plan.type !== 'trailingStop') return leg
    const isBuy = side === 'sell'
    const { orders } = this.#ledger
    const seen = before.map(({ id }) => (id === undefined ? undefined : orders.bestOf(id)))
    const prices = seen.map(best => (best === undefined ? undefined : priceOf(this.#instrument, best)))
    const anchor = [...prices, this.#bests.of(clientOrderId)].reduce<number>(
      (best, price) => (price === undefined ? best : betterPrice(isBuy, best, price)),
      leg.plan.anchor,
    )
    return { ...leg, plan: { ...leg.plan, anchor } }
  }

  #legsOf(protection: Protection, entry: ProtectedEntry, held: Steps): readonly ProtectiveOrder[] {
    let cost = 0
    for (const lot of this.#ledger.position(bookOf(entry))?.lots ?? NO_LOTS) {
      if (lot.clientOrderId === entry.clientOrderId)
        cost += priceOf(this.#instrument, lot.price) * lot.quantity
    }
    const direction: Direction = entry.side === 'buy' ? 'long' : 'short'
    return protectiveLegs(protection, direction, cost / held).map(newProtectiveOrder)
  }

  #resize(placed: ProtectiveOrder, order: Order, wanted: Steps, out: EngineOutput[]): void {
    const quantity = steps(order.filledQuantity + wanted)
    if (wanted === 0) this.#cancel([placed], out)
    if (quantity === order.request.quantity || placed.canceledId === placed.id) return
    const id = order.request.clientOrderId
    this.#ledger.orders.resize(id, quantity)
    out.push({ type: 'resizeOrder', clientOrderId: id, symbol: this.#instrument.symbol, quantity })
  }

  /** Cancels the legs of a closed entry; returns true if the entry order has ended too. */
  #isReleased(bracket: Bracket, out: EngineOutput[]): boolean {
    if (bracket.legs !== undefined) this.#cancel(bracket.legs, out)
    const entry = this.#ledger.orders.get(bracket.entry.clientOrderId)
    if (entry === undefined || !isWorking(entry.status)) return true
    bracket.legs = undefined
    bracket.held = NO_STEPS
    bracket.acquired = NO_STEPS
    return false
  }

  /** Cancels the orders of legs, each once. */
  #cancel(legs: readonly ProtectiveOrder[], out: EngineOutput[]): void {
    for (const placed of legs) {
      const { id } = placed
      if (id === placed.canceledId || !this.#isWorking(id)) continue
      placed.canceledId = id
      out.push({ type: 'cancelOrder', clientOrderId: id, symbol: this.#instrument.symbol })
    }
  }

  #isWorking(id: string | undefined): id is string {
    const order = id === undefined ? undefined : this.#ledger.orders.get(id)
    return order !== undefined && isWorking(order.status)
  }
}

/** Counts the refusal of a leg's latest order, once. */
function countRefusal(placed: ProtectiveOrder, order: Order, out: EngineOutput[]): void {
  if (placed.refusedId === placed.id) return
  placed.refusedId = placed.id
  placed.refusals++
  placed.refusedTimes++
  if (placed.refusals === MOST_REFUSALS) out.push({ type: 'protectionRefused', order })
}

/**
 * Passes on the outputs of placing a leg, and remembers its denial, which is reported once for each rule. That the first
 * parts of an entry that fills (`isFilling`) are too small is reported only where it stays so.
 */
function noteDenial(
  placed: ProtectiveOrder,
  outputs: readonly EngineOutput[],
  isFilling: boolean,
  out: EngineOutput[],
): void {
  const before = placed.denial?.rule
  const wasTold = placed.tooSmall === 'told'
  placed.denial = undefined
  placed.tooSmall = undefined
  for (const output of outputs) {
    if (output.type !== 'denied') {
      out.push(output)
      continue
    }
    const { rule, message, intent } = output.denial
    const mayGrow = isFilling && TOO_SMALL.has(rule)
    if (mayGrow) placed.tooSmall = wasTold ? 'told' : 'quiet'
    if (placed.tooSmall === 'quiet') continue
    placed.denial = { clientOrderId: intent.clientOrderId, rule, message }
    if (rule === before) continue
    out.push(mayGrow ? { ...output, denial: { ...output.denial, message: `${message} ${GROWS}` } } : output)
  }
}

/** Has risk asked for a small part again, and the answer told. */
function askAgain(placed: ProtectiveOrder): void {
  placed.tooSmall = 'told'
  placed.askedFor = NO_STEPS
}

/** True if risk denied a leg for a reason that may pass. */
function isDenied({ id, denial }: ProtectiveOrder): boolean {
  return id === undefined && denial !== undefined && !TOO_SMALL.has(denial.rule)
}

/** A leg that ended early (refused, or filled in part) is placed again while a position remains. */
function isWanted(placed: ProtectiveOrder, wanted: Steps): boolean {
  return placed.id === undefined ? wanted > placed.askedFor : !isGivenUp(placed)
}

/** A leg refused this often is sent again at the next retry, or after a new request for it. */
function isGivenUp({ refusals }: ProtectiveOrder): boolean {
  return refusals >= MOST_REFUSALS
}

/**
 * True if a leg has no order: risk denied it, or the exchange refused it too often. A new request tries it
 * again.
 */
function isAbsent(placed: ProtectiveOrder): boolean {
  return isGivenUp(placed) || (placed.id === undefined && placed.askedFor > 0)
}

function newBracket(
  { clientOrderId, symbol, book, side, tag }: ProtectedEntry,
  protection: Protection,
): Bracket {
  return {
    entry: { clientOrderId, symbol, book, side, tag },
    protection,
    legs: undefined,
    replaced: NO_LEGS,
    held: NO_STEPS,
    acquired: NO_STEPS,
  }
}

/** Steps of a part that its take-profit has not closed yet. */
function openPart(placed: ProtectiveOrder, part: PartRange, whole: Steps, order: Order | undefined): number {
  // An order that the ledger has forgotten fills no more.
  if (order !== undefined) placed.filled = steps(placed.filledBefore + order.filledQuantity)
  return Math.max(0, stepsOfPart(part, whole) - placed.filled)
}

function copyOf({ entry, protection, legs, replaced, held, acquired }: BracketState): Bracket {
  // Copied onto a new leg: JSON omits fields that are `undefined`.
  const copies = (list: readonly ProtectiveOrder[]) =>
    list.map(leg => ({ ...newProtectiveOrder(leg.leg), ...leg }))
  return { entry, protection, legs: legs && copies(legs), replaced: copies(replaced), held, acquired }
}
