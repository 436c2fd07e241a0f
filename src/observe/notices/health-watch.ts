import type { BotHealth } from '../../bot/log/bot-health.ts'
import type { BotStatus, OrderStatusLine } from '../../bot/log/bot-status.ts'
import { failingText, staleText } from '../../bot/log/line-trouble.ts'
import { durationText } from '../../bot/text/figures.ts'
import { unprotectedText } from '../../bot/text/protection-text.ts'
import type { ComparisonUpdate } from '../../compare/comparison-messages.ts'
import { EXPLAINED } from '../../compare/comparison-verdict.ts'
import { orderWord } from '../../domain/orders/order-words.ts'
import { type BotNotice, botNotice, type GivenNotice } from './bot-notice.ts'

/** Findings of a look at a bot. */
export interface Seen {
  readonly status: BotStatus
  readonly health: BotHealth
  /** Live beside its backtest; absent where that is not compared. */
  readonly comparison?: ComparisonUpdate | undefined
  /** Real time, ms. */
  readonly now: number
  /** Venue time, ms UTC. */
  readonly time: number
}

/** Real time, ms, for which a condition may last before it is told: most go by themselves within seconds. */
const PATIENCE_MS = {
  orderUnknown: 20_000,
  accountDiffers: 15_000,
  exchangeAway: 30_000,
  clockUncertain: 15_000,
}

/** Real time without a further failed call after which the exchange counts as back, ms. */
const BACK_AFTER_MS = 30_000

/** Uncertainty of the exchange's time from which it is told, ms. */
const MOST_UNCERTAIN_MS = 1000

/** Real time after a start in which no condition of an earlier run counts as over, ms. */
const REMEMBERED_MS = 60_000

/** Keys of live beside its backtest: a difference that counts, and a part of it that nothing explains. */
const DIFFERS = 'liveDiffers'
const UNEXPLAINED = 'liveDiffers unexplained'

/** Failed calls that follow each other. */
interface FailureRow {
  /** The latest. */
  readonly text: string
  /** The first, UTC. */
  readonly since: string
  /** Looks that saw the first and the latest; real time, ms. */
  readonly first: number
  readonly at: number
}

type Condition = Omit<GivenNotice, 'time'> & { readonly key: string }

/** Compares the conditions of a running bot with those of the look before, and tells what began and what is over. */
export class HealthWatch {
  /** Real time since which something may become a condition, ms, by key. */
  readonly #since = new Map<string, number>()
  readonly #raised = new Map<string, Condition>()
  /** Keys of an earlier run, whose conditions may take a while to show again. */
  readonly #remembered = new Set<string>()
  #firstLook: number | undefined
  #failure: FailureRow | undefined

  /** `raised`: conditions that were told by an earlier run, and not their end. */
  constructor(raised: readonly BotNotice[] = []) {
    // The engine tells at each start by which holds trading is limited.
    for (const notice of raised) {
      if (notice.kind === 'trading') continue
      this.#raised.set(notice.key, notice)
      this.#remembered.add(notice.key)
    }
  }

  /** Looks; returns the conditions that began or ended since the last look. */
  look(seen: Seen): readonly BotNotice[] {
    this.#firstLook ??= seen.now
    if (seen.now - this.#firstLook >= REMEMBERED_MS) this.#remembered.clear()
    const found = new Map(this.#conditionsOf(seen).map(one => [one.key, one]))
    const notices: BotNotice[] = []
    for (const [key, one] of found) {
      if (this.#raised.has(key)) continue
      this.#raised.set(key, one)
      notices.push(botNotice({ ...one, time: seen.time, state: 'raised' }))
    }
    for (const [key, one] of this.#raised) {
      if (found.has(key) || this.#remembered.has(key)) continue
      this.#raised.delete(key)
      const sentence = overText(one, seen)
      notices.push(botNotice({ ...one, sentence, time: seen.time, state: 'resolved' }))
    }
    return notices
  }

  /** Present conditions, the latest last. */
  get present(): readonly Condition[] {
    return [...this.#raised.values()]
  }

  #conditionsOf({ status, health, comparison, now }: Seen): readonly Condition[] {
    const unknown = status.orders.filter(order => order.status === 'unknown')
    this.#forget('orderUnknown ', new Set(unknown.map(unknownKey)))
    return [
      ...status.unprotected.map(
        ({ book, symbol, purpose, ...rest }): Condition => ({
          kind: 'unprotected',
          key: `unprotected ${book} ${purpose}`,
          symbol,
          figures: { book, order: orderWord(purpose) },
          sentence: unprotectedText({ book, purpose, ...rest }),
        }),
      ),
      ...(status.nothingLeft === undefined
        ? []
        : [{ kind: 'accountEmpty', key: 'accountEmpty', sentence: status.nothingLeft } as const]),
      ...unknown.flatMap(order => this.#unknownOrder(order, now)),
      ...this.#lasting('accountDiffers', status.comparison === 'differs', now, {
        sentence: 'The account holds something else than the books of the bot, or shows it too late to tell.',
      }),
      ...this.#besideBacktest(comparison),
      ...this.#exchangeAway(status, now),
      ...this.#lasting('clockUncertain', health.clockUncertaintyMs > MOST_UNCERTAIN_MS, now, {
        sentence: `The exchange's time is only known to ${health.clockUncertaintyMs} ms.`,
      }),
      ...(status.line.stale ?? []).map(
        (stale): Condition => ({
          kind: 'feedStale',
          key: `feedStale ${stale.symbol}`,
          symbol: stale.symbol,
          sentence: staleText(stale),
        }),
      ),
    ]
  }

  /** A difference that was told holds until a comparison says otherwise: a defect is no end of it. */
  #besideBacktest(update: ComparisonUpdate | undefined): readonly Condition[] {
    if (update === undefined) return []
    const told = [DIFFERS, UNEXPLAINED].flatMap(key => this.#raised.get(key) ?? [])
    if (update.type !== 'compared') return told
    const { verdict, sentence, difference, quote, from } = update.comparison
    const found = {
      kind: 'liveDiffers',
      figures: { difference: `${difference} ${quote}`, from },
      sentence,
    } as const
    if (verdict === 'differs') return [{ ...found, key: DIFFERS }]
    return verdict === 'unexplained' ? [...told, { ...found, key: UNEXPLAINED }] : []
  }

  #unknownOrder(order: OrderStatusLine, now: number): readonly Condition[] {
    const { symbol, side, quantity, unit, clientOrderId } = order
    return this.#lasting('orderUnknown', true, now, {
      key: unknownKey(order),
      symbol,
      figures: { clientOrderId },
      sentence: `Nobody knows what became of an order of ${symbol} for ${durationText(PATIENCE_MS.orderUnknown)} and more: ${side.toUpperCase()} ${quantity} ${unit} (id ${clientOrderId}). The exchange is asked until it tells.`,
    })
  }

  /** A single failed call is no sign; a market that a paper account cannot read is. */
  #exchangeAway({ line, time }: BotStatus, now: number): readonly Condition[] {
    const { lastFailure, lastFailedAt = time, failingSince = lastFailedAt, silence } = line
    if (silence !== undefined) return [{ kind: 'exchangeAway', key: 'exchangeAway', sentence: silence }]
    const row =
      this.#failure !== undefined && now - this.#failure.at <= BACK_AFTER_MS ? this.#failure : undefined
    if (lastFailure === undefined || lastFailure === this.#failure?.text) return this.#awayOf(row)
    // The clock of an exchange that runs faster has moved on between two failures of one row.
    this.#failure = {
      text: lastFailure,
      since: row?.since ?? failingSince,
      first: row?.first ?? now,
      at: now,
    }
    return this.#awayOf(this.#failure)
  }

  /** Failures count for a while after the latest, so that from the first to the latest is as long as the exchange was away. */
  #awayOf(row: FailureRow | undefined): readonly Condition[] {
    if (row === undefined) return []
    const isLong = row.at - row.first >= PATIENCE_MS.exchangeAway || this.#raised.has('exchangeAway')
    return isLong
      ? [{ kind: 'exchangeAway', key: 'exchangeAway', sentence: failingText(row.since, row.text) }]
      : []
  }

  /** A condition once it has lasted as long as its kind may. */
  #lasting(
    kind: keyof typeof PATIENCE_MS,
    holds: boolean,
    now: number,
    terms: Pick<Condition, 'sentence'> & Partial<Condition>,
  ): readonly Condition[] {
    const { key = kind } = terms
    if (!holds) {
      this.#since.delete(key)
      return []
    }
    const since = this.#since.get(key) ?? now
    this.#since.set(key, since)
    return now - since >= PATIENCE_MS[kind] || this.#raised.has(key) ? [{ ...terms, kind, key }] : []
  }

  #forget(prefix: string, kept: ReadonlySet<string>): void {
    for (const key of this.#since.keys())
      if (key.startsWith(prefix) && !kept.has(key)) this.#since.delete(key)
  }
}

/** A sentence that says how a condition ended. */
function overText(
  { kind, key, symbol, figures = {} }: Condition,
  { status, health, comparison }: Seen,
): string {
  switch (kind) {
    case 'unprotected': {
      const { book = symbol, order } = figures
      const isHeld = status.held.some(one => one.book === book)
      return isHeld ? `The ${order} of ${book} protects it again.` : `The position of ${book} is closed.`
    }
    case 'accountEmpty':
      return 'The account has money again.'
    case 'orderUnknown':
      return `The bot knows again what became of the order of ${symbol} (id ${figures.clientOrderId}).`
    case 'accountDiffers':
      return 'No look at the account finds a difference any more.'
    case 'liveDiffers': {
      if (comparison?.type !== 'compared') return 'Live is no longer compared with its backtest.'
      const { sentence, from } = comparison.comparison
      return key === UNEXPLAINED && figures.from === from ? `${EXPLAINED} ${sentence}` : sentence
    }
    case 'exchangeAway':
      return 'Calls to the exchange go through again.'
    case 'clockUncertain':
      return `The exchange's time is known to ${health.clockUncertaintyMs} ms again.`
    case 'feedStale':
      return `Market data of ${symbol} are fresh again.`
    default:
      return 'It is over.'
  }
}

function unknownKey({ clientOrderId }: OrderStatusLine): string {
  return `orderUnknown ${clientOrderId}`
}
