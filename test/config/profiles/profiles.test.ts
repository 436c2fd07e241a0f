import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadBotConfig } from '../../../src/config/load-bot-config.ts'
import { loadProfile, profileNames } from '../../../src/config/profiles/load-profile.ts'
import { baseUrlOf } from '../../../src/exchange/http/base-url.ts'
import { DOCUMENT_PROFILE } from '../../../src/exchange/profiles/document-profile.ts'
import { configFile, problemsOf } from '../../bot/config/config-file.ts'

const SET = { SLUICE_API_KEY: 'the-key', SLUICE_API_SECRET: 'the-secret' }
const PAIR = 'strategies:\n  - { file: a.ts, symbol: BTC/USDT, interval: 1m, size: { quote: 100 } }\n'
const CONTRACT = `account: { type: futures }\n${PAIR.replace('BTC/USDT', 'E-BTC-USDT')}`
const venueOf = (text: string) => loadBotConfig(configFile(text), { ...SET }).config.venue
const problems = (text: string) => problemsOf(text, path => loadBotConfig(path, { ...SET }))

/** A profile file with a text, in a folder of its own. */
function profileFile(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'profile-')), 'own.yaml')
  writeFileSync(path, text)
  return path
}

const OWN = 'exchange: Own\ndate: 2026-11\nsource: tried\n'

describe('the profiles in config/profiles', () => {
  it('are eleven, each with its month and source', () => {
    expect(profileNames()).toEqual([
      ...['bitbaby', 'bitrue', 'darkex', 'document', 'fameex', 'gaiaex'],
      ...['gcbex', 'koinbay', 'odyssey', 'xme', 'zke'],
    ])
    for (const name of profileNames()) expect(loadProfile(name)).toMatchObject({ name, date: '2026-11' })
  })

  it('have the hosts of the list of venues', () => {
    const hosts = profileNames().flatMap(name => {
      const { spot, futures } = loadProfile(name)
      return [spot.url, futures.url].flatMap(url => (url === undefined ? [] : [url]))
    })
    for (const url of hosts) expect(baseUrlOf(url).origin).toMatch(/^https:/)
    expect(hosts).toContain('https://openapi.bitbaby.com/spot/open')
    expect(hosts).toContain('https://fapi.bitrue.com')
    expect(hosts).toHaveLength(16)
  })

  it('show in document.yaml what a profile is that leaves everything out', () => {
    const { source: _, exchange: __, ...document } = loadProfile('document')
    expect(DOCUMENT_PROFILE).toMatchObject(document)
    expect({ ...loadProfile(profileFile(OWN)), name: 'document' }).toMatchObject({
      ...document,
      name: 'document',
    })
  })
})

describe('venue.profile', () => {
  it('gives the hosts, which the configuration may replace', () => {
    expect(venueOf(`venue: { type: exchange, profile: koinbay }\n${PAIR}`)).toMatchObject({
      spotUrl: 'https://openapi.koinbay.com',
      futuresUrl: 'https://futuresopenapi.koinbay.com',
      profile: { name: 'koinbay', spot: { version: 'v1' } },
    })
    const moved = 'venue: { type: exchange, profile: koinbay, spotUrl: "http://127.0.0.1:1/x" }'
    const both = `accounts: { spot: {}, futures: {} }\n${PAIR}`
    expect(venueOf(`${moved}\n${both}`)).toMatchObject({
      spotUrl: 'http://127.0.0.1:1/x',
      futuresUrl: 'https://futuresopenapi.koinbay.com',
    })
  })

  it('keeps its other host out of a bot that does not trade there, beside one that is not its own', () => {
    const spot = venueOf(
      `venue: { type: exchange, profile: koinbay, spotUrl: "http://127.0.0.1:1" }\n${PAIR}`,
    )
    expect(spot).toMatchObject({ spotUrl: 'http://127.0.0.1:1', futuresUrl: undefined })
    expect(spot).toMatchObject({ profile: { spot: { version: 'v1' }, futures: { url: undefined } } })
    const contracts = venueOf(
      `venue: { type: paper, profile: koinbay, futuresUrl: "http://127.0.0.1:1" }\n${CONTRACT}`,
    )
    expect(contracts).toMatchObject({ spotUrl: undefined, profile: { spot: { url: undefined } } })
    const named = `{ type: exchange, profile: koinbay, spotUrl: "http://127.0.0.1:1", futuresUrl: "http://127.0.0.1:2" }`
    expect(venueOf(`venue: ${named}\n${PAIR}`)).toMatchObject({ futuresUrl: 'http://127.0.0.1:2' })
  })

  it('is the document where it is left out', () => {
    const venue = venueOf(`venue: { type: exchange, spotUrl: "https://a.b" }\n${PAIR}`)
    expect(venue).toMatchObject({ profile: { ...DOCUMENT_PROFILE, exchange: 'Interface document' } })
  })

  it('takes the path of a file', () => {
    const path = profileFile(`${OWN}futures: { url: "https://f.example", lacks: [futuresTickerAll] }\n`)
    expect(venueOf(`venue: { type: exchange, profile: ${path} }\n${CONTRACT}`)).toMatchObject({
      futuresUrl: 'https://f.example',
      profile: { name: path, futures: { lacks: ['futuresTickerAll'] } },
    })
  })

  it('refuses an unknown name with the nearest one and all names', () => {
    expect(problems(`venue: { type: exchange, profile: famex }\n${PAIR}`)).toEqual([
      'bot.yaml:1:35: venue.profile cannot be used. No profile is called "famex". Did you mean "fameex"? There are bitbaby, bitrue, darkex, document, fameex, gaiaex, gcbex, koinbay, odyssey, xme, zke; or give the path of a YAML file, or detect for a host that nothing is known of.',
    ])
  })

  it('refuses the mistakes of a file, each at its place with the nearest name', () => {
    const path = profileFile(
      `${OWN}date: x\nspot: { lack: [] }\nfutures: { lacks: [futuresTickersAll], versions: { spotOrder: v2 } }\n`.replace(
        'date: 2026-11\n',
        '',
      ),
    )
    const [found = '', ...others] = problems(`venue: { type: exchange, profile: ${path} }\n${PAIR}`)
    expect([found, ...others].join('\n')).toContain(`${path}:3:7: date must be a month such as 2026-11`)
    expect([found, ...others].join('\n')).toContain('4:9: The key "lack" is unknown. Did you mean "lacks"?')
    expect([found, ...others].join('\n')).toContain('Did you mean "futuresTickerAll"?')
    expect([found, ...others].join('\n')).toContain(
      'futures.versions.spotOrder is "spotOrder", but must be a call of the futures host. Known: futuresPing, ',
    )
  })

  it('asks for the host that neither it nor the configuration has', () => {
    expect(problems(`venue: { type: exchange, profile: darkex }\n${PAIR}`)).toEqual([
      'bot.yaml:1:8: venue.spotUrl is missing; expected the origin of the spot host.',
    ])
    expect(problems(`venue: { type: exchange, profile: gcbex }\n${CONTRACT}`)).toEqual([
      'bot.yaml:1:8: venue.futuresUrl is missing; expected the origin of the futures host.',
    ])
    expect(venueOf(`venue: { type: exchange, profile: darkex }\n${CONTRACT}`)).toMatchObject({
      futuresUrl: 'https://futuresopenapi.darkex.com',
    })
  })
})
