import { describe, expect, it } from 'vitest'
import type { Size } from '../../../src/domain/signal.ts'
import { defineStrategy, enterLong, enterShort, type Signal } from '../../../src/strategy/index.ts'
import { flatMarket } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'
import { accountOf, futuresBot } from '../futures/futures-bot.ts'

const MINUTE = 60_000

const entering = (signal: () => Signal) => defineStrategy({ name: 'entering', onKline: signal })

/** 10,000 USDT on spot at a price of 100; a market order may trade up to 101 (1%). */
async function spot(size: Size) {
  const session = new BotSession({ strategy: entering(() => enterLong({ size })) })
  await session.start()
  await session.run(3 * MINUTE)
  return session
}

describe('an entry at market for nearly all free money', () => {
  it.each([1, 0.997, 0.995])(
    'of a fraction of equity on spot is cut to what can be paid at its limit: %d',
    async share => {
      const session = await spot({ equityFraction: share })
      expect(session.said('order rejected')).toEqual([])
      expect(session.said('order denied')).toEqual([])
      // 10,000 ÷ 101 = 99.00990…
      expect(session.said('fill').map(({ quantity }) => quantity)).toEqual(['99.00990'])
    },
  )

  it('of a fraction that can be paid at its limit is not cut', async () => {
    const session = await spot({ equityFraction: 0.99 })
    expect(session.said('fill').map(({ quantity }) => quantity)).toEqual(['99.00000'])
  })

  it('of an amount of quote is denied with a sentence, and never sent', async () => {
    const session = await spot({ quote: 9990 })
    expect(session.said('order rejected')).toEqual([])
    expect(session.said('order denied')[0]).toMatchObject({
      // 99.9 × 101 = 10,089.9
      why: 'The order needs 10089.9 USDT at a price 1% higher, up to which it may trade (execution.maxSlippageRate), but only 10000 USDT is free.',
    })
  })

  it.each([
    ['long', enterLong],
    ['short', enterShort],
  ] as const)(
    'of contracts at the leverage of the account is cut likewise: %s',
    async (_direction, enter) => {
      const session = futuresBot({
        strategy: entering(() => enter({ size: { equityFraction: 2.99 } })),
        klines: flatMarket(100, 60),
        account: { type: 'futures', leverage: 3 },
      })
      await session.start()
      await session.run(3 * MINUTE)
      expect(session.said('order rejected')).toEqual([])
      expect(session.said('order denied')).toEqual([])
      // A contract of 0.1 BTC takes 10.1 ÷ 3 + 0.0101 = 3.37676… at the limit; 1000 ÷ 3.37676… = 296.14…
      expect(
        accountOf(session)
          .positions()
          .map(({ volume }) => volume),
      ).toEqual([296])
    },
  )

  it('of contracts beyond the leverage of the account is denied', async () => {
    const session = futuresBot({
      strategy: entering(() => enterLong({ size: { equityFraction: 50 } })),
      klines: flatMarket(100, 60),
      account: { type: 'futures', leverage: 3 },
    })
    await session.start()
    await session.run(3 * MINUTE)
    expect(session.said('order rejected')).toEqual([])
    expect(session.said('order denied').length).toBeGreaterThan(0)
    expect(accountOf(session).positions()).toEqual([])
  })
})
