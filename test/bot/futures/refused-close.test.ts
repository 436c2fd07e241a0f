import { expect, it } from 'vitest'
import { enterLong } from '../../../src/strategy/index.ts'
import { flatMarket, MINUTE } from '../../simulator/exchange-caller.ts'
import { once } from '../test-strategies.ts'
import { accountOf, expectAgreed, futuresBot } from './futures-bot.ts'

it('looks at the account at once where the exchange denies that there is a position to close, and closes it', async () => {
  let refusals = 2
  const refusedAt: number[] = []
  const session = futuresBot({
    strategy: once(() => enterLong({ stopLoss: 95 })),
    klines: flatMarket(100, 60).map((kline, index) =>
      index < 13 ? kline : { ...kline, open: 90, high: 90, low: 90, close: 90 },
    ),
    size: { base: 0.5 },
    host: exchange => request => {
      const isClose =
        request.method === 'POST' &&
        request.url.endsWith('/order') &&
        JSON.parse(request.body).open === 'CLOSE'
      if (!isClose || refusals-- <= 0) return exchange(request)
      refusedAt.push(session.clock.now())
      const body = JSON.stringify({ code: '-1156', msg: 'The volume exceeds the position.', data: null })
      return Promise.resolve({ status: 200, body })
    },
  })
  await session.start()
  await session.run(3 * MINUTE)
  for (let second = 0; refusedAt.length < 2 && second < 30; second++) await session.run(1000)
  for (let second = 0; accountOf(session).positions().length > 0 && second < 30; second++)
    await session.run(1000)
  // The next price comes 5 s later; the next of the regular comparisons, 10 s.
  expect(session.clock.now() - (refusedAt[1] ?? 0)).toBeLessThan(8000)
  await expectAgreed(session)
})
