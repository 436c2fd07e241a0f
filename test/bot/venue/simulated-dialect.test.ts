import { describe, expect, it, onTestFinished } from 'vitest'
import { openSimulatedVenue } from '../../../src/bot/venue/simulated-venue.ts'
import { accountsOf } from '../../../src/config/account-fields.ts'
import { botConfigSchema, type SimulatedVenueConfig } from '../../../src/config/bot-config.ts'
import { profileNames } from '../../../src/config/profiles/load-profile.ts'
import type { HostProfile } from '../../../src/exchange/profiles/exchange-profile.ts'
import { DIALECT_NAMES } from '../../../src/simulator/dialects/dialects.ts'

/** Opens the exchange inside a bot that trades one symbol. */
async function venueLike(dialect: string, symbol: string, spot: Partial<HostProfile> = {}) {
  const config = botConfigSchema.parse({
    venue: { type: 'simulated', dialect, historyKlines: 5 },
    ...(symbol.includes('-') && { account: { type: 'futures' } }),
    strategies: [{ file: 'strategies/sma-cross.ts', symbol, interval: '1m', size: { quote: 100 } }],
  })
  const simulated = config.venue as SimulatedVenueConfig
  const profile = { ...simulated.dialect, spot: { ...simulated.dialect.spot, ...spot } }
  const venue = await openSimulatedVenue(
    { ...simulated, dialect: profile },
    {
      strategies: config.strategies,
      accounts: accountsOf(config),
      startAt: 1_704_067_200_000,
    },
  )
  onTestFinished(() => venue.close())
  return venue
}

describe('the exchange inside a bot', () => {
  it('has a dialect for every profile', () => {
    expect([...DIALECT_NAMES].toSorted()).toEqual(profileNames())
  })

  it.each([
    ['koinbay', /^simulated exchange like koinbay on http:\/\/127\.0\.0\.1:\d+, /],
    ['xme', /^simulated exchange like xme on http:\/\/127\.0\.0\.1:\d+, /],
    ['bitbaby', /^simulated exchange like bitbaby on http:\/\/127\.0\.0\.1:\d+\/spot\/open, /],
  ])('answers like %s, and the bot has its profile', async (name, description) => {
    const venue = await venueLike(name, 'BTC/USDT')
    expect([venue.profile?.name, venue.description]).toEqual([name, expect.stringMatching(description)])
    expect(await venue.spot.openOrders({ symbol: 'BTC/USDT' })).toEqual([])
    const [balance] = await venue.account.balances()
    expect(balance?.asset).toBe('BTC')
  })

  it('trades a symbol that no exchange lists, at prices of its own, and says so', async () => {
    const venue = await venueLike('document', 'FOO/USDT')
    expect(Number((await venue.spot.ticker({ symbol: 'FOO/USDT' })).last)).toBeGreaterThan(0)
    expect(venue.description).toContain(
      ', generated market at 60x (the prices of every symbol are made up, also of one that no exchange lists), ',
    )
  })

  it('lists the contracts of a host by its names for them', async () => {
    const venue = await venueLike('gaiaex', 'USDT1802-BTC-USDT')
    const contracts = await venue.futures?.contracts()
    expect(contracts?.map(({ contractName }) => contractName)).toEqual(['USDT1802-BTC-USDT'])
  })

  it('never calls a real host: it has none where the dialect has none', async () => {
    const venue = await venueLike('bitrue', 'E-BTC-USDT', { url: 'https://127.0.0.1:1' })
    await expect(venue.spot.ping()).rejects.not.toThrow('127.0.0.1')
    await expect(venue.spot.ping()).rejects.toThrow('spot')
    expect((await venue.futures?.depth({ contractName: 'E-BTC-USDT' }))?.bids.length).toBeGreaterThan(0)
  })

  it('says what it can answer like', async () => {
    await expect(venueLike('detect', 'BTC/USDT')).rejects.toThrow(
      'The simulated exchange cannot answer like "detect", which is the "venue.dialect" of the configuration. Write one of document, koinbay,',
    )
  })
})
