import { closeTimeOf, type Interval, intervalMs, openTimeOf } from '../../domain/market-data/interval.ts'
import { type Kline, klineProblem } from '../../domain/market-data/kline.ts'
import type { KlinesMissing } from '../market-event.ts'
import { mostKlines } from '../polls/kline-call.ts'
import type { LastPrice } from './last-prices.ts'

/** Klines behind the latest one that every answer shows again, to see whether they were revised; they cost no weight. */
const LOOK_BACK = 10
/** A kline without a successor is believed complete this long after its close: where the ticker says that nothing happened since, and where nobody asks for the ticker. */
const [QUIET_MS, QUIET_WITHOUT_TICKER_MS] = [4000, 60_000]

/** A closed kline that no market can have printed is asked for again for so long, then it is missing. */
const REFUSED_FOR_MS = 60_000

/** Which klines to read: the latest, or those that open within a window, both ends included. Times in ms UTC. */
export interface KlineRequest {
  readonly limit: number
  readonly window?: { readonly startTime: number; readonly endTime: number }
}

type MissingReason = KlinesMissing['reason']

/** What an answer tells of a stream of klines. */
export type KlineFinding =
  | { readonly type: 'closed'; readonly kline: Kline }
  | { readonly type: 'revised'; readonly kline: Kline; readonly before: Kline | undefined }
  | {
      readonly type: 'missing'
      readonly from: number
      readonly until: number
      readonly reason: MissingReason
    }
  /** No market can have printed it, which `problem` says; told once. */
  | { readonly type: 'refused'; readonly kline: Kline; readonly problem: string }

/**
 * Makes of whatever the exchange answers — late, twice, growing, revised, page by page — each closed kline once and in
 * order. A kline is complete once the same answer shows a later one: the exchange itself has gone on, which neither our
 * clock nor a read of an old copy can tell. In a quiet market none may follow for long; there, two equal answers do after a
 * while, unless the ticker shows another price: then the answers are old copies.
 */
export class KlineSequence {
  readonly #interval: Interval
  /** Open time of the next kline to tell. */
  #next: number
  /** What has been told lately, or found missing (`undefined`), by open time. */
  readonly #told = new Map<number, Kline | undefined>()
  /** Where to go on asking, while everything from `#next` up to there has been found empty. */
  #emptyUntil: number
  #emptyAnswers = 0
  /** The latest kline, which had closed but had no successor when it was read. */
  #quiet: Kline | undefined
  #lastPrice: LastPrice | undefined
  /** When closed klines were refused first, ms UTC, by open time; only lately. */
  readonly #refused = new Map<number, number>()
  /** The latest klines did not reach back to the next one. */
  #needsWindow = false

  /** `after`: open time of the latest kline that is known already, ms UTC. */
  constructor(interval: Interval, after: number) {
    this.#interval = interval
    this.#next = closeTimeOf(after, interval)
    this.#emptyUntil = this.#next
  }

  /** Open time of the next kline to tell, ms UTC. */
  get next(): number {
    return this.#next
  }

  /** When the next kline to tell closes, ms UTC. */
  get nextClose(): number {
    return closeTimeOf(this.#next, this.#interval)
  }

  /** What to ask for at `now`. */
  request(now: number): KlineRequest {
    const missed = Math.ceil((now - this.#next) / shortestMs(this.#interval))
    const limit = Math.max(2, missed + 1) + LOOK_BACK
    const most = mostKlines(this.#interval)
    if (limit <= most && !this.#needsWindow) return { limit }
    const lookBackMs = LOOK_BACK * intervalMs(this.#interval)
    const startTime = openTimeOf(this.#emptyUntil - lookBackMs, this.#interval)
    // The window may not hold more than one answer does, whichever end the exchange would cut off.
    const endTime = startTime + most * shortestMs(this.#interval) - 1
    return { limit: most, window: { startTime, endTime } }
  }

  /** Takes the answer to a request that was sent at `askedAt`, ms UTC; `lastPrice` is what the ticker said last. */
  take(
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

  /** Says what is impossible of klines that have closed; one that still grows is asked for again anyway. */
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

  /** Only a kline with a successor can be a revision: an old copy may show one as it was when it still grew. */
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
    // The exchange gives the latest klines only, whatever one asks for: what lies before them is lost.
    return [this.#missing(oldest.openTime, 'outOfReach'), ...this.#complete(fresh, askedAt)]
  }

  /** The klines that are complete, in order, with what is missing between them; those that are refused for long are missing. */
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

  /** A window without klines is asked for twice before it is believed. */
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

/** A lower bound, so that a count of klines is never too small. */
function shortestMs(interval: Interval): number {
  return interval === '1M' ? 28 * 86_400_000 : intervalMs(interval)
}
