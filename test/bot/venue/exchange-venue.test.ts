import { describe, expect, it, onTestFinished } from 'vitest'
import { createAcceleratedClock } from '../../../src/bot/clock/accelerated-clock.ts'
import { ExchangeSpeedError } from '../../../src/bot/venue/exchange-speed.ts'
import { openExchangeVenue } from '../../../src/bot/venue/exchange-venue.ts'
import type { Clock } from '../../../src/domain/clock.ts'
import type { Patience } from '../../../src/exchange/call/endpoint-call.ts'
import { createSystemClock } from '../../../src/exchange/clock/system-clock.ts'
import type { Host } from '../../../src/exchange/endpoints/endpoint.ts'
import { Credentials } from '../../../src/exchange/http/credentials.ts'
import { DOCUMENT_PROFILE } from '../../../src/exchange/profiles/document-profile.ts'
import { startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'

const HOUR = 3_600_000

/** Opens a venue at a real HTTP server with a clock. */
async function venueBy(clock: Clock, config: SimulatorConfigInput = {}, patience?: Patience) {
  const server = await startExchangeServer({ exchange: createSimulatedExchange(config), clock })
  onTestFinished(() => server.close())
  return openExchangeVenue(
    {
      type: 'exchange',
      profile: DOCUMENT_PROFILE,
      spotUrl: server.url,
      recvWindowMs: 5000,
      apiKeyEnv: 'KEY',
      apiSecretEnv: 'SECRET',
    },
    {
      credentials: new Credentials(TEST_ACCOUNT.apiKey, TEST_ACCOUNT.apiSecret),
      timeoutMs: 10_000,
      traded: ['spot'],
      patience,
    },
  )
}

/** A venue whose clock is off by `offset` ms from the machine's. */
async function venueOff(offset: number) {
  const system = createSystemClock()
  const clock = { now: () => system.now() + offset, schedule: system.schedule }
  const venue = await venueBy(clock)
  onTestFinished(() => venue.close())
  return { venue, serverNow: () => clock.now() }
}

describe('openExchangeVenue', () => {
  it.each([
    ['ahead', HOUR],
    ['behind', -HOUR],
  ])('follows the time of an exchange that is an hour %s', async (_name, offset) => {
    const { venue, serverNow } = await venueOff(offset)
    expect(Math.abs(venue.serverNow() - serverNow())).toBeLessThan(1000)
    const balances = await venue.account.balances()
    expect(balances.find(({ asset }) => asset === 'USDT')?.free.toString()).toBe('10000')
  })

  it('refuses an exchange that runs 60 times as fast', async () => {
    const clock = createAcceleratedClock({ speed: 60, startAt: Date.now() })
    await expect(venueBy(clock)).rejects.toBeInstanceOf(ExchangeSpeedError)
  })

  it('names the hosts on which the bot trades, and no other', async () => {
    const server = await startExchangeServer({
      exchange: createSimulatedExchange({}),
      clock: createSystemClock(),
    })
    onTestFinished(() => server.close())
    const { url } = server
    const hosts = { spotUrl: url, futuresUrl: `${url}/contracts` }
    const profile = { ...DOCUMENT_PROFILE, name: 'koinbay' }
    const settings = {
      type: 'exchange',
      profile,
      recvWindowMs: 5000,
      apiKeyEnv: 'KEY',
      apiSecretEnv: 'SECRET',
    } as const
    const credentials = new Credentials(TEST_ACCOUNT.apiKey, TEST_ACCOUNT.apiSecret)
    const described = async (traded: readonly Host[]) => {
      const venue = await openExchangeVenue(
        { ...settings, ...hosts },
        { credentials, timeoutMs: 10_000, traded },
      )
      await venue.close()
      return venue.description
    }
    expect(await described(['spot'])).toBe(`exchange at ${url} (profile koinbay of 2026-11)`)
    expect(await described(['spot', 'futures'])).toBe(
      `exchange at ${url}, contracts at ${url}/contracts (profile koinbay of 2026-11)`,
    )
  })

  it('waits for an exchange behind a page as long as patience lasts', async () => {
    const page: SimulatorConfigInput = { faults: [{ fault: 'page', status: 403, calls: [1, 2] }] }
    const system = createSystemClock()
    await expect(venueBy(system, page)).rejects.toThrow('It answered HTTP 403 without JSON')
    const errors: unknown[] = []
    const venue = await venueBy(system, page, error => {
      errors.push(error)
      return 1
    })
    await venue.close()
    expect(errors).toHaveLength(2)
  })
})
