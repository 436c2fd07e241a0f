import { type Amount, amountOf, subtract } from '../domain/numbers/amount.ts'
import {
  type Grid,
  NO_STEPS,
  notionalOf,
  priceText,
  quantityText,
  type Steps,
  steps,
  stepsOf,
  type Ticks,
  ticksOf,
} from '../domain/numbers/grid.ts'
import type { FillEvidence } from './fill-evidence.ts'
import { ObservedMatching } from './observed-matching.ts'
import type { QueueAssumption } from './queue-assumption.ts'
import type { SessionGap, SessionRow, SessionStart } from './session-row.ts'
import { minuteOf, snapshotOf, type ToldBook, type ToldTrade, tradeOf } from './told-market.ts'
import type { ObservedFill } from './working-order.ts'

/** A recorded row of a session, in the order in which it became known at `at`, ms UTC. */
export type ReplayedRow =
  | SessionStart
  | SessionGap
  | Exclude<SessionRow, { type: 'fill' }>
  | { readonly type: 'book'; readonly at: number; readonly symbol: string; readonly book: ToldBook }
  | { readonly type: 'trade'; readonly at: number; readonly symbol: string; readonly trade: ToldTrade }

/** A fill as a session records it. */
export type SessionFill = Extract<SessionRow, { type: 'fill' }>

/** An order of a session, and what of it is open. */
interface ReplayedOrder extends Extract<SessionRow, { type: 'order' }> {
  quantityLeft: Steps
  amountLeft: Amount | undefined
}

interface ReplayedMarket {
  readonly grid: Grid
  matching: ObservedMatching<ReplayedOrder>
  readonly orders: Map<string, ReplayedOrder>
}

/**
 * Matches the recorded orders of a session on its recorded market again. With the queue of the session the fills
 * are the recorded ones, byte for byte; with another queue, those that the same orders would have had.
 */
export class SessionReplay {
  readonly fills: SessionFill[] = []
  readonly #given: QueueAssumption | undefined
  readonly #markets = new Map<string, ReplayedMarket>()
  #queue: QueueAssumption = 'shown'

  /** Without a `queue`, that of the session. */
  constructor(queue?: QueueAssumption) {
    this.#given = queue
  }

  /** Takes the next row. */
  apply(row: ReplayedRow): void {
    if (row.type === 'start') {
      this.#begin(row)
      return
    }
    const market = this.#markets.get(row.symbol)
    if (market === undefined) return
    const { grid, matching, orders } = market
    matching.pass(row.at)
    switch (row.type) {
      case 'book':
        matching.observeBook(snapshotOf(grid, row.book), row.at)
        break
      case 'trade':
        matching.observeTrade(tradeOf(grid, row.trade), row.at)
        break
      case 'gap':
        matching.observeGap({ ...row, minutes: row.minutes.map(told => minuteOf(grid, told)) }, row.at)
        break
      case 'order':
        enter(market, row)
        break
      case 'cancel': {
        const order = orders.get(row.order)
        if (order === undefined) return
        if (row.arrivesAt === undefined) matching.remove(order)
        else matching.cancel(order, row.arrivesAt)
      }
    }
  }

  /** A process begins, or goes on where the one before it ended. */
  #begin({ queue, goesOn, markets }: SessionStart): void {
    this.#queue = this.#given ?? queue
    for (const { symbol, pricePrecision, quantityPrecision } of markets) {
      const before = goesOn ? this.#markets.get(symbol) : undefined
      const grid = { pricePrecision, quantityPrecision }
      const matching = this.#matchingOf(symbol, grid)
      if (before !== undefined) matching.restore(before.matching.dump())
      this.#markets.set(symbol, { grid, matching, orders: before?.orders ?? new Map() })
    }
  }

  #matchingOf(symbol: string, grid: Grid): ObservedMatching<ReplayedOrder> {
    return new ObservedMatching<ReplayedOrder>(
      {
        openAt: (order, price) => openAt(grid, order, price),
        filled: (fill, evidence) => {
          this.fills.push(fillRow(symbol, grid, fill, evidence))
          book(grid, fill)
        },
        ended: order => {
          order.quantityLeft = NO_STEPS
          if (order.amountLeft !== undefined) order.amountLeft = amountOf('0')
        },
      },
      this.#queue,
    )
  }
}

function enter(
  { grid, matching, orders }: ReplayedMarket,
  row: Extract<SessionRow, { type: 'order' }>,
): void {
  const order: ReplayedOrder = {
    ...row,
    quantityLeft: row.quantity === undefined ? NO_STEPS : stepsOf(grid, row.quantity),
    amountLeft: row.amount === undefined ? undefined : amountOf(row.amount),
  }
  orders.set(row.order, order)
  const { side, kind, limit } = row
  const terms = { side, kind, limit: limit === undefined ? undefined : ticksOf(grid, limit) }
  if (row.arrivesAt === undefined) matching.enterNow(order, terms, row.at)
  else matching.enter(order, terms, row.arrivesAt)
}

/** A market buy can still trade the whole steps that its money pays for. */
function openAt(grid: Grid, { quantityLeft, amountLeft }: ReplayedOrder, price: Ticks): Steps {
  if (amountLeft === undefined) return quantityLeft
  const oneStep = notionalOf(grid, price, steps(1))
  return oneStep === 0n ? NO_STEPS : steps(Number(amountLeft / oneStep))
}

function book(grid: Grid, { order, price, quantity }: ObservedFill<ReplayedOrder>): void {
  if (order.amountLeft === undefined) order.quantityLeft = steps(order.quantityLeft - quantity)
  else order.amountLeft = subtract(order.amountLeft, notionalOf(grid, price, quantity))
}

function fillRow(
  symbol: string,
  grid: Grid,
  { order, price, quantity, time, liquidity }: ObservedFill<ReplayedOrder>,
  evidence: FillEvidence,
): SessionFill {
  return {
    ...{ type: 'fill', at: time, symbol, order: order.order, side: order.side, liquidity, evidence },
    price: priceText(grid, price),
    quantity: quantityText(grid, quantity),
  }
}
