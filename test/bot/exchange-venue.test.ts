import { describe, expect, it, onTestFinished } from 'vitest'
import { openExchangeVenue } from '../../src/bot/exchange-venue.ts'
import { Credentials } from '../../src/exchange/credentials.ts'
import { createSystemClock } from '../../src/exchange/system-clock.ts'
import { startExchangeServer } from '../../src/simulator/exchange-server.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'

const HOUR = 3_600_000

/** A venue at a real HTTP server whose clock is off by `offset` ms from the machine's. */
async function venueOff(offset: number) {
  const system = createSystemClock()
  const clock = { now: () => system.now() + offset, schedule: system.schedule }
  const server = await startExchangeServer({ exchange: createSimulatedExchange(), clock })
  const venue = await openExchangeVenue(
    {
      type: 'exchange',
      spotUrl: server.url,
      recvWindowMs: 5000,
      apiKeyEnv: 'KEY',
      apiSecretEnv: 'SECRET',
      rehearses: false,
    },
    new Credentials(TEST_ACCOUNT.apiKey, TEST_ACCOUNT.apiSecret),
    10_000,
  )
  onTestFinished(async () => {
    await venue.close()
    await server.close()
  })
  return { venue, serverNow: () => clock.now() }
}

describe('openExchangeVenue', () => {
  it.each([
    ['ahead', HOUR],
    ['behind', -HOUR],
  ])('follows the time of an exchange that is an hour %s', async (_name, offset) => {
    const { venue, serverNow } = await venueOff(offset)
    expect(Math.abs(venue.serverNow() - serverNow())).toBeLessThan(1000)
    // Klines close by the exchange's time, so the clock that follows them must show it too.
    expect(Math.abs(venue.clock.now() - serverNow())).toBeLessThan(1000)
    const balances = await venue.account.balances()
    expect(balances.find(({ asset }) => asset === 'USDT')?.free.toString()).toBe('10000')
  })
})
