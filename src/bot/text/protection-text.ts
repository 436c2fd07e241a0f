import { grouped } from '../../domain/numbers/grouped.ts'
import { orderWord } from '../../domain/orders/order-words.ts'
import type { Direction } from '../../domain/orders/side.ts'
import { momentText } from './figures.ts'

/** A protective order that is not known to rest, as far as the bot knows; times are ISO text, UTC. */
export interface MissingProtection {
  readonly clientOrderId: string
  /** Of the position that it protects. */
  readonly direction: Direction
  /** `waiting`: it waits here to leave; `sent`: it has no answer yet; `doubted`: it got none that says what became of it; `accepted`: it is being executed; `refused`: it is over; `denied`: this bot's own risk check denied it, and it never left. */
  readonly state: 'waiting' | 'sent' | 'doubted' | 'accepted' | 'refused' | 'denied'
  /** Departure of its request; absent before it. */
  readonly sentAt?: string | undefined
  /** Number of refusals of it and of those before it. */
  readonly refusedTimes: number
  /** Cause of the latest refusal or doubt, a whole sentence. */
  readonly reason?: string | undefined
  /** The market order that is closing the whole position meanwhile; absent if there is none. */
  readonly closing?: { readonly clientOrderId: string; readonly sentAt: string } | undefined
  /** Earliest time at which it, or the next one, leaves, if that is known. */
  readonly nextTry?: string | undefined
}

/** Cause and begin of a lack of protection. */
interface Lack {
  readonly cause: 'order' | 'price' | 'unlisted'
  /** UTC. */
  readonly since: string
}

/** Lack of protection of a position, in whole sentences: what is not protected, since when and why. */
export function unprotectedText({
  book,
  purpose,
  why,
  ...lack
}: Lack & { readonly book: string; readonly purpose: string; readonly why: string }): string {
  return `${book} IS NOT PROTECTED: its ${orderWord(purpose)} ${lackText(lack)}. ${why}`
}

/** Lack of protection by an order, as the rest of a sentence about it: `is not known to rest since …`. */
export function lackText({ cause, since }: Lack): string {
  const moment = momentText(since)
  switch (cause) {
    case 'order':
      return `is not known to rest since ${moment}`
    case 'price':
      return `waits here for its price, and no price has come since ${moment}`
    case 'unlisted':
      return `is not placed, because the exchange has not listed all trades of the entry since ${moment}`
  }
}

/** State of a stop that the bot watches while no price comes, and what its trader can do, in whole sentences; `level`: its price as text. */
export function unwatchedText(level: string | undefined): string {
  const beyond = level === undefined ? '' : ` Its level is ${grouped(level)}.`
  return `The bot keeps it, the exchange knows nothing of it.${beyond} It acts at the first price that comes, be it far beyond its level; close the position at the exchange by hand if you do not want to wait, the bot takes note of that.`
}

/** State of a protective order that is not known to rest, and what its trader can do, in whole sentences. */
export function missingProtectionText(missing: MissingProtection): string {
  const { state, sentAt, clientOrderId } = missing
  const order = `Its order (id ${clientOrderId})`
  const sent = sentAt === undefined ? 'was sent' : `was sent at ${momentText(sentAt)}`
  const cause = missing.reason === undefined ? '' : ` ${missing.reason}`
  if (missing.closing !== undefined && (state === 'waiting' || state === 'refused' || state === 'denied'))
    return closingText(missing, missing.closing)
  switch (state) {
    case 'sent':
      return `${order} ${sent} and has no answer yet: it may have been executed. ${lookUp(missing)}`
    case 'doubted':
      return `${order} ${sent}, and no answer says what became of it: it may have been executed. ${lookUp(missing)} The exchange is asked for it; another one leaves only once the exchange can accept that one no more.${cause}`
    case 'accepted':
      return `${order} ${sent}, and the exchange has accepted it: its fills are awaited. ${lookUp(missing)}`
    case 'waiting':
      return missing.refusedTimes === 0
        ? `${order} has not left yet.${nextTry(missing)} ${GOES_ON}`
        : `${refusals(missing)} The next one (id ${clientOrderId}) has not left yet.${nextTry(missing)} ${GOES_ON}`
    case 'denied':
      return `This bot denied its order, which has not left:${cause}${nextTry(missing)} ${GOES_ON}`
    case 'refused':
      return `${refusals(missing)}${nextTry(missing)} ${GOES_ON}`
  }
}

function closingText(
  { direction }: MissingProtection,
  closing: NonNullable<MissingProtection['closing']>,
): string {
  const { clientOrderId, sentAt } = closing
  return `A market order (id ${clientOrderId}) that closes the whole position was sent at ${momentText(sentAt)} and is not known to be over; no further order leaves before that. Do not close the position by hand as well, because closing twice ${dangerOf(direction)}.`
}

function dangerOf(direction: Direction): string {
  return direction === 'long' ? 'sells twice or opens a short' : 'buys twice or opens a long'
}

const GOES_ON = 'Sluice goes on with it; close the position by hand if you do not want to wait.'

function lookUp({ direction }: MissingProtection): string {
  return `Look it up at the exchange before you close the position by hand, because closing twice ${dangerOf(direction)}.`
}

function refusals({ refusedTimes, state, reason }: MissingProtection): string {
  const times = refusedTimes === 1 ? 'once' : `${refusedTimes} times`
  const last = state !== 'refused' || reason === undefined ? '.' : `, last so: ${reason}`
  return `Its order was refused ${times}${last}`
}

function nextTry({ nextTry: time }: MissingProtection): string {
  return time === undefined ? '' : ` It leaves at ${momentText(time)} at the earliest.`
}
