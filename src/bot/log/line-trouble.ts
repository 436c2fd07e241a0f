import { utcText } from '../../domain/market-data/civil-date.ts'
import { momentText } from '../text/figures.ts'
import { taskText } from '../text/log-lines.ts'

/** Recent failures of the connection to the exchange, and of data received over it. */
export interface LineStatus {
  /** Calls that failed within the last five minutes. */
  readonly failedCalls: number
  /** The latest of them, a whole sentence. */
  readonly lastFailure?: string
  /** When it was, UTC. */
  readonly lastFailedAt?: string
  /** First of at least two failures that go on, UTC; absent once none has come for 30 s. A single failed call is no sign. */
  readonly failingSince?: string
  /** Streams that bring nothing new, by symbol; absent while all do. */
  readonly stale?: readonly StaleData[]
  /** A sentence while the market behind a paper account cannot be read. */
  readonly silence?: string
  /** Entries of market data refused since the start: prices of 0, a bid above the ask, and the like. */
  readonly refusedData: number
  /** Prices that awaited confirmation since the start. */
  readonly doubtedPrices: number
  /** The latest of both, a whole sentence. */
  readonly lastDoubt?: string
}

/** Streams of an instrument that bring no data. */
export interface StaleData {
  readonly symbol: string
  readonly streams: readonly string[]
}

/** Time for which a failed call counts, ms. */
const LATELY_MS = 300_000
/** Time without a further failure after which failures no longer go on, ms. */
const GOES_ON_MS = 30_000
/** Further failures are not counted separately. */
const MOST_FAILURES = 10_000

/** Failures that follow each other: the first and the latest, ms UTC, and how many. */
interface FailureRow {
  readonly since: number
  readonly at: number
  readonly count: number
}

/** Counts failures between a bot and its exchange, for its status. */
export class LineTrouble {
  /** ms UTC, oldest first. */
  readonly #failures: number[] = []
  #lastFailure: Required<Pick<LineStatus, 'lastFailure' | 'lastFailedAt'>> | undefined
  #failing: FailureRow | undefined
  /** Stale streams by symbol. */
  readonly #stale = new Map<string, Set<string>>()
  #refused = 0
  #doubted = 0
  #lastDoubt: string | undefined

  /** A call failed at a time, ms UTC. */
  callFailed(what: string, reason: string, time: number): void {
    this.#forget(time)
    if (this.#failures.length < MOST_FAILURES) this.#failures.push(time)
    const lastFailedAt = utcText(time)
    const lastFailure = `${momentText(lastFailedAt)}, ${taskText(what)}: ${reason}`
    this.#lastFailure = { lastFailure, lastFailedAt }
    const { since, count } = this.#failingAt(time) ?? { since: time, count: 0 }
    this.#failing = { since, at: time, count: count + 1 }
  }

  /** A stream of an instrument brings no data. */
  dataStale(symbol: string, stream: string): void {
    this.#stale.set(symbol, (this.#stale.get(symbol) ?? new Set()).add(stream))
  }

  /** It brings data again. */
  dataFresh(symbol: string, stream: string): void {
    const streams = this.#stale.get(symbol)
    streams?.delete(stream)
    if (streams?.size === 0) this.#stale.delete(symbol)
  }

  /** An entry of market data was refused. */
  dataRefused(reason: string, time: number): void {
    this.#refused++
    this.#lastDoubt = `${utcText(time)}: ${reason}`
  }

  /** A price awaits confirmation. */
  priceDoubted(reason: string, time: number): void {
    this.#doubted++
    this.#lastDoubt = `${utcText(time)}: ${reason}`
  }

  /** Status at a time, ms UTC; `silence`: a sentence while the market behind a paper account cannot be read. */
  status(time: number, silence: string | undefined): LineStatus {
    this.#forget(time)
    const failing = this.#failingAt(time)
    return {
      failedCalls: this.#failures.length,
      ...(this.#failures.length > 0 && this.#lastFailure),
      ...(failing !== undefined && failing.count > 1 && { failingSince: utcText(failing.since) }),
      ...(this.#stale.size > 0 && {
        stale: [...this.#stale].map(([symbol, streams]) => ({ symbol, streams: [...streams] })),
      }),
      ...(silence !== undefined && { silence }),
      refusedData: this.#refused,
      doubtedPrices: this.#doubted,
      ...(this.#lastDoubt !== undefined && { lastDoubt: this.#lastDoubt }),
    }
  }

  #failingAt(time: number): FailureRow | undefined {
    return this.#failing !== undefined && time - this.#failing.at < GOES_ON_MS ? this.#failing : undefined
  }

  #forget(time: number): void {
    const first = this.#failures.findIndex(at => at > time - LATELY_MS)
    this.#failures.splice(0, first < 0 ? this.#failures.length : first)
  }
}

/** A sentence while the exchange is away; `undefined` while it answers. */
export function awayText({ silence, failingSince, lastFailure }: LineStatus): string | undefined {
  if (silence !== undefined) return silence
  return failingSince === undefined ? undefined : failingText(failingSince, lastFailure)
}

/** A sentence about failures that go on since a time (UTC), with the latest of them. */
export function failingText(since: string, latest: string | undefined): string {
  return `Calls to the exchange have failed since ${momentText(since)}; the bot tries on. The latest: ${latest}`
}

/** A sentence about an instrument whose data are stale. */
export function staleText({ symbol, streams }: StaleData): string {
  return `Market data of ${symbol} are stale: nothing new of ${streams.join(', ')}.`
}
