import { describe, expect, it } from 'vitest'
import { logLineText } from '../../../src/bot/text/log-lines.ts'
import { statusText } from '../../../src/cli/bot/bot-status-text.ts'
import { amountOf, ZERO } from '../../../src/domain/numbers/amount.ts'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { klinesOf, MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession, KEY, SECRET } from '../bot-session.ts'
import { holder, once } from '../test-strategies.ts'
import { fallingAt } from './falling-market.ts'
import { personOf } from './spot-person.ts'

/** A bot that holds 0.999 BTC: it bought 1 at 100.01 and paid 0.001 BTC as the fee. */
async function holding(): Promise<BotSession> {
  const session = new BotSession({ strategy: holder })
  await session.start()
  await session.run(2 * MINUTE)
  return session
}

it('books what a person sold of its coins, with price and fee, and goes on with the rest', async () => {
  const session = await holding()
  personOf(session).order('SELL', 'MARKET', '0.4')
  await session.run(13_000) // a comparison begins every 10 s, and looks again 2.5 s later
  const status = await session.status()
  expect(status.held).toMatchObject([{ direction: 'long', quantity: '0.59900' }])
  // 10,000 - 100.01 + 0.4 at 99.99 less 0.1%.
  expect(status.balances).toMatchObject({ USDT: '9939.946004', BTC: '0.599' })
  expect(status.equity).toEqual({ USDT: '9999.846004' })
  expect(session.said('instrument halted: nothing more is decided on it')).toEqual([])
  expect(session.said('balance adopted from the exchange')).toEqual([])
  const [less] = session.said('the exchange holds less of a position than the ledger')
  expect(logLineText('the exchange holds less of a position than the ledger', less ?? {})).toBe(
    'BTC/USDT: LONG 0.4 BTC closed without an order of this bot: others traded on this account.',
  )
  const [said] = session.said('position closed by a foreign order')
  expect(said).toMatchObject({ direction: 'long', quantity: '0.40000', price: '99.99' })
  expect(logLineText('position closed by a foreign order', said ?? {})).toBe(
    'BTC/USDT (LONG 0.4 BTC) was sold outside the bot at 99.99, by an order that is not of this bot; positions and money count that',
  )
  expect(session.said('round trip closed')).toMatchObject([{ exitReason: 'outsideClose', size: '0.4 BTC' }])
  const summary = await session.leave(5000)
  expect(summary?.profit).toEqual({ USDT: '-0.153996' })
  expect(session.failures).toEqual([])
})

it('logs one line of a sale that closes several entries: their sum, their number and the range of their prices', async () => {
  const strategy = defineStrategy({
    name: 'adder',
    state: () => ({ klines: 0 }),
    onKline: (_kline, { state }) => {
      state.klines++
      return state.klines === 1 || state.klines === 4 ? enterLong({ scaleIn: true }) : undefined
    },
  })
  const prices = Array.from({ length: 30 }, (_, minute) => (minute < 12 ? 100 : 102))
  const session = new BotSession({
    strategy,
    exchange: {
      listings: [
        {
          ...{ symbol: 'BTC/USDT', makerFeeRate: '0', takerFeeRate: '0' },
          market: {
            type: 'klines',
            klines: klinesOf(...prices.map(price => [price, price, price, price] as const)),
          },
        },
      ],
      accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: { USDT: '10000' } }],
    },
  })
  await session.start()
  await session.run(5 * MINUTE)
  personOf(session).order('SELL', 'MARKET', '1.5')
  await session.run(13_000)
  expect(session.said('round trip closed')).toEqual([])
  const [said = {}, ...more] = session.said('round trips closed')
  expect(more).toEqual([])
  // Bought 1 at 100.01 and 1 at 102.01; 1.5 sold at 101.99: 1.98 less 0.01, of 100.01 + 51.005.
  expect(logLineText('round trips closed', said)).toBe(
    'BTC/USDT 2 round trips closed outside the bot: LONG 1.5 BTC, entries at 100.01 to 102.01, exit at 101.99, +1.97 USDT (+1.30%) after fees of 0.00 USDT',
  )
  await session.leave(5000)
})

it('says it first in status, after the time', async () => {
  const session = await holding()
  personOf(session).order('SELL', 'MARKET', '0.4')
  const sold = new Date(session.clock.now()).toISOString().slice(0, 19).replace('T', ' ')
  await session.run(13_000)
  expect(statusText(await session.status()).split('\n')[1]).toBe(
    `CHANGED OUTSIDE: BTC/USDT (LONG 0.4 BTC) was sold outside the bot at 99.99 on ${sold}Z; positions and money below count that.`,
  )
})

it('never shows more equity than the account is worth while it finds out', async () => {
  const session = await holding()
  personOf(session).order('SELL', 'MARKET', '0.4')
  for (let second = 0; second < 30; second++) {
    await session.run(1000)
    // Before 9,999.89, afterwards 0.043996 less: half a spread and the fee of 0.4 BTC.
    expect(Number((await session.status()).equity.USDT)).toBeLessThanOrEqual(9999.89)
  }
})

it('adopts neither coins that left without a trade nor money that came, halts, and closes the rest when told to', async () => {
  const session = await holding()
  const { account } = session.user
  account.withdraw('BTC', amountOf('0.4'))
  account.deposit('USDT', amountOf('40'))
  await session.run(13_000)
  expect(session.said('instrument halted: nothing more is decided on it')).toEqual([])
  expect(session.said('the account holds less than our positions, and no sale is listed yet')).toMatchObject([
    { asset: 'BTC', held: '0.999', exchange: '0.599' },
  ])
  await session.run(90_000)
  const halted = await session.status()
  expect(halted.equity).toEqual({ USDT: '9999.89' })
  expect(halted.held).toMatchObject([{ quantity: '0.99900' }])
  expect(session.said('instrument halted: nothing more is decided on it')).toHaveLength(1)
  // The order of 0.999 is refused, and 0.599 are sold at 99.99 once a comparison has shown what there is.
  const asked = session.clock.now()
  expect(await session.operate('flatten')).toContain(
    'Closed: LONG 0.599 BTC of BTC/USDT. Not on the account any more, and booked as closed outside the bot: LONG 0.4 BTC of BTC/USDT.',
  )
  expect(session.clock.now() - asked).toBeLessThan(2000)
  const closed = await session.status()
  expect(closed.closedOutside).toMatchObject([{ size: '0.4 BTC', price: '100.00', by: 'unknown' }])
  // 10,000 - 100.01 + 40 + 0.599 at 99.99 less 0.1%.
  expect(closed.balances).toMatchObject({ BTC: '0', USDT: '9999.82411599' })
})

it('closes what the account holds within seconds where a person has just sold a part', async () => {
  const session = await holding()
  personOf(session).order('SELL', 'MARKET', '0.4')
  // Refused at once, and a comparison a second later and two more shows why.
  expect(await session.operate('flatten')).toBe(
    'Closed: LONG 0.599 BTC of BTC/USDT. Not on the account any more, and booked as closed outside the bot: LONG 0.4 BTC of BTC/USDT. Trading of the account is active.',
  )
  // 10,000 - 100.01 + 0.999 at 99.99 less 0.1% of each sale.
  expect((await session.status()).balances).toMatchObject({ BTC: '0', USDT: '9999.78011999' })
  await session.run(MINUTE)
  expect(session.said('instrument halted: nothing more is decided on it')).toEqual([])
  expect(session.said('balance adopted from the exchange')).toEqual([])
})

it.each(['SELL', undefined] as const)(
  'closes what the account holds when it leaves flat, whether the rest was sold or withdrawn: %s',
  async side => {
    const session = new BotSession({ strategy: holder, execution: { onStop: 'flatten' } })
    await session.start()
    await session.run(2 * MINUTE)
    if (side === undefined) session.user.account.withdraw('BTC', amountOf('0.4'))
    else personOf(session).order(side, 'MARKET', '0.4')
    const summary = await session.leave(15_000)
    expect(summary).toMatchObject({ held: [], balances: { BTC: '0' } })
    expect(personOf(session).balance('BTC').map(Number)).toEqual([0, 0])
  },
)

describe('a stop-loss that is reached while coins of its position are missing', () => {
  /** A bot with a stop-loss at 95 whose account loses 0.4 of 0.999 BTC in minute 12, in a market that falls to 90 at the open of a minute. */
  async function fallen(minute: number): Promise<BotSession> {
    const klines = fallingAt(minute)
    const session = new BotSession({ strategy: once(() => enterLong({ stopLoss: 95 })), klines })
    await session.start()
    await session.run(2 * MINUTE)
    session.user.account.withdraw('BTC', amountOf('0.4'))
    await session.run((minute - 12) * MINUTE + 25_000)
    return session
  }

  it.each([
    ['their sale may still be listed', 13, 0],
    ['their market has been halted for that', 15, 1],
  ])('sells what is there at once where %s', async (_where, minute, halts) => {
    const session = await fallen(minute)
    const status = await session.status()
    expect([status.held, status.orders]).toEqual([[], []])
    expect(session.user.account.holding('BTC').free).toBe(ZERO)
    expect(session.said('instrument halted: nothing more is decided on it')).toHaveLength(halts)
    expect(status.closedOutside).toMatchObject([{ size: '0.4 BTC', price: '90.00', by: 'unknown' }])
    // 10,000 - 100.01, and 0.599 at 89.99 less 0.1%; the coins that left brought nothing.
    expect(status.balances).toMatchObject({ BTC: '0', USDT: '9953.84010599' })
  })
})

it('sells what is there for the strategy whose stop-loss is reached, and counts the missing coins to the other one first', async () => {
  const klines = fallingAt(13)
  const strategies = [95, 80].map(stopLoss => ({
    ...once(() => enterLong({ stopLoss })),
    name: `stopped-at-${stopLoss}`,
  }))
  const session = new BotSession({
    strategy: holder, // of `traded` alone there is no default
    traded: strategies.map(strategy => ({ strategy, symbol: 'BTC/USDT' })),
    klines,
  })
  await session.start()
  await session.run(2 * MINUTE)
  session.user.account.withdraw('BTC', amountOf('1.2'))
  await session.run(MINUTE + 25_000)
  const status = await session.status()
  expect(status.held).toEqual([])
  // 2 x 0.999 less 1.2 are 0.798, sold at 89.99 less 0.1%; 10,000 less what both paid, 100.01 each.
  expect(status.balances).toMatchObject({ BTC: '0', USDT: '9871.72020798' })
  expect(
    session
      .said('round trip closed')
      .map(({ book, symbol, exitReason, size }) => [book ?? symbol, exitReason, size]),
  ).toEqual([
    ['BTC/USDT#stopped-at-80', 'outsideClose', '0.999 BTC'],
    ['BTC/USDT#stopped-at-95', 'outsideClose', '0.201 BTC'],
    ['BTC/USDT#stopped-at-95', 'stopLoss', '0.798 BTC'],
  ])
})

describe('a stop-loss that is reached while an order of a person locks a part of its coins', () => {
  const LOCKED =
    'BTC/USDT: of 0.4 BTC on the account only 0 are free to be sold, because open orders lock the rest. The bot sells what is free; cancel orders that are not of this bot, or set execution.foreignOrders: cancel, so that it can sell the rest.'

  /** A bot with a stop-loss at 95 that holds 0.999 BTC, of which a person rests 0.4 for sale at 120 in minute 12; the market falls to 90 at the open of minute 13. */
  async function locked(): Promise<BotSession> {
    const klines = fallingAt(13)
    const strategy = once(() => enterLong({ stopLoss: 95 }))
    const session = new BotSession({ strategy, klines })
    await session.start()
    await session.run(2 * MINUTE)
    personOf(session).order('SELL', 'LIMIT', '0.4', '120', { newClientOrderId: 'by-hand' })
    await session.run(MINUTE + 25_000)
    return session
  }

  it('sells what is free, says what is locked, and the rest once it is free', async () => {
    const session = await locked()
    expect(session.user.account.holding('BTC')).toMatchObject({ free: ZERO, locked: amountOf('0.4') })
    // 10,000 - 100.01, and 0.599 at 89.99 less 0.1%.
    expect((await session.status()).balances).toMatchObject({ BTC: '0.4', USDT: '9953.84010599' })
    const [said, ...more] = session.said('open orders lock coins that are to be sold')
    expect(more).toEqual([])
    expect(logLineText('open orders lock coins that are to be sold', said ?? {})).toBe(
      'BTC/USDT: of 0.999 BTC on the account only 0.599 are free to be sold, because open orders lock the rest. The bot sells what is free; cancel orders that are not of this bot, or set execution.foreignOrders: cancel, so that it can sell the rest.',
    )
    personOf(session).post('/sapi/v2/cancel', { symbol: 'BTC/USDT', newClientOrderId: 'by-hand' })
    await session.run(MINUTE)
    const status = await session.status()
    expect([status.held, status.orders]).toEqual([[], []])
    // And 0.4 at 89.99 less 0.1%.
    expect(status.balances).toMatchObject({ BTC: '0', USDT: '9989.80010999' })
    expect(session.failures).toEqual([])
  })

  it('says in status what is locked until it is sold, and why its order sold less', async () => {
    const session = await locked()
    const { lockedCoins } = await session.status()
    expect(lockedCoins).toEqual([{ symbol: 'BTC/USDT', asset: 'BTC', free: '0', exchange: '0.4' }])
    expect(statusText(await session.status()).split('\n')).toContain(`COINS LOCKED: ${LOCKED}`)
    expect(session.said('order canceled').at(-1)).toMatchObject({
      filled: '0.59900',
      reason:
        'The exchange filled all that was sent of it, 0.59900 of 0.99900 BTC: no more was free to be sold.',
    })
    personOf(session).post('/sapi/v2/cancel', { symbol: 'BTC/USDT', newClientOrderId: 'by-hand' })
    await session.run(MINUTE)
    expect((await session.status()).lockedCoins).toEqual([])
  })

  it.each(['flatten', 'kill'] as const)('says in the answer of %s what is locked', async command => {
    const session = await locked()
    const answer = await session.operate(command)
    expect(answer).toMatch(/^Still being closed: LONG 0\.4 BTC of BTC\/USDT\. /)
    expect(answer).toContain(` ${LOCKED} Look again with "npm run -s bot -- status".`)
  })
})
