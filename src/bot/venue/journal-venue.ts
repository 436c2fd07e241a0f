import { existsSync } from 'node:fs'
import type { BotConfig } from '../../config/bot-config.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { Credentials } from '../../exchange/http/credentials.ts'
import { JournalReader } from '../../journal/journal-reader.ts'
import { botSnapshotIn } from '../state/bot-snapshot.ts'
import { checkSameBot } from '../state/check-continuation.ts'
import type { JournalVenue, SessionRecord } from '../state/session-record.ts'

const SALT = 'account of a journal'

/** The venue and the account that a configuration trades on; the credentials are needed for a real exchange. */
export function journalVenueOf(
  { venue }: Pick<BotConfig, 'venue'>,
  credentials: Credentials | undefined,
): JournalVenue | undefined {
  if (venue.type !== 'exchange') return { type: 'simulated' }
  if (credentials === undefined) return undefined
  return {
    type: 'exchange',
    ...(venue.spotUrl !== undefined && { spotHost: hostOf(venue.spotUrl) }),
    ...(venue.futuresUrl !== undefined && { futuresHost: hostOf(venue.futuresUrl) }),
    key: credentials.digestOf(SALT),
  }
}

/**
 * Throws `UsageError` where the journal in a file belongs to another bot than `bot`, if one is given, or holds the orders and
 * positions of another venue or account than `now`.
 * A journal from before venues were noted belongs to a simulated exchange if the file of one is beside it; otherwise it is
 * accepted, and the next session notes the venue.
 */
export function checkJournalVenue(
  { file, previousVenue }: NonNullable<BotConfig['journal']>,
  now: JournalVenue | undefined,
  bot?: string,
): void {
  const session = latestSession(file)
  if (bot !== undefined && session !== undefined) checkSameBot(session, bot)
  const why = now && otherVenue(file, session, now, previousVenue)
  if (why !== undefined) throw new UsageError(why)
}

/** The latest session of a journal; `undefined` for one without a session. Throws `JournalError` for a damaged one. */
export function latestSession(file: string): SessionRecord | undefined {
  const reader = new JournalReader(file)
  try {
    const snapshot = reader.snapshot()
    let session = snapshot && botSnapshotIn(snapshot).session
    for (const { kind, body } of reader.entries({ after: snapshot?.seq ?? 0 }))
      if (kind === 'session') session = body as SessionRecord // what `RecordedEngine` wrote
    return session
  } finally {
    reader.close()
  }
}

/** Why a session does not belong to a venue, in whole sentences; `undefined` where it does. */
function otherVenue(
  file: string,
  session: SessionRecord | undefined,
  now: JournalVenue,
  previousVenue: string | undefined,
): string | undefined {
  if (session === undefined) return undefined
  const before =
    session.venue ?? (existsSync(`${file}.exchange`) ? { type: 'simulated' as const } : undefined)
  if (before === undefined) return undefined
  const anew = `Name another file in "journal" for this one.`
  if (before.type !== now.type) {
    return `The journal ${file} belongs to a ${kindOf(before)}, but the configuration trades on a ${kindOf(now)} ("venue.type: ${now.type}"): its positions and orders are not on this account. ${anew}`
  }
  if (before.type === 'simulated' || now.type === 'simulated') return undefined
  const differences = differencesOf(before, now)
  const text = textOf(before)
  if (differences.length === 0 || text === previousVenue) return undefined
  return `The journal ${file} belongs to another account or venue: ${differences.join(', and ')}. Its positions and orders may not be on this account. ${anew} If it is the same account (its key was rotated, or its host moved), confirm that by "journal.previousVenue: ${text}".`
}

type ExchangeAccount = Extract<JournalVenue, { type: 'exchange' }>

function differencesOf(before: ExchangeAccount, now: ExchangeAccount): readonly string[] {
  const differences: string[] = []
  if (before.key !== now.key)
    differences.push(`it was kept with the API key of fingerprint ${before.key}, and this key has ${now.key}`)
  const { spotHost, futuresHost } = before
  if (spotHost !== undefined && now.spotHost !== undefined && spotHost !== now.spotHost)
    differences.push(`it was kept at ${spotHost}, and "venue.spotUrl" names ${now.spotHost}`)
  if (futuresHost !== undefined && now.futuresHost !== undefined && futuresHost !== now.futuresHost)
    differences.push(`it was kept at ${futuresHost}, and "venue.futuresUrl" names ${now.futuresHost}`)
  return differences
}

/** Fingerprint and hosts, as `journal.previousVenue` names them. */
function textOf({ key, spotHost, futuresHost }: ExchangeAccount): string {
  return `${key}@${[spotHost, futuresHost].filter(host => host !== undefined).join('+')}`
}

function kindOf({ type }: JournalVenue): string {
  return type === 'simulated' ? 'simulated exchange' : 'real exchange'
}

function hostOf(url: string): string {
  return new URL(url).host
}
