import { expect, it } from 'vitest'
import { statusText } from '../../src/cli/bot/bot-status-text.ts'
import { defineStrategy, enterLong, exit } from '../../src/strategy/index.ts'
import { flatMarket, MINUTE } from '../simulator/exchange-caller.ts'
import type { BotSession } from './bot-session.ts'
import { futuresBot } from './futures/futures-bot.ts'
import { lateTrades } from './late-trades.ts'

/** Buys with a stop-loss at the first kline, sells at the third. */
const trader = defineStrategy({
  name: 'trader',
  state: () => ({ klines: 0 }),
  onKline: (_kline, { state }) => {
    state.klines++
    if (state.klines === 1) return enterLong({ stopLoss: 95 })
    return state.klines === 3 ? exit() : undefined
  },
})

/** A bot that trades 10 contracts at an exchange that lists no trades while `isLate`. */
async function lateBot() {
  const late = { isLate: true }
  const session = futuresBot({
    strategy: trader,
    klines: flatMarket(100, 60),
    size: { base: 1 },
    host: lateTrades(() => late.isLate),
  })
  await session.start()
  return { session, late }
}

const text = async (session: BotSession) => statusText(await session.status()).split('\n')

it('of an entry: the order tells what has executed, at once, and after five seconds its position counts as not protected', async () => {
  const { session, late } = await lateBot()
  await session.run(MINUTE + 2500)
  const soon = await session.status()
  expect(soon.orders).toEqual([
    expect.objectContaining({ purpose: 'entry', filled: '0', quantity: '10', executed: '10' }),
  ])
  expect([soon.unprotected, soon.unlisted]).toEqual([[], []])
  const lines = await text(session)
  expect(lines).toContain('  none booked yet: an entry has executed, and its trades are not listed')
  expect(lines).toContain(
    '  BTC/USDT: BUY 10 contracts, market, entry, open, executed 10 of 10, trades not listed yet',
  )

  await session.run(6000)
  const { unprotected, unlisted, line } = await session.status()
  expect(unprotected).toEqual([
    expect.objectContaining({ book: 'BTC/USDT', purpose: 'stopLoss', cause: 'unlisted' }),
  ])
  expect(unprotected[0]?.why).toMatch(
    /^The entry \(id \S+\) has executed 10 of 10 contracts, and trades of 0 are listed\./,
  )
  expect(unlisted).toHaveLength(1)
  expect(line.failedCalls).toBe(0)
  expect(session.said('trades of an order are not listed')).toHaveLength(1)
  expect(session.said('a call to the exchange failed')).toEqual([])
  const told = await text(session)
  expect(told[1]).toMatch(
    /^NOT PROTECTED: the stop-loss of BTC\/USDT is not placed, because the exchange has not listed all trades of the entry since 2024-01-01 00:11:0\dZ\. The entry /,
  )
  expect(told[2]).toMatch(/^NOT BOOKED YET: The buy order /)
  expect(told[2]).toContain('The bot asks for them again at every look at its orders')

  late.isLate = false
  await session.run(5000)
  const booked = await session.status()
  expect([booked.unprotected, booked.unlisted, booked.line.failedCalls]).toEqual([[], [], 0])
  expect(booked.orders.map(({ executed }) => executed)).toEqual([undefined])
  expect((await text(session)).slice(1, 3)).toEqual([
    'Positions',
    expect.stringContaining('LONG 10 contracts'),
  ])
  await session.leave(5000)
})

/** A bot whose exit of 10 contracts has executed, and is not listed. */
async function lateExit() {
  const { session, late } = await lateBot()
  late.isLate = false
  await session.run(2 * MINUTE)
  late.isLate = true
  await session.run(MINUTE + 8000)
  return session
}

it('of an exit: its position and its order tell that it is closed', async () => {
  const session = await lateExit()
  const status = await session.status()
  expect(status.held).toEqual([expect.objectContaining({ quantity: '10', closedUnlisted: '10' })])
  expect(status.unprotected).toEqual([])
  const lines = await text(session)
  expect(lines).toContain('    closed at the exchange, and counted until it lists the trades: 10 contracts')
  expect(lines).toContain(
    '  BTC/USDT: SELL 10 contracts, market, exit, open, executed 10 of 10, trades not listed yet',
  )
  await session.leave(70_000)
})

it('of an exit: the last line of the bot tells that it is closed', async () => {
  const session = await lateExit()
  const summary = await session.leave(70_000)
  expect(summary?.leftBehind).toMatch(
    /^Still held: long 10 contracts of BTC\/USDT\. Closed at the exchange, which does not list the trades yet: sell 10 contracts of BTC\/USDT \(\S+, \d+\); this is not counted as closed here, and without a journal no start books it, so look at the account\. No order of this bot rests at the exchange\./,
  )
  expect(summary?.leftBehind).not.toContain('without a known end')
  expect(summary?.leftBehind).not.toContain('fires no more')
})

it.each(['flatten', 'kill'] as const)(
  'of an entry: %s says what has executed, and that it is closed later',
  async command => {
    const { session, late } = await lateBot()
    await session.run(MINUTE + 2500)
    const answer = await session.operate(command)
    expect(answer).toMatch(
      /^Executed at the exchange, which does not list the trades yet: buy 10 contracts of BTC\/USDT \(\S+, \d+\)\. This is closed once its trades are listed\. Look again with "npm run -s bot -- status"\./,
    )
    late.isLate = false
    await session.run(10_000)
    expect((await session.status()).held).toEqual([])
    expect(session.said('fill').map(({ side, quantity }) => [side, quantity])).toEqual([
      ['buy', '10'],
      ['sell', '10'],
    ])
    await session.leave(5000)
  },
)
