import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { examineJournalVenue } from '../../../src/bot/doctor/examine-journal.ts'
import type { JournalVenue } from '../../../src/bot/state/session-record.ts'
import { checkJournalVenue, journalVenueOf } from '../../../src/bot/venue/journal-venue.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import { Credentials } from '../../../src/exchange/http/credentials.ts'
import { DOCUMENT_PROFILE } from '../../../src/exchange/profiles/document-profile.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { defineStrategy } from '../../../src/strategy/index.ts'
import { BotSession, KEY, SECRET } from '../bot-session.ts'

const idle = defineStrategy({ name: 'idle', onKline: () => undefined })

/** The venue of a real exchange, as the configuration and the environment say. */
function real(spotUrl: string, { key = KEY, futuresUrl }: { key?: string; futuresUrl?: string } = {}) {
  const venue = {
    ...{ type: 'exchange' as const, profile: DOCUMENT_PROFILE },
    ...{ spotUrl, futuresUrl, recvWindowMs: 5000 },
    ...{ apiKeyEnv: 'KEY', apiSecretEnv: 'SECRET' },
  }
  return journalVenueOf({ venue }, new Credentials(key, SECRET))
}

const A = 'https://a.example'
const PAPER: JournalVenue = { type: 'simulated' }

/** A journal of one session on a venue; without one, a session from before venues were noted. */
async function journalOf(journalVenue: JournalVenue | undefined): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'journal-')), 'bot.journal')
  await liveOf(file, journalVenue)
  return file
}

async function liveOf(file: string, journalVenue: JournalVenue | undefined): Promise<void> {
  const journal = new Journal(file)
  const session = new BotSession({ strategy: idle, journal, ...(journalVenue && { journalVenue }) })
  await session.start()
  await session.leave(10_000)
  journal.close()
}

/** Why a start is refused; `undefined` where it goes on. */
function refusal(file: string, now: JournalVenue | undefined, previousVenue?: string): string | undefined {
  try {
    checkJournalVenue({ file, previousVenue, snapshotEntries: 1, keepEntries: 1 }, now)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

describe('the venue that a journal belongs to', () => {
  it('is the only one that goes on with it; the key is not in the file', async () => {
    const file = await journalOf(real(A))
    expect(refusal(file, real(A))).toBeUndefined()
    expect(refusal(file, real(`${A}:443`, { futuresUrl: 'https://f.example' }))).toBeUndefined()
    expect(readFileSync(file).includes(KEY)).toBe(false)
    expect(refusal(file, PAPER)).toBe(
      `The journal ${file} belongs to a real exchange, but the configuration trades on a simulated exchange ("venue.type: simulated"): its positions and orders are not on this account. Name another file in "journal" for this one.`,
    )
    expect(refusal(await journalOf(PAPER), real(A))).toContain('belongs to a simulated exchange')
  })

  it('is another one with another key or host, unless the configuration confirms exactly that', async () => {
    const file = await journalOf(real(A, { futuresUrl: 'https://f.example' }))
    const [mine, other] = ['', '-2'].map(more =>
      new Credentials(`${KEY}${more}`, SECRET).digestOf('account of a journal'),
    )
    const named = `${mine}@a.example+f.example`
    const rotated = real(A, { key: `${KEY}-2` })
    expect(refusal(file, rotated)).toBe(
      `The journal ${file} belongs to another account or venue: it was kept with the API key of fingerprint ${mine}, and this key has ${other}. Its positions and orders may not be on this account. Name another file in "journal" for this one. If it is the same account (its key was rotated, or its host moved), confirm that by "journal.previousVenue: ${named}".`,
    )
    const hosts = real('https://b.example:8443', { futuresUrl: 'https://g.example' })
    expect(refusal(file, hosts)).toContain(
      'it was kept at a.example, and "venue.spotUrl" names b.example:8443, and it was kept at f.example, and "venue.futuresUrl" names g.example.',
    )
    for (const now of [rotated, hosts]) {
      expect(refusal(file, now, named)).toBeUndefined()
      expect(refusal(file, now, `${other}@a.example+f.example`)).toContain('belongs to another account')
    }
    // Once a session has noted the new key, the confirmation is used up.
    await liveOf(file, rotated)
    expect(refusal(file, rotated)).toBeUndefined()
    expect(refusal(file, real(A, { key: `${KEY}-3` }), named)).toContain('belongs to another account')
    expect(refusal(file, real(A), named)).toContain('belongs to another account')
  })

  it('is noted by the next start where the journal is from before, and told by the simulated exchange beside it', async () => {
    const file = await journalOf(undefined)
    expect(refusal(file, real(A))).toBeUndefined()
    writeFileSync(`${file}.exchange`, '')
    expect(refusal(file, real(A))).toContain('belongs to a simulated exchange')
    expect(refusal(file, PAPER)).toBeUndefined()
    await liveOf(file, PAPER)
    expect(refusal(file, real(A))).toContain('belongs to a simulated exchange')
  })

  it('is what the doctor reports, in the words of the start', async () => {
    const file = await journalOf(PAPER)
    const journal = { file, snapshotEntries: 1, keepEntries: 1 }
    expect(examineJournalVenue(journal, PAPER)).toEqual([])
    expect(examineJournalVenue(journal, real(A))).toEqual([
      expect.objectContaining({ check: 'journal', status: 'problem', found: refusal(file, real(A)) }),
    ])
    const absent = { ...journal, file: `${file}-absent` }
    expect(examineJournalVenue(absent, real(A))).toEqual([])
  })
})
