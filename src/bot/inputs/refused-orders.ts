import type { Clock } from '../../domain/clock.ts'
import type { RetryDue } from '../../domain/events/engine-event.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { Engine } from '../../engine/engine.ts'
import { isMarketExit } from '../../engine/orders/unfinished-exits.ts'

export interface RefusedOrdersOptions {
  readonly engine: Pick<Engine, 'awaitingRetry'>
  /** Monotonic. */
  readonly clock: Pick<Clock, 'now'>
  /** Time of the exchange, ms UTC. */
  readonly serverNow: () => number
  readonly emit: (event: RetryDue) => void
  /** End of a stop of all calls that the exchange demanded, ms of the clock; `undefined` without one. */
  readonly stoppedUntil?: () => number | undefined
}

/** Pause before the first retry, doubled before each further one, ms. */
const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 30_000

interface Retry {
  /** Earliest time of the next one, ms of the clock. */
  at: number
  pauseMs: number
}

/**
 * Has protective and closing orders sent again that the exchange has refused: a position must not stay
 * unprotected until the next kline because of a few seconds of maintenance.
 */
export class RefusedOrders {
  readonly #options: RefusedOrdersOptions
  /** By symbol; pauses begin anew once an exit at market has traded, or nothing was refused for the longest of them. */
  readonly #retries = new Map<string, Retry>()

  constructor(options: RefusedOrdersOptions) {
    this.#options = options
  }

  /** True if an order was refused since the last look, or is due: the account may hold something else than the books. */
  get needsComparison(): boolean {
    const { engine, clock } = this.#options
    if (this.#isStopped) return false
    return [...engine.awaitingRetry].some(symbol => clock.now() >= (this.#retries.get(symbol)?.at ?? 0))
  }

  /** Earliest time at which an order of a symbol is tried next, ms UTC; `undefined` if nothing here holds one back. */
  nextTryOf(symbol: string): number | undefined {
    const { engine, clock, serverNow, stoppedUntil } = this.#options
    const retry = engine.awaitingRetry.has(symbol) ? this.#retries.get(symbol)?.at : undefined
    const stop = stoppedUntil?.()
    if (retry === undefined && stop === undefined) return undefined
    const now = clock.now()
    return serverNow() + Math.max(0, (retry ?? now) - now, (stop ?? now) - now)
  }

  /**
   * Begins the pauses of a symbol anew where an order of an exit at market has traded, and ends the present one where a part
   * was closed outside the bot: what is left may not be refused any more.
   */
  observe(outputs: readonly EngineOutput[]): void {
    const now = this.#options.clock.now()
    for (const output of outputs) {
      if (output.type === 'positionLiquidated') this.#begin(output.liquidation.symbol, now)
      if (output.type === 'fillBooked' && isMarketExit(output.order.request))
        this.#begin(output.fill.symbol, now + FIRST_PAUSE_MS)
    }
  }

  /** Emits the retries that are due; to be called about every second. */
  look(): void {
    const { engine, clock, serverNow, emit } = this.#options
    const now = clock.now()
    const waiting = engine.awaitingRetry
    for (const symbol of waiting) {
      const retry = this.#retries.get(symbol)
      if (retry === undefined)
        this.#retries.set(symbol, { at: now + FIRST_PAUSE_MS, pauseMs: FIRST_PAUSE_MS })
      else if (now >= retry.at && !this.#isStopped) {
        retry.pauseMs = Math.min(2 * retry.pauseMs, LONGEST_PAUSE_MS)
        retry.at = now + retry.pauseMs
        emit({ type: 'retryDue', symbol, time: serverNow() })
      }
    }
    for (const [symbol, { at }] of this.#retries)
      if (!waiting.has(symbol) && now > at + LONGEST_PAUSE_MS) this.#retries.delete(symbol)
  }

  #begin(symbol: string, at: number): void {
    const retry = this.#retries.get(symbol)
    if (retry !== undefined) Object.assign(retry, { at, pauseMs: FIRST_PAUSE_MS })
  }

  /** True while no call leaves: a retry would only be refused here. */
  get #isStopped(): boolean {
    return this.#options.stoppedUntil?.() !== undefined
  }
}
