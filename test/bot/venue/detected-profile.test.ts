import { describe, expect, it, onTestFinished } from 'vitest'
import { detectedProfile } from '../../../src/bot/venue/detected-profile.ts'
import { createSystemClock } from '../../../src/exchange/clock/system-clock.ts'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { Credentials } from '../../../src/exchange/http/credentials.ts'
import type { DialectName } from '../../../src/simulator/dialects/dialects.ts'
import { startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'

const system = createSystemClock()
const credentials = new Credentials(TEST_ACCOUNT.apiKey, TEST_ACCOUNT.apiSecret)

/** What is found of a simulated host that speaks a dialect, by its origin alone. */
async function foundOf(dialect: DialectName) {
  const server = await startExchangeServer({ exchange: createSimulatedExchange({ dialect }), clock: system })
  onTestFinished(() => server.close())
  const { origin } = new URL(server.url)
  const hosts = /darkex|bitrue/.test(dialect) ? {} : { spotUrl: origin }
  const { profile, remark } = await detectedProfile(
    { ...hosts, futuresUrl: new URL(server.futuresUrl).origin },
    { credentials, clock: system, recvWindowMs: 5000, random: () => 0 },
  )
  const parts = [profile.spot, profile.futures].map(({ url, version, signedVersion, signsPrefix }) =>
    [url && new URL(url).pathname, version, signedVersion, signsPrefix].join(' '),
  )
  return { parts, remark, profile }
}

describe('profile: detect', () => {
  it.each([
    ['document', '/ v2  true', '/ v1  true'],
    ['koinbay', '/ v1  true', '/ v1  true'],
    ['bitbaby', '/spot/open v1  false', '/futures/open v1  false'],
    ['bitrue', '   true', '/ v1 v2 true'],
  ] as const)('finds versions and prefixes of %s', async (dialect, spot, futures) => {
    const { parts, remark, profile } = await foundOf(dialect)
    expect(parts).toEqual([spot, futures])
    expect(remark).toContain(`futures: { url: "${profile.futures.url}", version: v1`)
    expect(profile.futures).toMatchObject({ orderUnits: [], marketOrderUnit: { open: 'unknown' } })
  })

  it('takes a prefix that is given with a host, and leaves it out of what is signed', async () => {
    const exchange = createSimulatedExchange({ dialect: 'bitbaby' })
    const server = await startExchangeServer({ exchange, clock: system })
    onTestFinished(() => server.close())
    const hosts = { spotUrl: server.spotUrl, futuresUrl: server.futuresUrl }
    expect(new URL(hosts.futuresUrl).pathname).toBe('/futures/open')
    const settings = { credentials, clock: system, recvWindowMs: 5000, random: () => 0 }
    const { profile } = await detectedProfile(hosts, settings)
    expect([profile.spot.signsPrefix, profile.futures.signsPrefix]).toEqual([false, false])
    const client = createExchangeClient({ ...settings, profile })
    onTestFinished(() => client.close())
    expect(await client.futures.account()).toHaveLength(1)
  })

  it('says where it looked of a host that answers nowhere', async () => {
    const transport = async () => ({ status: 404, body: '<html>' })
    const found = detectedProfile(
      { spotUrl: 'https://a.example' },
      { transport, clock: system, random: () => 0 },
    )
    await expect(found).rejects.toThrow(
      'The host https://a.example tells its time at no known path (tried v2, v1, v3 with the prefixes /spot/open and without), so that it is no host of this interface, or an unknown one. Look at the address (venue.spotUrl in a configuration), or write a profile',
    )
  })

  it('does not take a host that is down for one without the call', async () => {
    const found = detectedProfile({ spotUrl: 'http://127.0.0.1:9' }, { clock: system, random: () => 0 })
    await expect(found).rejects.toThrow('could not be reached')
  })
})
