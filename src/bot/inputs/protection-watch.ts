import type { Logger } from 'pino'
import { bookOf } from '../../domain/book-names.ts'
import type { Clock } from '../../domain/clock.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { priceText } from '../../domain/numbers/grid.ts'
import { isWorking } from '../../domain/orders/order-status.ts'
import type { WantedProtection } from '../../engine/brackets/protective-order.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Executor, Standing } from '../../execution/executor.ts'
import type { SentRequests } from '../../execution/sent-requests.ts'
import { TriggerBook } from '../../matching/trigger-book.ts'
import type { UnprotectedStatus } from '../log/bot-status.ts'
import { priceOfProtection } from '../text/position-status.ts'
import { type MissingProtection, missingProtectionText, unwatchedText } from '../text/protection-text.ts'

export interface ProtectionWatchOptions {
  readonly engine: Pick<Engine, 'ledger' | 'wantedProtection'>
  readonly executor: Pick<Executor, 'standingOf' | 'stopPriceOf'>
  /** Time without a price of a symbol, ms; `undefined` while prices come. */
  readonly oldQuoteMs: (symbol: string) => number | undefined
  readonly sentRequests: Pick<SentRequests, 'placed'>
  /** Earliest time at which an order of a symbol is tried next, ms UTC; `undefined` if that is not known. */
  readonly nextTryOf: (symbol: string) => number | undefined
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
  /** Its order, as of the latest look. */
  wanted: WantedProtection
  /** Of the lack, as of the latest look: see `UnprotectedStatus`. */
  cause: UnprotectedStatus['cause']
  isSaid: boolean
}

/** End of a lack of protection: the order was executed, its position is closed otherwise, or nobody wants it any more. */
type ProtectionOutcome = 'executed' | 'closed' | 'withdrawn'

/**
 * Says once if the protective order of an open position is not known to rest for longer than a few seconds (it was
 * refused, has no answer, or waits to leave), or if a stop waits here for prices that do not come, and once how that ended.
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
    for (const [key, missing] of this.#missing) {
      if (keys.has(key)) continue
      this.#missing.delete(key)
      if (missing.isSaid) this.#tellEnd(missing)
    }
  }

  /** Positions that are not protected, as of the latest look. */
  get unprotected(): readonly UnprotectedStatus[] {
    return [...this.#missing.values()].filter(({ isSaid }) => isSaid).map(one => this.#statusOf(one))
  }

  #lookAt(wanted: WantedProtection): void {
    const { clock, serverNow, log } = this.#options
    const key = keyOf(wanted)
    const silentMs = this.#silentMs(wanted)
    // One whose order was refused before needs more than a price.
    if (silentMs !== undefined && this.#missing.get(key)?.cause !== 'order') {
      this.#noteSilence(key, wanted, silentMs)
      return
    }
    const standing = this.#standingOf(wanted)
    const known = this.#afterSilence(key, standing)
    if (standing === 'atRest' || (standing === 'executing' && known?.isSaid !== true)) {
      this.#missing.delete(key)
      if (known?.isSaid === true)
        log.warn({ ...fieldsOf(wanted), cause: known.cause }, 'position is protected again')
      return
    }
    // The first order waits for a quote as any other does; one after a refusal may be about to be refused again.
    if (known === undefined && standing === 'untested' && wanted.refusedTimes === 0) return
    const missing = known ?? {
      at: clock.now(),
      since: serverNow(),
      wanted,
      isSaid: false,
      cause: 'order' as const,
    }
    missing.wanted = wanted
    this.#missing.set(key, missing)
    const isLong = clock.now() - missing.at >= UNPROTECTED_AFTER_MS
    if (missing.isSaid || !isLong) return
    this.#say(missing)
  }

  #say(missing: Missing): void {
    missing.isSaid = true
    const { why, since, refusedTimes, cause } = this.#statusOf(missing)
    this.#options.log.error(
      { ...fieldsOf(missing.wanted), cause, since, refusedTimes, why },
      'position is not protected',
    )
  }

  /** Time without a price for a stop that waits here, ms; `undefined` while prices come, and of other orders. */
  #silentMs({ clientOrderId, symbol, purpose }: WantedProtection): number | undefined {
    const order = this.#options.engine.ledger.orders.get(clientOrderId)
    const isHere = order !== undefined && isWorking(order.status) && TriggerBook.hasKept(order)
    return isHere && purpose !== 'takeProfit' ? this.#options.oldQuoteMs(symbol) : undefined
  }

  #noteSilence(key: string, wanted: WantedProtection, silentMs: number): void {
    const { clock, serverNow } = this.#options
    const known = this.#missing.get(key)
    if (known?.cause === 'price') {
      known.wanted = wanted
      return
    }
    const since = serverNow() - silentMs
    const missing: Missing = { at: clock.now(), since, wanted, cause: 'price', isSaid: false }
    this.#missing.set(key, missing)
    this.#say(missing)
  }

  /** State of an order for which prices come; one that has left at the first of them is awaited. */
  #afterSilence(key: string, standing: Standing): Missing | undefined {
    const { clock, serverNow } = this.#options
    const known = this.#missing.get(key)
    if (known?.cause === 'price' && standing !== 'atRest' && standing !== 'untested')
      Object.assign(known, { cause: 'order', at: clock.now(), since: serverNow() })
    return known
  }

  #standingOf({ clientOrderId }: WantedProtection) {
    const order = this.#options.engine.ledger.orders.get(clientOrderId)
    return order !== undefined && isWorking(order.status)
      ? this.#options.executor.standingOf(clientOrderId)
      : 'missing'
  }

  /** The order that ended it may be a later one than that of the latest look. */
  #tellEnd({ wanted, cause }: Missing): void {
    const { ledger } = this.#options.engine
    const executed = ledger.orders.remembered.findLast(
      ({ request, status }) =>
        request.protects === wanted.entry && request.purpose === wanted.purpose && status === 'filled',
    )
    const isHeld = ledger.position(wanted.book) !== undefined
    const outcome: ProtectionOutcome = executed !== undefined ? 'executed' : isHeld ? 'withdrawn' : 'closed'
    const clientOrderId = executed?.request.clientOrderId ?? wanted.clientOrderId
    this.#options.log.warn(
      { ...fieldsOf(wanted), clientOrderId, cause, outcome },
      'the lack of protection is over',
    )
  }

  #statusOf({ since, wanted, cause }: Missing): UnprotectedStatus {
    const { refusedTimes } = wanted
    const why =
      cause === 'price' ? unwatchedText(this.#levelOf(wanted)) : missingProtectionText(this.#stateOf(wanted))
    return { ...fieldsOf(wanted), cause, since: utcText(since), refusedTimes, why }
  }

  #levelOf({ clientOrderId, symbol }: WantedProtection): string | undefined {
    const { ledger } = this.#options.engine
    const order = ledger.orders.get(clientOrderId)
    const level =
      this.#options.executor.stopPriceOf(clientOrderId) ?? (order && priceOfProtection(order.request))
    return level === undefined ? undefined : priceText(ledger.instrument(symbol), level)
  }

  #stateOf(wanted: WantedProtection): MissingProtection {
    const { engine, sentRequests, nextTryOf } = this.#options
    const { clientOrderId, refusedTimes, book, symbol } = wanted
    const order = engine.ledger.orders.get(clientOrderId)
    const isOver = order === undefined || !isWorking(order.status)
    const [sent] = isOver ? [] : sentRequests.placed(clientOrderId)
    const next = sent === undefined ? nextTryOf(symbol) : undefined
    const isAccepted = this.#standingOf(wanted) === 'executing'
    const unanswered = order?.status === 'unknown' ? 'doubted' : isAccepted ? 'accepted' : 'sent'
    return {
      ...{ clientOrderId, refusedTimes, reason: wanted.deniedBecause ?? order?.reason },
      direction: engine.ledger.position(book)?.direction ?? 'long',
      state:
        wanted.deniedBecause !== undefined
          ? 'denied'
          : isOver
            ? 'refused'
            : sent === undefined
              ? 'waiting'
              : unanswered,
      ...(sent !== undefined && { sentAt: utcText(sent.timestamp) }),
      ...(next !== undefined && { nextTry: utcText(next) }),
      closing: this.#closingOf(book),
    }
  }

  /** The market order under way that closes all that a book holds. */
  #closingOf(book: string): MissingProtection['closing'] {
    const { engine, sentRequests } = this.#options
    const held = engine.ledger.position(book)?.quantity
    for (const { request, filledQuantity } of engine.ledger.orders.working) {
      const { clientOrderId, purpose, quantity, spec } = request
      if (held === undefined || bookOf(request) !== book || spec.type !== 'market') continue
      if ((purpose !== 'exit' && purpose !== 'operator') || quantity - filledQuantity < held) continue
      const sent = sentRequests.placed(clientOrderId).at(-1)
      if (sent !== undefined) return { clientOrderId, sentAt: utcText(sent.timestamp) }
    }
    return undefined
  }
}

function fieldsOf({ book, symbol, purpose, clientOrderId }: WantedProtection) {
  return { book, symbol, purpose, clientOrderId }
}

function keyOf({ entry, purpose, leg }: WantedProtection): string {
  return `${entry} ${purpose} ${leg}`
}
