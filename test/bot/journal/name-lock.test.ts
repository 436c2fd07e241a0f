import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { takeName } from '../../../src/bot/start/name-lock.ts'
import { Credentials } from '../../../src/exchange/http/credentials.ts'
import { DOCUMENT_PROFILE } from '../../../src/exchange/profiles/document-profile.ts'
import { KEY, SECRET } from '../bot-session.ts'

const EXCHANGE = {
  type: 'exchange',
  profile: DOCUMENT_PROFILE,
  spotUrl: 'https://spot.example',
  recvWindowMs: 5000,
  apiKeyEnv: 'KEY',
  apiSecretEnv: 'SECRET',
} as const
const TAKEN =
  'Another process on this machine trades this account under the name "ours". Stop it first, or give one of the two another name (bot: in its configuration).'

describe('the name of a bot on one account', () => {
  const folder = mkdtempSync(join(tmpdir(), 'names-'))
  const unusable: string[] = []
  const take = (bot = 'ours', apiKey = KEY, spotUrl: string = EXCHANGE.spotUrl, place = folder) =>
    takeName(
      { bot, venue: { ...EXCHANGE, spotUrl } },
      new Credentials(apiKey, SECRET),
      why => unusable.push(why),
      place,
    )

  it('belongs to one process of a machine at a time', () => {
    const release = take()
    expect(() => take()).toThrow(TAKEN)
    for (const other of [take('other'), take('ours', 'another'), take('ours', KEY, 'https://b.example')])
      other()
    release()
    take()()
    expect(unusable).toEqual([])
    expect(readdirSync(folder).join()).not.toContain('never-print')
  })

  it('is free on a simulated exchange of its own', () => {
    const venue = { type: 'simulated' } as Parameters<typeof takeName>[0]['venue'] // all that is looked at
    const of = { bot: 'ours', venue }
    const releases = [1, 2].map(() => takeName(of, undefined, why => unusable.push(why), folder))
    for (const release of releases) release()
    expect(unusable).toEqual([])
  })

  it('keeps no bot from its start where the lock cannot be used, and says so', () => {
    take('ours', KEY, EXCHANGE.spotUrl, join(folder, 'absent'))()
    expect(unusable).toEqual([expect.stringContaining('ENOENT')])
  })
})
