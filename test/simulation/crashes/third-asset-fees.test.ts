import { expect, it } from 'vitest'
import { amountToText } from '../../../src/domain/numbers/amount.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { flipper } from '../../bot/test-strategies.ts'
import { flatMarket, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { violations } from '../invariants.ts'
import { BotWorld, SYMBOL } from '../world/bot-world.ts'

it('a bot whose fees are taken in a third asset books them on its balance, also over a restart', async () => {
  const klines = flatMarket(100, 60)
  const world = new BotWorld({
    strategy: flipper,
    ...{ klines, startAt: START + 10 * MINUTE },
    exchange: {
      listings: [{ symbol: SYMBOL, quantityPrecision: 3, market: { type: 'klines', klines } }],
      accounts: [
        {
          ...TEST_ACCOUNT,
          balances: { USDT: '10000', BNB: '1' },
          feesPaidWith: { asset: 'BNB', price: '5' },
        },
      ],
      futures: { contracts: [] },
    },
  })
  world.start()
  await world.run(4 * MINUTE)
  world.kill()
  await world.run(4 * MINUTE)
  expect(await world.leave(MINUTE)).toBe(true)
  const trades = [...world.user.history.trades()]
  expect(trades.length).toBeGreaterThan(3)
  expect(new Set(trades.map(({ feeAsset }) => feeAsset))).toEqual(new Set(['BNB']))
  // 0.1% of 100.01 or 99.99 USDT, at 5 USDT each.
  expect(world.said('fill').map(({ fee }) => fee)).toEqual(
    trades.toReversed().map(({ order }) => (order.side === 'buy' ? '0.020002 BNB' : '0.019998 BNB')),
  )
  // Nothing is left to be adopted from the exchange.
  expect(world.said('balance adopted from the exchange')).toEqual([])
  expect(await violations(world, flipper)).toEqual([])
  const paid = trades.reduce((sum, { fee }) => sum + fee, 0n)
  expect(world.user.account.holding('BNB').free).toBe(10n ** 18n - paid)
  // The base is whole: no fee was taken from it.
  expect(amountToText(world.user.account.holding('BTC').free)).toMatch(/^[01]$/)
  world.remove()
})
