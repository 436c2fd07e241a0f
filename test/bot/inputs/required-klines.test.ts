import { describe, expect, it } from 'vitest'
import { marketPlan } from '../../../src/bot/inputs/market-inputs.ts'
import { configuredMarkets } from '../../../src/config/configured-market.ts'
import { loadProfile } from '../../../src/config/profiles/load-profile.ts'
import type { Interval } from '../../../src/domain/market-data/interval.ts'
import { POLLING } from './polling.ts'

const terms = { leverage: 1, marginMode: 'cross', positionMode: 'oneWay' } as const
const marketOf = configuredMarkets({ futures: terms })

/** Names of the polls of contracts at a venue. */
function pollsAt(profile: string, interval: Interval, symbols: readonly string[] = ['E-BTC-USDT']) {
  const strategies = symbols.map(symbol => ({ symbol, interval }))
  return marketPlan(strategies, POLLING, marketOf, { profile: loadProfile(profile) })
}

describe('a plan by the profile of a venue', () => {
  it('makes klines that the host does not have of the longest that it has and that divides them', () => {
    const partAt = (profile: string, interval: Interval) =>
      pollsAt(profile, interval).polls.flatMap(poll => (poll.type === 'klines' ? [poll.work.part] : []))
    for (const [interval, part] of [
      ['15m', '15m'],
      ['1h', '30m'],
      ['4h', '30m'],
      ['1d', '1d'],
      ['3d', '1d'],
    ] as const)
      expect([interval, partAt('koinbay', interval)]).toEqual([interval, [part]])
    expect(partAt('document', '4h')).toEqual(['1h'])
  })

  it('refuses klines that the host neither has nor has parts of, with those that it has', () => {
    const profile = loadProfile('koinbay')
    const lacks = (...lacksKlines: Interval[]) => ({
      profile: { ...profile, futures: { ...profile.futures, lacksKlines } },
    })
    const planOf = (interval: Interval, ...lacksKlines: Interval[]) =>
      marketPlan([{ symbol: 'E-BTC-USDT', interval }], POLLING, marketOf, lacks(...lacksKlines))
    expect(() => planOf('5m', '1m', '5m')).toThrow(
      'E-BTC-USDT has no futures klines of 5m on this exchange (profile koinbay, "lacksKlines"). Use an interval that it has: 15m, 30m, 1h, 1d, 1w, 1M; or take 5m out of "lacksKlines" once they come.',
    )
    expect(() => planOf('3m', '1m')).toThrow('klines of 1m on this exchange, of which those of 3m are made')
    expect(() => pollsAt('fameex', '1m')).toThrow('No strategy can follow them there.')
  })

  it('reads tickers one by one where no call reads all, at the weight of each', () => {
    const contracts = ['E-BTC-USDT', 'E-ETH-USDT', 'E-SOL-USDT']
    const tickersOf = (profile: string) =>
      pollsAt(profile, '1m', contracts)
        .polls.filter(({ endpoint }) => endpoint.startsWith('futuresTicker'))
        .map(({ name, weight }) => [name, weight])
    expect(tickersOf('document')).toEqual([['tickers of E-BTC-USDT and 2 more', 1]])
    expect(tickersOf('xme')).toEqual(contracts.map(contract => [`ticker of ${contract}`, 1]))
  })

  it('does not count the list of transactions that the host lacks', () => {
    // Open orders 1, own trades 2 × 1, account 1, and elsewhere transactions 2 × 1, six times a minute.
    const accountAt = (profile: string) => pollsAt(profile, '1m').weight.account
    expect(accountAt('document')).toBe((1 + 2 + 1 + 2) * 6)
    expect(accountAt('koinbay')).toBe((1 + 2 + 1) * 6)
  })
})
