import { expect, it } from 'vitest'
import { slowFeeds, withFollowedLevels } from '../../../src/bot/inputs/followed-levels.ts'
import type { StrategySubscriptions } from '../../../src/bot/inputs/strategy-subscriptions.ts'
import { botConfigSchema } from '../../../src/config/bot-config.ts'

const config = (venue: object) =>
  botConfigSchema.parse({
    bot: 'followed',
    venue,
    strategies: [{ file: 'strategies/sma-cross.ts', symbol: 'BTC/USDT', interval: '1m', size: { base: 1 } }],
  })
const PAPER = { type: 'paper', spotUrl: 'https://api.example.com', levels: 20, readMs: 1000 }
const follows = (levels: number, everyMs: number): readonly StrategySubscriptions[] => [
  {
    ...{ symbol: 'BTC/USDT', interval: '1m' },
    feeds: [{ name: 'book', role: undefined, symbol: 'BTC/USDT', feed: { type: 'depth', levels, everyMs } }],
  },
]

it('reads as many levels of a host as a strategy follows, and never fewer than are configured', () => {
  const levelsOf = (wanted: number) => {
    const { venue } = withFollowedLevels(config(PAPER), follows(wanted, 1000))
    return venue.type === 'paper' ? venue.levels : undefined
  }
  expect([levelsOf(50), levelsOf(5)]).toEqual([50, 20])
})

it('names a feed that wants an order book oftener than the host is read', () => {
  expect(slowFeeds(config(PAPER), follows(20, 250))).toEqual([
    'The feed "book" wants the order book of BTC/USDT every 250 ms, but a paper account reads the host every 1000 ms (venue.readMs), so that the feed shows nothing newer in between.',
  ])
  expect(slowFeeds(config(PAPER), follows(20, 1000))).toEqual([])
  expect(slowFeeds(config({ type: 'simulated' }), follows(20, 250))).toEqual([])
})
