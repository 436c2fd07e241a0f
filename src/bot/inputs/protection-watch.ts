import type { Logger } from 'pino'
import type { Clock } from '../../domain/clock.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { isWorking } from '../../domain/orders/order-status.ts'
import type { WantedProtection } from '../../engine/brackets/protective-order.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Executor } from '../../execution/executor.ts'
import type { UnprotectedStatus } from '../log/bot-status.ts'

export interface ProtectionWatchOptions {
  readonly engine: Pick<Engine, 'ledger' | 'wantedProtection'>
  readonly executor: Pick<Executor, 'standingOf'>
  /** Monotonic. */
  readonly clock: Pick<Clock, 'now'>
  /** Time of the exchange, ms UTC. */
  readonly serverNow: () => number
  readonly log: Logger
}

/** Time for which a protective order may not be known to rest before its position counts as not protected, ms. */
const UNPROTECTED_AFTER_MS = 5000

interface Missing {
  /** First look that missed it, ms of the clock, and ms UTC. */
  readonly at: number
  readonly since: number
  /** The order that is missing, as of the latest look. */
  wanted: WantedProtection
  isSaid: boolean
}

/**
 * Says once if the protective order of an open position is not known to rest for longer than a few seconds, and once
 * if it rests again: it was refused, its answer is lost, or it waits to leave.
 */
export class ProtectionWatch {
  readonly #options: ProtectionWatchOptions
  /** By entry, purpose and leg. */
  readonly #missing = new Map<string, Missing>()

  constructor(options: ProtectionWatchOptions) {
    this.#options = options
  }

  /** Looks at every protective order; to be called about every second. */
  look(): void {
    const wanted = this.#options.engine.wantedProtection
    for (const one of wanted) this.#lookAt(one)
    const keys = new Set(wanted.map(keyOf))
    // What it protected is closed.
    for (const key of this.#missing.keys()) if (!keys.has(key)) this.#missing.delete(key)
  }

  /** Positions that are not protected, as of the latest look. */
  get unprotected(): readonly UnprotectedStatus[] {
    return [...this.#missing.values()].filter(({ isSaid }) => isSaid).map(one => this.#statusOf(one))
  }

  #lookAt(wanted: WantedProtection): void {
    const { clock, serverNow, log } = this.#options
    const key = keyOf(wanted)
    const known = this.#missing.get(key)
    const standing = this.#standingOf(wanted)
    if (standing === 'atRest') {
      this.#missing.delete(key)
      if (known?.isSaid === true) log.warn(fieldsOf(wanted), 'position is protected again')
      return
    }
    // The first order waits for a quote as any other does; one after a refusal may be about to be refused again.
    if (known === undefined && standing === 'untested' && wanted.refusedTimes === 0) return
    const missing = known ?? { at: clock.now(), since: serverNow(), wanted, isSaid: false }
    missing.wanted = wanted
    this.#missing.set(key, missing)
    const isLong = clock.now() - missing.at >= UNPROTECTED_AFTER_MS
    if (missing.isSaid || !isLong) return
    missing.isSaid = true
    const { why, since, refusedTimes } = this.#statusOf(missing)
    log.error({ ...fieldsOf(wanted), since, refusedTimes, why }, 'position is not protected')
  }

  #standingOf({ clientOrderId }: WantedProtection) {
    const order = this.#options.engine.ledger.orders.get(clientOrderId)
    return order !== undefined && isWorking(order.status)
      ? this.#options.executor.standingOf(clientOrderId)
      : 'missing'
  }

  #statusOf({ since, wanted }: Missing): UnprotectedStatus {
    const { refusedTimes } = wanted
    return { ...fieldsOf(wanted), since: utcText(since), refusedTimes, why: this.#whyOf(wanted) }
  }

  #whyOf({ clientOrderId, refusedTimes }: WantedProtection): string {
    const { status, reason } = this.#options.engine.ledger.orders.get(clientOrderId) ?? {}
    if (status === 'unknown')
      return `Its placement got no answer, and the exchange is asked for it. It is sent again once the exchange can accept that one no more.${reason === undefined ? '' : ` ${reason}`}`
    if (refusedTimes === 0) return 'Its order has not left yet.'
    const times = refusedTimes === 1 ? 'once' : `${refusedTimes} times`
    return `The exchange refused it ${times}${reason === undefined ? '.' : `, last so: ${reason}`}`
  }
}

function fieldsOf({ book, symbol, purpose, clientOrderId }: WantedProtection) {
  return { book, symbol, purpose, clientOrderId }
}

function keyOf({ entry, purpose, leg }: WantedProtection): string {
  return `${entry} ${purpose} ${leg}`
}
