import { closeTimeOf, type Interval, intervalMs, openTimeOf } from '../../domain/market-data/interval.ts'
import { type Kline, klineProblem } from '../../domain/market-data/kline.ts'
import type { KlinesMissing } from '../market-event.ts'
import { type MadeKlines, mostKlines } from '../polls/kline-call.ts'
import type { LastPrice } from './last-prices.ts'

/** Earlier klines that every answer includes again to detect revisions; they cost no weight. */
const LOOK_BACK = 10
/**
 * Age at which a kline without a successor counts as complete, ms after its close: if the ticker shows no
 * later trade, and without a ticker subscription.
 */
const [QUIET_MS, QUIET_WITHOUT_TICKER_MS] = [4000, 60_000]

/** Period in which an impossible closed kline is read again before it counts as missing, ms. */
const REFUSED_FOR_MS = 60_000

/** Klines to read: the latest, or those that open within a window, both ends included. Times in ms UTC. */
export interface KlineRequest {
  readonly limit: number
  readonly window?: { readonly startTime: number; readonly endTime: number }
}

type MissingReason = KlinesMissing['reason']

/** Result of an answer for a stream of klines. */
export type KlineFinding =
  | { readonly type: 'closed'; readonly kline: Kline }
  | { readonly type: 'revised'; readonly kline: Kline; readonly before: Kline | undefined }
  | {
      readonly type: 'missing'
      readonly from: number
      readonly until: number
      readonly reason: MissingReason
    }
  /** The kline is impossible, as `problem` describes; emitted once. */
  | { readonly type: 'refused'; readonly kline: Kline; readonly problem: string }

/**
 * Turns the exchange's answers (late, repeated, growing, revised, in pages) into each closed kline once and
 * in order. A kline is complete when the same answer has a later one: that proves that the exchange itself
 * has moved on, which neither our clock nor the read of an old copy can prove. In a quiet market no later one
 * may come for long; there two equal answers suffice after a while, unless the ticker shows another price:
 * then the answers are old copies.
 */
export class KlineSequence {
  readonly #interval: Interval
  /** Klines of one answer. */
  readonly #most: number
  /** Open time of the next kline to emit. */
  #next: number
  /** Klines emitted lately, or found missing (`undefined`), by open time. */
  readonly #told = new Map<number, Kline | undefined>()
  /** Start of the next request while everything from `#next` up to there was empty. */
  #emptyUntil: number
  #emptyAnswers = 0
  /** The latest closed kline that had no successor when it was read. */
  #quiet: Kline | undefined
  #lastPrice: LastPrice | undefined
  /** First refusal of impossible closed klines, ms UTC, by open time; recent ones only. */
  readonly #refused = new Map<number, number>()
  /** True if the latest klines did not reach back to the next one. */
  #needsWindow = false

  /** `after`: open time of the latest known kline, ms UTC. */
  constructor(made: MadeKlines, after: number) {
    const { interval } = made
    this.#interval = interval
    this.#most = mostKlines(made)
    this.#next = closeTimeOf(after, interval)
    this.#emptyUntil = this.#next
  }

  /** Open time of the next kline to emit, ms UTC. */
  get next(): number {
    return this.#next
  }

  /** Close of the next kline to emit, ms UTC. */
  get nextClose(): number {
    return closeTimeOf(this.#next, this.#interval)
  }

  /** Klines to request at `now`, ms UTC. */
  request(now: number): KlineRequest {
    const missed = Math.ceil((now - this.#next) / shortestMs(this.#interval))
    const limit = Math.max(2, missed + 1) + LOOK_BACK
    const most = this.#most
    if (limit <= most && !this.#needsWindow) return { limit }
    const lookBackMs = LOOK_BACK * intervalMs(this.#interval)
    const startTime = openTimeOf(this.#emptyUntil - lookBackMs, this.#interval)
    // The window holds at most one answer, whichever end the exchange would cut off.
    const endTime = startTime + most * shortestMs(this.#interval) - 1
    return { limit: most, window: { startTime, endTime } }
  }

  /** Takes the answer to a request sent at `askedAt`, ms UTC; `lastPrice` is the last price of the ticker. */
  apply(
    answer: readonly Kline[],
    request: KlineRequest,
    askedAt: number,
    lastPrice?: LastPrice,
  ): readonly KlineFinding[] {
    this.#lastPrice = lastPrice
    const rows = [...new Map(answer.map(kline => [kline.openTime, kline])).values()].toSorted(
      (left, right) => left.openTime - right.openTime,
    )
    const refused = this.#refuse(rows, askedAt)
    const revised = this.#revisions(rows)
    return [...refused, ...revised, ...this.#news(rows, request, askedAt)]
  }

  /** Reports impossible closed klines; growing ones are read again anyway. */
  #refuse(rows: readonly Kline[], askedAt: number): readonly KlineFinding[] {
    return rows.flatMap(kline => {
      const isClosed = closeTimeOf(kline.openTime, this.#interval) <= askedAt
      const problem = isClosed && !this.#refused.has(kline.openTime) ? klineProblem(kline) : undefined
      if (problem === undefined) return []
      this.#refused.set(kline.openTime, askedAt)
      for (const oldest of this.#refused.keys()) {
        if (this.#refused.size <= 2 * LOOK_BACK) break
        this.#refused.delete(oldest)
      }
      return [{ type: 'refused', kline, problem } as const]
    })
  }

  /** Only a kline with a successor can be a revision: an old copy may show it while it still grew. */
  #revisions(rows: readonly Kline[]): readonly KlineFinding[] {
    return rows.slice(0, -1).flatMap(kline => {
      const before = this.#told.get(kline.openTime)
      const isKnown = this.#told.has(kline.openTime)
      if (!isKnown || (before !== undefined && isSame(before, kline))) return []
      if (klineProblem(kline) !== undefined) return []
      this.#told.set(kline.openTime, kline)
      return [{ type: 'revised', kline, before } as const]
    })
  }

  #news(rows: readonly Kline[], { limit, window }: KlineRequest, askedAt: number): readonly KlineFinding[] {
    const fresh = rows.filter(({ openTime }) => openTime >= this.#next)
    if (window === undefined) {
      this.#needsWindow = rows.length >= limit && fresh.length === rows.length
      return this.#needsWindow ? [] : this.#complete(fresh, askedAt)
    }
    const [oldest] = rows
    if (oldest === undefined || fresh.length === 0) return this.#empty(window.endTime, askedAt)
    const takesTimes = rows.every(({ openTime }) => openTime <= window.endTime)
    if (takesTimes || oldest.openTime <= this.#next) return this.#complete(fresh, askedAt)
    // The exchange returns the latest klines only, whatever the request: earlier ones are lost.
    return [this.#missing(oldest.openTime, 'outOfReach'), ...this.#complete(fresh, askedAt)]
  }

  /**
   * Complete klines in order, with the missing ones between them; klines refused for long count as missing.
   */
  #complete(fresh: readonly Kline[], askedAt: number): readonly KlineFinding[] {
    const findings: KlineFinding[] = []
    for (const [index, kline] of fresh.entries()) {
      const closeTime = closeTimeOf(kline.openTime, this.#interval)
      if (closeTime > askedAt) break
      if (klineProblem(kline) !== undefined) {
        if (askedAt < (this.#refused.get(kline.openTime) ?? askedAt) + REFUSED_FOR_MS) break
        findings.push(this.#missing(closeTime, 'refused'))
        continue
      }
      if (index === fresh.length - 1 && !this.#isSettled(kline, askedAt)) break
      if (kline.openTime > this.#next) findings.push(this.#missing(kline.openTime, 'absent'))
      this.#tell(kline.openTime, kline)
      findings.push({ type: 'closed', kline })
    }
    if (findings.length > 0) this.#needsWindow = false
    return findings
  }

  #isSettled(kline: Kline, askedAt: number): boolean {
    const before = this.#quiet
    this.#quiet = kline
    if (before === undefined || !isSame(before, kline)) return false
    const closedAt = closeTimeOf(kline.openTime, this.#interval)
    const ticker = this.#lastPrice
    const hasTicker = ticker !== undefined && ticker.askedAt >= closedAt
    if (hasTicker && ticker.price !== kline.close) return false
    return askedAt >= closedAt + (hasTicker ? QUIET_MS : QUIET_WITHOUT_TICKER_MS)
  }

  /** A window without klines is read twice before it counts as empty. */
  #empty(endTime: number, askedAt: number): readonly KlineFinding[] {
    if (++this.#emptyAnswers < 2) return []
    this.#emptyAnswers = 0
    if (endTime < askedAt) this.#emptyUntil = endTime + 1
    return []
  }

  #missing(until: number, reason: MissingReason): KlineFinding {
    const from = this.#next
    const oldest = openTimeOf(until - LOOK_BACK * intervalMs(this.#interval), this.#interval)
    let openTime = Math.max(from, oldest)
    for (; openTime < until; openTime = closeTimeOf(openTime, this.#interval)) this.#tell(openTime, undefined)
    return { type: 'missing', from, until, reason }
  }

  #tell(openTime: number, kline: Kline | undefined): void {
    this.#told.set(openTime, kline)
    this.#next = closeTimeOf(openTime, this.#interval)
    this.#emptyUntil = this.#next
    this.#emptyAnswers = 0
    for (const oldest of this.#told.keys()) {
      if (this.#told.size <= LOOK_BACK) break
      this.#told.delete(oldest)
    }
  }
}

function isSame(left: Kline, right: Kline): boolean {
  return (
    left.openTime === right.openTime &&
    left.open === right.open &&
    left.high === right.high &&
    left.low === right.low &&
    left.close === right.close &&
    left.volume === right.volume
  )
}

/** Shortest length of an interval, ms, so that a count of klines is never too small. */
function shortestMs(interval: Interval): number {
  return interval === '1M' ? 28 * 86_400_000 : intervalMs(interval)
}
