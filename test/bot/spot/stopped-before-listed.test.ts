import { expect, it } from 'vitest'
import { amountOf, ZERO } from '../../../src/domain/numbers/amount.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'
import { lateTrades } from '../late-trades.ts'
import { holder, once } from '../test-strategies.ts'
import { fallingAt } from './falling-market.ts'
import { personOf } from './spot-person.ts'

/** Buys at the first kline, sells at the second. */
const seller = defineStrategy({
  name: 'seller',
  state: () => ({ klines: 0 }),
  onKline: (_kline, { state }) => {
    state.klines++
    if (state.klines === 1) return enterLong()
    return state.klines === 2 ? exit() : undefined
  },
})

/**
 * A bot with 0.999 BTC and a stop-loss at 95, beside another 0.999 BTC that it sells in minute 12; the exchange lists no trades
 * from then on, the account loses 0.4 BTC as `lose` says, and the market falls to 90 at the open of minute 13.
 */
async function stopped(lose: (session: BotSession) => void) {
  const late = { isLate: false }
  const stopLoss = once(() => enterLong({ stopLoss: 95 }))
  const session = new BotSession({
    strategy: holder, // of `traded` alone there is no default
    traded: [seller, stopLoss].map(strategy => ({ strategy, symbol: 'BTC/USDT' })),
    klines: fallingAt(13),
    host: lateTrades(() => late.isLate),
  })
  await session.start()
  await session.run(1.5 * MINUTE)
  late.isLate = true
  await session.run(0.5 * MINUTE + 5000)
  expect(session.user.account.holding('BTC').free).toBe(amountOf('0.999'))
  lose(session)
  await session.run(MINUTE + 20_000)
  return { session, late }
}

it('sells what is there where coins are missing while a sale of another strategy is not listed', async () => {
  const { session, late } = await stopped(({ user }) => user.account.withdraw('BTC', amountOf('0.4')))
  expect(session.user.account.holding('BTC').free).toBe(ZERO)
  late.isLate = false
  await session.run(MINUTE)
  const status = await session.status()
  expect([status.held, status.orders]).toEqual([[], []])
  // 10,000 - 200.02, 0.999 at 99.99 and 0.599 at 89.99, each less 0.1%; the coins that left brought nothing.
  expect(status.balances).toMatchObject({ BTC: '0', USDT: '9953.62022598' })
  expect(session.failures).toEqual([])
})

it('sells what is free where a person locks coins while a sale of another strategy is not listed', async () => {
  const { session, late } = await stopped(session =>
    personOf(session).order('SELL', 'LIMIT', '0.4', '120', { newClientOrderId: 'by-hand' }),
  )
  expect(session.user.account.holding('BTC')).toMatchObject({ free: ZERO, locked: amountOf('0.4') })
  expect(session.said('open orders lock coins that are to be sold')).toMatchObject([
    { free: '0.599', exchange: '0.999' },
  ])
  late.isLate = false
  await session.run(MINUTE)
  expect((await session.status()).held).toMatchObject([{ quantity: '0.40000' }])
  personOf(session).post('/sapi/v2/cancel', { symbol: 'BTC/USDT', newClientOrderId: 'by-hand' })
  await session.run(MINUTE)
  const status = await session.status()
  expect([status.held, status.orders]).toEqual([[], []])
  expect(status.balances).toMatchObject({ BTC: '0', USDT: '9989.58022998' })
  expect(session.failures).toEqual([])
})
