import type { Accounts } from '../../config/account-fields.ts'
import type { Amount } from '../../domain/numbers/amount.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { SluiceError, UsageError } from '../../domain/sluice-error.ts'
import { CallNotOfferedError } from '../../exchange/errors/call-not-offered-error.ts'
import { ExchangeError } from '../../exchange/errors/exchange-error.ts'
import { durationText } from '../text/figures.ts'
import { textOf, UNVERIFIABLE } from '../venue/declared-margin.ts'
import type { Venue } from '../venue/venue.ts'
import { type Holdings, readHoldings } from '../venue/venue-accounts.ts'
import { type Finding, problem, sound } from './finding.ts'

/** A request stamped further ahead is refused (interface section 5.6), ms. */
const LARGEST_OFFSET_MS = 1000
/**
 * Beyond this offset, an exchange on this machine simulates another time rather than having a wrong clock,
 * ms.
 */
const SIMULATED_OFFSET_MS = 3_600_000
/** From this uncertainty on, the order of events on the exchange's clock is unreliable, ms. */
const LARGEST_UNCERTAINTY_MS = 1000

/** The line to an exchange, and how it is used. */
export interface LineExamined {
  readonly isOnThisMachine: boolean
  readonly isPaper: boolean
  /** Pause between two reads of prices, ms. */
  readonly readMs: number
  readonly staleAfterMs: number
}

/** Uncertainty of the exchange's time, offset of this machine's clock, and what the duration of a call means for the polls. */
export function examineClock(
  { clockOffsetMs, clockUncertaintyMs, description }: Venue,
  line: LineExamined,
): Finding {
  const [offset, uncertainty] = [clockOffsetMs?.() ?? 0, clockUncertaintyMs?.() ?? 0]
  const way = offset > 0 ? 'behind' : 'ahead of'
  const { isOnThisMachine, isPaper } = line
  const found = [
    `The clock of this machine is ${Math.abs(Math.round(offset))} ms ${way} the exchange's, known to within ${Math.round(uncertainty)} ms.`,
    ...slownessText(2 * uncertainty, line),
  ].join(' ')
  if (uncertainty > LARGEST_UNCERTAINTY_MS) {
    return problem(
      'clock',
      description,
      found,
      'Use a faster line, run nearer to the exchange, or trade where prices of that age do.',
    )
  }
  if (isOnThisMachine && Math.abs(offset) > SIMULATED_OFFSET_MS) {
    return sound(
      'clock',
      description,
      `${found} It is on this machine and has a time of its own, which a bot follows.`,
    )
  }
  if (Math.abs(offset) <= LARGEST_OFFSET_MS) return sound('clock', description, found)
  return problem(
    'clock',
    description,
    found,
    isPaper
      ? 'Synchronise the clock (NTP): logs and reports of this machine are off.'
      : 'Synchronise the clock (NTP). Requests are stamped with the measured time of the exchange, so they pass; but logs and reports of this machine are off.',
  )
}

/** The uncertainty of a clock is half of a call: both ways are within it. */
function slownessText(callMs: number, { isPaper, readMs, staleAfterMs }: LineExamined): readonly string[] {
  if (callMs <= readMs && callMs <= LARGEST_UNCERTAINTY_MS) return []
  const [what, key] = isPaper ? ['order books and trades', 'venue.readMs'] : ['prices', 'polling.tickerMs']
  const pace = callMs > readMs ? `, not every ${readMs} ms (${key})` : ''
  const stale =
    callMs > staleAfterMs ? ` They count as stale (polling.staleAfterMs is ${staleAfterMs} ms).` : ''
  return [
    `A call takes ${durationText(callMs)}: ${what} come every ${durationText(Math.max(callMs, readMs))} at best${pace}, and are up to that old when a strategy or a stop sees them.${stale}`,
  ]
}

/** Balances of each account with the assets of `symbols`, or the reason that they cannot be read. */
export async function examineAccounts(
  venue: Venue,
  accounts: Accounts,
  symbols: readonly string[],
): Promise<{ readonly findings: readonly Finding[]; readonly holdings: Holdings | undefined }> {
  try {
    const holdings = await readHoldings(venue, accounts, symbols)
    const findings = Object.entries(holdings).map(([type, balances]) =>
      type === 'margin'
        ? sound('account', type, `It is declared to hold ${textOf(balances)}. ${UNVERIFIABLE}`)
        : examineHoldings(type, balances),
    )
    return { findings, holdings }
  } catch (error) {
    const findings = [problem('account', 'balances', sentenceOf(error), adviceFor(error))]
    return { findings, holdings: undefined }
  }
}

function examineHoldings(type: string, balances: ReadonlyMap<string, Amount>): Finding {
  const held = [...balances].filter(([, amount]) => amount > 0n)
  const text = held.map(([asset, amount]) => `${amountToText(amount)} ${asset}`).join(', ')
  return held.length > 0
    ? sound('account', type, `It holds ${text}.`)
    : problem('account', type, 'It holds nothing.', 'Move money to it before the start.')
}

/** Message of an expected error; rethrows a bug of ours. */
export function sentenceOf(error: unknown): string {
  if (error instanceof SluiceError && error.code !== 'INVARIANT') return error.message
  throw error
}

/** Advice on a failed call, by the exchange's error code; `isPublic`: no key was sent. */
export function adviceFor(error: unknown, isPublic = false): string {
  if (error instanceof CallNotOfferedError) return LACKED_ADVICE
  const code = error instanceof ExchangeError ? error.exchangeCode : undefined
  if (error instanceof UsageError) return 'Correct the configuration, as the sentence says.'
  const line = 'Look at the address of the exchange and at the line to it, and try again.'
  if (isPublic && code !== undefined && ABOUT_THE_KEY.has(code)) return PUBLIC_ADVICE
  return code === undefined ? line : (CODE_ADVICE.get(code) ?? 'See what the exchange says, and try again.')
}

const LACKED_ADVICE =
  'No bot can trade where this call is missing; a paper account can follow the market there (venue: { type: paper }). If the host has the call after all, take it out of `lacks` in the profile: npm run doctor -- --venue asks the host.'

const KEY_ADVICE =
  'Look at the key in the environment, at the addresses that it may be used from, and at what it may do.'

/** Codes about key and signature, which public calls have none of. */
const ABOUT_THE_KEY: ReadonlySet<number> = new Set([-1002, -1021, -1022, -2015, -2200])

const PUBLIC_ADVICE =
  'No key is sent for this call. Look at venue.profile: npm run doctor -- --venue shows which calls the host has, and at which versions.'

const PATH_ADVICE =
  'Look at venue.profile: npm run doctor -- --venue shows which calls the host has, and at which versions. If the path is right, look at the key in the environment.'

const CODE_ADVICE: ReadonlyMap<number, string> = new Map([
  [-1002, PATH_ADVICE],
  [-2015, KEY_ADVICE],
  [-2200, KEY_ADVICE],
  [35, 'The exchange does not let this user place orders; ask it why.'],
  [-1022, 'The secret in the environment is not the one of this key; set the right one.'],
  [-1021, 'Synchronise the clock of this machine, or give a larger venue.recvWindowMs.'],
  [-1003, 'Wait until the limit of calls is over; other programs of this address may use it up.'],
  [-2016, 'The exchange has frozen trading; wait, or trade another symbol.'],
  [-1136, 'Give a larger size.'],
  [-1138, 'Give a smaller execution.maxSlippageRate: the host takes no price so far from the market.'],
  [-1160, 'Give a larger size.'],
])
