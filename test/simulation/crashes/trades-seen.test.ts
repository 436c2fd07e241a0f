import { expect, it } from 'vitest'
import { SentRequests } from '../../../src/execution/sent-requests.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { ExchangeCaller, flatMarket, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { BotWorld, SYMBOL } from '../world/bot-world.ts'

/** Buys once, and holds. */
const holder = defineStrategy({
  name: 'holder',
  state: () => ({ isDone: false }),
  onKline: (_kline, { state }) => {
    if (state.isDone) return undefined
    state.isDone = true
    return enterLong()
  },
})

it('own trades that were seen are kept in a snapshot', () => {
  const before = new SentRequests()
  before.observeTrades({ type: 'tradesSeen', symbol: SYMBOL, tradeId: '41' })
  before.observeTrades({ type: 'tradesSeen', symbol: 'ETH/USDT', tradeId: '7' })
  const after = new SentRequests()
  after.restore(before.snapshot())
  expect(after.lastTradeOf(SYMBOL)).toBe('41')
  expect(after.lastTradeOf('ETH/USDT')).toBe('7')
  expect(after.lastTradeOf('SOL/USDT')).toBeUndefined()
})

it.each([
  ['a kept state', 1],
  ['its entries alone', 100_000],
])(
  'a bot that goes on from %s looks at trades from where it had got to, and tells what others did meanwhile',
  async (_from, snapshotEntries) => {
    const world = new BotWorld({
      strategy: holder,
      ...{ klines: flatMarket(100, 60), startAt: START + 10 * MINUTE, downMs: 20_000, snapshotEntries },
    })
    world.start()
    await world.run(3 * MINUTE)
    expect(world.said('fill')).toHaveLength(1)
    expect(world.said('foreign trade on the account')).toEqual([])
    world.kill()
    await world.run(1000)
    const person = new ExchangeCaller(world.exchange, TEST_ACCOUNT)
    person.now = world.clock.now()
    person.order('BUY', 'MARKET', '50.005')
    await world.run(2 * MINUTE)
    expect(world.lives).toBe(2)
    expect(world.failures).toEqual([])
    expect(world.said('foreign trade on the account')).toHaveLength(1)
    const adopted = world.said('balance adopted from the exchange')
    expect(adopted.map(({ cause }) => cause)).toEqual(['trades', 'trades'])
    // Its own fill is booked once all the same.
    expect(world.said('fill')).toHaveLength(1)
    world.remove()
  },
)
