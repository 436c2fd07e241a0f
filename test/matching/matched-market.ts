import { type Steps, steps, type Ticks, ticks } from '../../src/domain/numbers/grid.ts'
import type { Side } from '../../src/domain/orders/side.ts'
import type { FillEvidence } from '../../src/matching/fill-evidence.ts'
import type { BookSnapshot, ShownLevel } from '../../src/matching/observation.ts'
import { type MatchingOwner, ObservedMatching } from '../../src/matching/observed-matching.ts'
import type { QueueAssumption } from '../../src/matching/queue-assumption.ts'
import type { SharedLiquidity } from '../../src/matching/shared-liquidity.ts'
import type { MatchingKind, ObservedFill } from '../../src/matching/working-order.ts'

/** An order of a test; it is over when `open` is 0. */
export interface TestOrder {
  readonly name: string
  open: number
}

type Levels = readonly (readonly [price: number, quantity: number])[]

/** A market with matching, and all that it tells. */
export class MatchedMarket {
  /** `a 3@100 maker queued 5>0` for each fill, and `a over` for each end. */
  readonly told: string[] = []
  readonly evidence: FillEvidence[] = []
  readonly matching: ObservedMatching<TestOrder>
  #trades = 0

  /** `shared`: with further markets that are told the same. */
  constructor(assumption: QueueAssumption = 'shown', shared?: SharedLiquidity) {
    const owner: MatchingOwner<TestOrder> = {
      openAt: ({ open }) => steps(open),
      filled: (fill, evidence) => this.#filled(fill, evidence),
      ended: ({ name }) => void this.told.push(`${name} over`),
    }
    this.matching = new ObservedMatching(owner, assumption, shared)
  }

  /** Sends an order that arrives at a time. */
  send(
    name: string,
    side: Side,
    quantity: number,
    limit: number | undefined,
    at: number,
    kind: MatchingKind = 'limit',
  ) {
    const order = { name, open: quantity }
    this.matching.enter(order, { side, kind, limit: limit === undefined ? undefined : ticks(limit) }, at)
    return order
  }

  /** The host shows a book at a time; 20 levels were asked for. */
  book(time: number, bids: Levels, asks: Levels) {
    this.matching.observeBook(snapshotOf(time, bids, asks), time)
  }

  /** Somebody trades; `side` is the taker's. */
  trade(time: number, side: Side, price: number, quantity: number) {
    const id = `t${++this.#trades}`
    this.matching.observeTrade({ id, time, side, price: ticks(price), quantity: steps(quantity) }, time)
  }

  /** Somebody trades on a market whose order books are unknown. */
  loneTrade(time: number, side: Side, price: number, quantity: number) {
    const id = `t${++this.#trades}`
    this.matching.observeLoneTrade({ id, time, side, price: ticks(price), quantity: steps(quantity) }, time)
  }

  #filled({ order, price, quantity, liquidity }: ObservedFill<TestOrder>, evidence: FillEvidence): void {
    order.open -= quantity
    const { rule, queueBefore, queueAfter } = evidence
    const queue = queueBefore === undefined ? '' : ` ${queueBefore}>${queueAfter}`
    this.told.push(`${order.name} ${quantity}@${price} ${liquidity} ${rule}${queue}`)
    this.evidence.push(evidence)
  }
}

function snapshotOf(time: number, bids: Levels, asks: Levels): BookSnapshot {
  return { time, bids: bids.map(levelOf), asks: asks.map(levelOf), levels: 20 }
}

function levelOf([price, quantity]: readonly [number, number]): ShownLevel {
  return { price: price as Ticks, quantity: quantity as Steps }
}
