import { NO_STEPS, type Steps, steps, type Ticks } from '../domain/numbers/grid.ts'
import { oppositeOf, type Side } from '../domain/orders/side.ts'
import { ExplainedVolume, type ExplainedVolumeState } from './explained-volume.ts'
import type { FillEvidence, MatchingRule } from './fill-evidence.ts'
import { gapShares } from './gap-shares.ts'
import {
  type BookSnapshot,
  isBetter,
  isCrossed,
  levelsOf,
  type ObservedGap,
  type ObservedMinute,
  type ObservedTrade,
  type ShownLevel,
  shownAt,
} from './observation.ts'
import { ObservedOrders, type Resting } from './observed-orders.ts'
import type { QueueAssumption } from './queue-assumption.ts'
import { QueuePosition } from './queue-position.ts'
import type { SharedLiquidity } from './shared-liquidity.ts'
import { WithheldLiquidity, type WithheldLiquidityState } from './withheld-liquidity.ts'
import type { MatchingTerms, ObservedFill, WorkingOrder, WorkingOrderState } from './working-order.ts'

/** The owner of the orders. */
export interface MatchingOwner<Order> {
  /** Quantity that an order can still trade at a price; 0 once it is over. */
  readonly openAt: (order: Order, price: Ticks) => Steps
  /** Books a fill before it returns, also on what `openAt` gives; may cancel orders. */
  readonly filled: (fill: ObservedFill<Order>, evidence: FillEvidence) => void
  /** An order works no longer: complete, or its rest is canceled. */
  readonly ended: (order: Order, time: number) => void
}

/** Matching on one market as plain data but for its orders. */
export interface ObservedMatchingState<Order> {
  readonly working: readonly WorkingOrderState<Order>[]
  readonly withheld: Readonly<Record<Side, WithheldLiquidityState>>
  readonly known: ExplainedVolumeState
  /** The latest one. */
  readonly snapshot?: BookSnapshot | undefined
}

const SIDES: readonly Side[] = ['buy', 'sell']
/** Age up to which a snapshot is the market of this moment, ms; an account may have been away since. */
const FRESH_MS = 60_000
/** Longest wait of a cancel for a snapshot, ms: the host may be silent. */
const CANCEL_WAIT_MS = 10_000

/**
 * Matches orders on a market that is only observed. An order that arrives walks the first snapshot at or after
 * that time, as far as it shows; what it takes is withheld from later snapshots. An order that rests fills by
 * the public trades behind its queue, and by trades and quotes beyond its price. The same observations give the
 * same fills. Observations are told in the order in which they became known; `at` is that time, ms UTC.
 */
export class ObservedMatching<Order> {
  readonly #owner: MatchingOwner<Order>
  readonly #assumption: QueueAssumption
  readonly #working: ObservedOrders<Order>
  readonly #shared: SharedLiquidity | undefined
  readonly #withheld: Readonly<Record<Side, WithheldLiquidity>>
  readonly #explained: ExplainedVolume
  #snapshot: BookSnapshot | undefined

  /** `shared`: with further matchings on the same market; of one moment, the first that is told it takes what is there first. */
  constructor(owner: MatchingOwner<Order>, assumption: QueueAssumption, shared?: SharedLiquidity) {
    this.#owner = owner
    this.#assumption = assumption
    this.#shared = shared
    this.#withheld = shared?.withheld ?? { buy: new WithheldLiquidity(), sell: new WithheldLiquidity() }
    this.#explained = shared?.explained ?? new ExplainedVolume()
    this.#working = new ObservedOrders(assumption)
  }

  /** True if an observation may change an order or what is withheld. */
  get isEngaged(): boolean {
    return !this.#working.isNone || !this.#withheld.buy.isNone || !this.#withheld.sell.isNone
  }

  /** The orders on their way or at rest, in order of arrival. */
  get orders(): readonly Order[] {
    return this.#working.all.map(({ order }) => order)
  }

  dump(): ObservedMatchingState<Order> {
    return {
      working: this.#working.dump(),
      withheld: { buy: this.#withheld.buy.dump(), sell: this.#withheld.sell.dump() },
      known: this.#explained.dump(),
      snapshot: this.#snapshot,
    }
  }

  /** Restores a dump of the same market. */
  restore({ working, withheld, known, snapshot }: ObservedMatchingState<Order>): void {
    this.#working.restore(working)
    this.#withheld.buy.restore(withheld.buy)
    this.#withheld.sell.restore(withheld.sell)
    this.#explained.restore(known)
    this.#snapshot = snapshot
  }

  /** Takes an order that reaches the market at `arrivesAt`, ms UTC. */
  enter(order: Order, terms: MatchingTerms, arrivesAt: number): void {
    const { side, kind, limit } = terms
    this.#working.add({ order, side, kind, limit, arrivesAt, cancelAt: undefined, rest: undefined })
  }

  /** Takes an order that walks the latest snapshot at once, at `at` (ms UTC); without one of this minute it waits for the next. */
  enterNow(order: Order, terms: MatchingTerms, at: number): void {
    const snapshot = at - (this.#snapshot?.time ?? 0) < FRESH_MS ? this.#snapshot : undefined
    this.enter(order, terms, snapshot?.time ?? at)
    const working = this.#working.entryOf(order)
    if (snapshot !== undefined && working !== undefined) this.#arrive(working, snapshot, at)
  }

  /** Cancels an order when the cancel reaches the market, `arrivesAt` (ms UTC): known at the next snapshot. */
  cancel(order: Order, arrivesAt: number): void {
    const working = this.#working.entryOf(order)
    if (working !== undefined) working.cancelAt ??= arrivesAt
  }

  /** Takes an order out at once, without a word to its owner. */
  remove(order: Order): void {
    this.#working.remove(order)
  }

  /** Ends the orders whose cancel has waited too long for a snapshot. */
  pass(at: number): void {
    for (const working of this.#working.all) {
      if ((working.cancelAt ?? Number.POSITIVE_INFINITY) + CANCEL_WAIT_MS <= at) this.#end(working, at)
    }
  }

  /** Takes an order book. One older than the latest, or crossed, is ignored. */
  observeBook(snapshot: BookSnapshot, at: number): void {
    if (isCrossed(snapshot)) return
    if (this.#snapshot !== undefined && snapshot.time < this.#snapshot.time) return
    this.#snapshot = snapshot
    if (this.#shared !== undefined) this.#shared.shownAt = snapshot.time
    for (const side of SIDES)
      if (!this.#withheld[side].isNone) this.#withheld[side].show(price => shownAt(snapshot, side, price))
    for (const side of SIDES) this.#fillQuotedThrough(side, snapshot, at)
    for (const { side, rest } of this.#working.resting())
      rest.position.show(snapshot.time, shownAt(snapshot, side, rest.price))
    for (const working of this.#working.all) {
      if (working.rest === undefined && working.arrivesAt <= snapshot.time)
        this.#arrive(working, snapshot, at)
    }
    for (const working of this.#working.all) {
      if (working.cancelAt !== undefined && working.cancelAt <= snapshot.time) this.#end(working, at)
    }
  }

  /** Takes a public trade; each is told once. */
  observeTrade(trade: ObservedTrade, at: number): void {
    const { price, quantity, side: taker } = trade
    const side = oppositeOf(taker)
    const use = this.#shared?.useOf(trade, at)
    if (use?.isTold !== true) this.#explainBy(trade)
    let left = quantity - (use?.made ?? 0)
    for (const working of this.#working.byPriority(side)) {
      if (left === 0 || isBetter(side, price, working.rest.price)) break
      left -= this.#fillByTrade(working, trade, left, at)
    }
    if (use !== undefined) {
      use.isTold = true
      use.made = quantity - left
    }
  }

  #explainBy({ time, price, quantity, side }: ObservedTrade): void {
    const shownAt = this.#shared === undefined ? this.#snapshot?.time : this.#shared.shownAt
    this.#explained.add(time, quantity)
    if (shownAt !== undefined && time > shownAt) this.#withheld[oppositeOf(side)].trade(price, quantity)
  }

  /**
   * Takes a public trade of a market whose order books are unknown. What arrives takes beside the takers of its
   * own side, at their prices and by their sizes; what rests fills by trades beyond its price, of either side.
   */
  observeLoneTrade(trade: ObservedTrade, at: number): void {
    const use = this.#shared?.useOf(trade, at)
    let left = trade.quantity - (use?.beside ?? 0)
    for (const working of this.#working.byPriority(trade.side)) {
      const { side, rest, cancelAt = Number.POSITIVE_INFINITY } = working
      if (!isBetter(side, rest.price, trade.price)) break
      if (trade.time <= rest.since || trade.time > cancelAt) continue
      const evidence = { rule: 'tradedThrough', tradeIds: [trade.id] } as const
      left -= this.#fill(working, rest.price, left, at, evidence)
    }
    for (const working of this.#working.all)
      if (working.rest === undefined && working.arrivesAt <= trade.time)
        left -= this.#arriveBeside(working, trade, left, at)
    if (use !== undefined) use.beside = trade.quantity - left
    this.observeTrade(trade, at)
    for (const working of this.#working.all)
      if (working.cancelAt !== undefined && working.cancelAt <= trade.time) this.#end(working, at)
  }

  /**
   * Takes a gap: its whole minutes fill the resting orders that they went beyond. Each unit of a minute's volume
   * traded once: both sides share what neither known trades nor fills by an earlier gap explain.
   */
  observeGap({ reason, minutes }: ObservedGap, at: number): void {
    for (const minute of minutes) this.#fillByMinute(minute, reason, at)
  }

  #fillByMinute(minute: ObservedMinute, gap: string, at: number): void {
    const { openTime, volume } = minute
    for (const working of gapShares(this.#working.resting(), minute)) {
      const left = volume - this.#explained.within(openTime)
      if (left <= 0) return
      const evidence = { rule: 'gapMinute', minute: openTime, gap } as const
      this.#explained.add(openTime, this.#fill(working, working.rest.price, left, at, evidence))
    }
  }

  #fillByTrade(working: Resting<Order>, trade: ObservedTrade, left: number, at: number): number {
    const { side, rest, cancelAt = Number.POSITIVE_INFINITY } = working
    const { time, price, id } = trade
    if (time <= rest.since || time > cancelAt) return 0
    const tradeIds = [id]
    if (isBetter(side, rest.price, price))
      return this.#fill(working, rest.price, left, at, { rule: 'tradedThrough', tradeIds })
    const queueBefore = rest.position.ahead
    const reached = rest.position.trade(time, left)
    const queueAfter = rest.position.ahead
    return this.#fill(working, rest.price, reached, at, { rule: 'queued', tradeIds, queueBefore, queueAfter })
  }

  /** The opposite side shows prices beyond a resting order: it would have traded with them. */
  #fillQuotedThrough(side: Side, snapshot: BookSnapshot, at: number): void {
    for (const level of levelsOf(snapshot, oppositeOf(side))) {
      for (const working of this.#working.byPriority(side)) {
        if (!isBetter(side, working.rest.price, level.price)) break
        const { price } = working.rest
        this.#take(working, price, level, at, 'quotedThrough')
      }
    }
  }

  #arrive(working: WorkingOrder<Order>, snapshot: BookSnapshot, at: number): void {
    const { order, side, kind, limit } = working
    if (this.#mayTake(working, snapshot)) this.#walk(working, snapshot, at)
    if (!this.#working.includes(working)) return
    const isOver = limit === undefined || this.#owner.openAt(order, limit) === NO_STEPS
    const mayRest = kind === 'limit' || (kind === 'postOnly' && !this.#crosses(working, snapshot))
    if (isOver || !mayRest) {
      this.#end(working, at)
      return
    }
    this.#rest(working, limit, snapshot.time, shownAt(snapshot, side, limit))
  }

  /** An order arrives where a trade is all that is known; returns how much of the trade's size it took. */
  #arriveBeside(working: WorkingOrder<Order>, trade: ObservedTrade, left: number, at: number): number {
    const { order, side, kind, limit } = working
    const { time, price, id } = trade
    const isBeside = trade.side === side
    const isWithin = isBeside && (limit === undefined || !isBetter(side, price, limit))
    const mayTake = kind !== 'postOnly' && (kind !== 'fillOrKill' || left >= this.#owner.openAt(order, price))
    const taken =
      isWithin && mayTake ? this.#fill(working, price, left, at, { rule: 'tradedBeside', tradeIds: [id] }) : 0
    if (!this.#working.includes(working)) return taken
    const isOver = taken > 0 && this.#owner.openAt(order, price) === NO_STEPS
    const mayRest = kind === 'limit' || (kind === 'postOnly' && !isWithin)
    // At market it goes on beside later trades; what must not rest waits for the first trade of its side.
    if (isOver || (isBeside && limit !== undefined && !mayRest)) this.#end(working, at)
    else if (limit !== undefined && mayRest)
      this.#rest(working, limit, taken > 0 ? time : working.arrivesAt, undefined)
    return taken
  }

  #rest(working: WorkingOrder<Order>, price: Ticks, since: number, shown: Steps | undefined): void {
    const position = new QueuePosition(this.#assumption)
    position.show(since, shown)
    this.#working.rest(working, { since, price, position })
  }

  #mayTake(working: WorkingOrder<Order>, snapshot: BookSnapshot): boolean {
    const { order, side, kind, limit } = working
    if (kind === 'postOnly') return false
    if (kind !== 'fillOrKill' || limit === undefined) return true
    const opposite = oppositeOf(side)
    const available = levelsOf(snapshot, opposite)
      .filter(({ price }) => !isBetter(side, price, limit))
      .reduce((sum, level) => sum + this.#withheld[opposite].available(level), 0)
    return available >= this.#owner.openAt(order, limit)
  }

  /** True if the opposite side shows a price within the order's limit. */
  #crosses({ side, limit }: WorkingOrder<Order>, snapshot: BookSnapshot): boolean {
    const best = levelsOf(snapshot, oppositeOf(side))[0]
    return best !== undefined && (limit === undefined || !isBetter(side, best.price, limit))
  }

  #walk(working: WorkingOrder<Order>, snapshot: BookSnapshot, at: number): void {
    const { side, limit } = working
    for (const level of levelsOf(snapshot, oppositeOf(side))) {
      if (limit !== undefined && isBetter(side, level.price, limit)) return
      this.#take(working, level.price, level, at, 'walked')
      if (!this.#working.includes(working)) return
    }
  }

  /** An order takes what a level has for it. */
  #take(working: WorkingOrder<Order>, price: Ticks, level: ShownLevel, at: number, rule: MatchingRule): void {
    const withheld = this.#withheld[oppositeOf(working.side)]
    const quantity = Math.min(withheld.available(level), this.#owner.openAt(working.order, price))
    if (quantity === 0) return
    withheld.take(level, steps(quantity))
    this.#fill(working, price, quantity, at, { rule })
  }

  /** Fills an order by at most `most`; returns by how much. */
  #fill(
    working: WorkingOrder<Order>,
    price: Ticks,
    most: number,
    at: number,
    evidence: Pick<FillEvidence, 'rule'> & Partial<FillEvidence>,
  ): number {
    const { order } = working
    const quantity = steps(Math.min(most, this.#owner.openAt(order, price)))
    if (quantity === NO_STEPS) return 0
    const liquidity = evidence.rule === 'walked' || evidence.rule === 'tradedBeside' ? 'taker' : 'maker'
    this.#owner.filled(
      { order, price, quantity, time: at, liquidity },
      {
        snapshot: this.#snapshot?.time,
        tradeIds: [],
        arrivedAt: working.arrivesAt,
        assumption: this.#assumption,
        ...evidence,
      },
    )
    if (liquidity === 'maker' && this.#owner.openAt(order, price) === NO_STEPS) this.#end(working, at)
    return quantity
  }

  #end(working: WorkingOrder<Order>, at: number): void {
    if (!this.#working.includes(working)) return
    this.remove(working.order)
    this.#owner.ended(working.order, at)
  }
}
