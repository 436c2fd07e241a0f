import { expect, it } from 'vitest'
import { defineStrategy, enterLong, enterShort } from '../../../src/strategy/index.ts'
import { flatMarket, MINUTE } from '../../simulator/exchange-caller.ts'
import { accountOf, expectAgreed, futuresBot } from './futures-bot.ts'

/** Long on its first kline, short on its second. */
const turner = defineStrategy({
  name: 'turner',
  state: () => ({ klines: 0 }),
  onKline: (_kline, { state }) => {
    state.klines++
    return state.klines === 1 ? enterLong() : state.klines === 2 ? enterShort() : undefined
  },
})

it('holds the entry of a reversal while the exchange refuses its exit, and turns the whole position at last', async () => {
  let refusals = 3
  const asked: string[] = []
  const session = futuresBot({
    strategy: turner,
    klines: flatMarket(100, 60),
    size: { base: 0.5 },
    host: exchange => request => {
      const { open, side } =
        request.method === 'POST' && request.url.endsWith('/order') ? JSON.parse(request.body) : {}
      if (open !== undefined) asked.push(`${side} ${open}`)
      return open === 'CLOSE' && refusals-- > 0
        ? Promise.resolve({
            status: 200,
            body: JSON.stringify({ code: '-2016', msg: 'Trading is frozen.', data: null }),
          })
        : exchange(request)
    },
  })
  await session.start()
  await session.run(3 * MINUTE)
  expect(asked).toEqual(['BUY OPEN', 'SELL CLOSE', 'SELL CLOSE', 'SELL CLOSE', 'SELL CLOSE', 'SELL OPEN'])
  expect(
    accountOf(session)
      .positions()
      .map(({ direction, volume }) => [direction, volume]),
  ).toEqual([['short', 5]])
  await expectAgreed(session)
})
