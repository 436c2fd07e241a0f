/** Longest id that the exchange interface accepts on all its products (futures: length below 32). */
export const CLIENT_ORDER_ID_MAX_LENGTH = 31

/** Owner of intents: one strategy in one book of one bot. */
export interface IntentIdentity {
  readonly bot: string
  readonly strategy: string
  /** The symbol, or a longer name if several strategies trade it; see `bookNames`. */
  readonly book: string
}

/** Identity of one session of a bot. */
export interface SessionIdentity {
  /** Start, ms UTC. */
  readonly startedAt: number
  /** Two random letters or digits, for sessions that begin in the same ms; earlier versions had none. */
  readonly tag?: string | undefined
}

/**
 * Prefix of the orders of one strategy in one book: 13 characters of letters and digits, or 15. The last ones
 * belong to the session, so that no session repeats an id of another one, even for decisions at the same
 * market time. Without a session (a backtest, or a journal from before sessions had a start), the prefix
 * depends on the intent alone.
 */
export function clientOrderIdPrefix(identity: IntentIdentity, session?: SessionIdentity): string {
  const intent = intentText(identity)
  return session === undefined ? intent : intent.slice(0, OWNER_DIGITS) + sessionText(session)
}

/** True if one of our clientOrderIds belongs to a session. */
export function isOfSession(clientOrderId: string, session: SessionIdentity): boolean {
  return clientOrderId.startsWith(`${sessionText(session)}-`, OWNER_DIGITS)
}

/** Session tag from a random number from 0 up to 1. */
export function sessionTag(random: number): string {
  return Math.floor(random * 36 ** TAG_DIGITS)
    .toString(36)
    .padStart(TAG_DIGITS, '0')
}

/** Market time of an order's decision, ms UTC, from its clientOrderId; `NaN` for an id of another form. */
export function decidedAtOf(clientOrderId: string): number {
  return Number.parseInt(clientOrderId.split('-')[1] ?? '', 36)
}

function sessionText({ startedAt, tag = '' }: SessionIdentity): string {
  return (startedAt % SESSIONS).toString(36).padStart(SESSION_DIGITS, '0') + tag
}

/**
 * Start of every clientOrderId of one strategy in one book, in any session: 8 characters of letters and
 * digits.
 */
export function clientOrderIdOwner(identity: IntentIdentity): string {
  return intentText(identity).slice(0, OWNER_DIGITS)
}

/** Characters of `clientOrderIdOwner`. */
export const CLIENT_ORDER_ID_OWNER_LENGTH = 8
const OWNER_DIGITS = CLIENT_ORDER_ID_OWNER_LENGTH
const SESSION_DIGITS = 5
const TAG_DIGITS = 2
/**
 * Sessions that begin within 16 hours of each other, at different ms, have different ids; sessions further
 * apart decide at other times.
 */
const SESSIONS = 36 ** SESSION_DIGITS

function intentText({ bot, strategy, book }: IntentIdentity): string {
  return fnv1a64(`${bot}\u0000${strategy}\u0000${book}`).toString(36).padStart(13, '0')
}

/**
 * clientOrderId of the `ordinal`-th order decided at market time `decidedAt` (ms UTC): a pure function of the
 * prefix and the intent, so that a replay or a restore gives the same id to the same decision. At most 31
 * characters up to the year 4000.
 */
export function clientOrderIdOf(prefix: string, decidedAt: number, ordinal: number): string {
  if (!Number.isInteger(decidedAt) || decidedAt < EIGHT_DIGITS / 36 || decidedAt >= EIGHT_DIGITS)
    return `${prefix}-${decidedAt.toString(36)}-${ordinal.toString(36)}`
  // From 1972 to 2059 the time has eight digits, built here in a tenth of the time of `toString`.
  const head = headOf(prefix, Math.floor(decidedAt / FOUR_DIGITS))
  const low = decidedAt % FOUR_DIGITS
  if (ordinal >= 36) return `${head}${fourDigits(low)}-${ordinal.toString(36)}`
  return head + tailOf(low, ordinal)
}

/** Four digits of a time, a dash and the digit of an ordinal, in one piece: pieces would have to be put together to be read. */
function tailOf(low: number, ordinal: number): string {
  const [third, fourth] = [codeOf(low, 36), codeOf(low, 1)]
  return String.fromCharCode(codeOf(low, 46_656), codeOf(low, 1296), third, fourth, DASH, codeOf(ordinal, 1))
}

const DASH = 45
const FOUR_DIGITS = 36 ** 4
const EIGHT_DIGITS = 36 ** 8

/** Prefix and first four digits of a time; the latest one is cached, since these digits change every 28 minutes. */
function headOf(prefix: string, high: number): string {
  if (high !== lastHead.high || prefix !== lastHead.prefix) {
    lastHead.high = high
    lastHead.prefix = prefix
    lastHead.text = `${prefix}-${fourDigits(high)}`
  }
  return lastHead.text
}

const lastHead = { prefix: '', high: Number.NaN, text: '' }

function fourDigits(value: number): string {
  return String.fromCharCode(codeOf(value, 46_656), codeOf(value, 1296), codeOf(value, 36), codeOf(value, 1))
}

/** Character code of the digit of `value` at the place value `unit`. */
function codeOf(value: number, unit: number): number {
  const digit = ((value / unit) | 0) % 36
  return digit < 10 ? 48 + digit : 87 + digit
}

/** FNV-1a, 64 bit, over UTF-16 code units; Fowler, Noll, Vo, draft-eastlake-fnv. */
function fnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n
  for (let index = 0; index < text.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n)
  }
  return hash
}
