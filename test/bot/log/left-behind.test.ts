import { expect, it } from 'vitest'
import { leftBehind } from '../../../src/bot/log/left-behind.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import type { UnlistedOrder } from '../../../src/execution/tracking/unlisted-trades-error.ts'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { FUTURES_BTC } from '../../domain/instruments.ts'
import { EngineSession, SPOT, scripted } from '../../engine/engine-session.ts'

it('tells a stop-limit order that has left the bot from one that waits there', () => {
  const stop = { type: 'stopLimit', stopPrice: 120, price: 121 } as const
  const session = new EngineSession(
    scripted({ 0: enterShort({ size: { base: 0.5 } }), 1: enterLong({ order: stop }) }),
    {
      instrument: FUTURES_BTC,
    },
  )
  session.kline(100)
  session.fill(1, 100)
  session.kline(100)
  const id = session.engine.ledger.orders.working.at(-1)?.request.clientOrderId ?? ''
  const update = (event: 'accepted', exchangeOrderId?: string) =>
    session.engine.process({
      type: 'orderUpdated',
      ...{ clientOrderId: id, event, time: 0 },
      ...(exchangeOrderId !== undefined && { exchangeOrderId }),
    })
  expect(leftBehind(session.engine, true).sentence).toContain(
    'No order of this bot rests at the exchange. 1 protective order was in this process alone',
  )
  update('accepted', '77')
  expect(leftBehind(session.engine, true).sentence).toContain(`At the exchange rests: buy`)
})

it('says of an order at market that it was sent, and not that it rests', () => {
  const session = new EngineSession(scripted({ 0: enterShort({ size: { base: 0.5 } }) }), {
    instrument: FUTURES_BTC,
  })
  session.kline(100)
  expect(leftBehind(session.engine, true).sentence).toMatch(
    /^Nothing of this bot is held\. No order of this bot rests at the exchange\. Sent at market, without a known end: sell 50 contracts of /,
  )
})

it('names what is left of an order that is filled in part', () => {
  const order = { type: 'limit', price: 90 } as const
  const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 0.5 }, order }) }), {
    instrument: FUTURES_BTC,
  })
  session.kline(100)
  session.fill(1, 90, 0.03)
  // 0.5 BTC are 50 contracts of 0.01 BTC, of which 30 were filled.
  expect(leftBehind(session.engine, true).sentence).toMatch(
    /At the exchange rests: buy 20 contracts of \S+ at 90, what is left of 50 \(/,
  )
})

it('tells what an order has executed and the exchange does not list, and that as no order that rests', () => {
  const order = { type: 'limit', price: 90 } as const
  const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 0.5 }, order }) }), {
    instrument: FUTURES_BTC,
  })
  session.kline(100)
  session.fill(1, 90, 0.03)
  // 0.5 BTC are 50 contracts of 0.01 BTC, of which 30 are listed, and the exchange has filled all.
  const request = session.order(1)
  const unlisted: UnlistedOrder = {
    ...{ request, instrument: FUTURES_BTC, exchangeOrderId: '77', booked: steps(30) },
    unlisted: { since: 0, executed: steps(50), isLasting: false },
  }
  const { symbol } = FUTURES_BTC
  expect(leftBehind(session.engine, true, { unlisted: [unlisted] })).toEqual({
    sentence: `Still held: long 30 contracts of ${symbol}. Executed at the exchange, which does not list the trades yet: buy 20 contracts of ${symbol} (${request.clientOrderId}, 77); this is not counted as held here, no stop protects it, and the next start books it once its trades are listed. No order of this bot rests at the exchange.`,
    isNothing: false,
  })
  const some = { ...unlisted, unlisted: { ...unlisted.unlisted, executed: steps(40) } }
  expect(leftBehind(session.engine, true, { unlisted: [some] }).sentence).toContain(
    `At the exchange rests: buy 10 contracts of ${symbol} at 90, what is left of 50 (`,
  )
})

it('names the side, the size and the unit of what is held', () => {
  const session = new EngineSession(scripted({ 0: enterShort({ size: { base: 0.5 } }) }), {
    instrument: FUTURES_BTC,
  })
  session.kline(100)
  session.fill(1, 100)
  expect(leftBehind(session.engine, true)).toEqual({
    sentence: `Still held: short 50 contracts of ${FUTURES_BTC.symbol}. No order of this bot rests at the exchange.`,
    isNothing: false,
  })
})

it('never says alone that nothing is held where account and books do not agree', () => {
  const session = new EngineSession(scripted({}))
  const halt = 'The exchange has 131 contracts of E-BTC-USDT long, our books 0.'
  expect(leftBehind(session.engine, true, { halts: [halt, halt] })).toEqual({
    sentence: `These are the books of this bot, and the account may hold something else. Nothing of this bot is held. No order of this bot rests at the exchange. ${halt}`,
    isNothing: false,
  })
})

it('names coins on a spot account that are no position of the bot, beside what is one', () => {
  const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 1 } }), 1: exit() }), {
    instrument: SPOT,
    base: '2.996',
  })
  session.kline(100)
  session.fill(1, 100)
  const besides =
    'No order of this bot rests at the exchange. Besides, the account holds 2.996 BTC, which is no position of this bot.'
  expect(leftBehind(session.engine, true).sentence).toBe(`Still held: long 0.999 BTC of BTC/USDT. ${besides}`)
  session.kline(100)
  session.fill(2, 100)
  expect(leftBehind(session.engine, true)).toEqual({
    sentence: `Nothing of this bot is held. ${besides}`,
    isNothing: true,
  })
})

it('says nothing of a remainder of coins below the smallest order', () => {
  const session = new EngineSession(scripted({}), { instrument: SPOT, base: '0.0009' })
  expect(leftBehind(session.engine, true).sentence).toBe(
    'Nothing of this bot is held. No order of this bot rests at the exchange.',
  )
})

it('names contracts of others on the account', () => {
  const session = new EngineSession(scripted({}), { instrument: FUTURES_BTC })
  const foreign = ['LONG 4 contracts of BTC/USDT (E-BTC-USDT)', 'SHORT 1 contract of ETH/USDT (E-ETH-USDT)']
  expect(leftBehind(session.engine, true, { foreign }).sentence).toBe(
    `Nothing of this bot is held. No order of this bot rests at the exchange. Besides, the account holds ${foreign.join(', ')}, which is no position of this bot.`,
  )
})

it('names the exit of a strategy of which the exchange took only a part', () => {
  const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 5 } }), 1: exit() }))
  session.kline(100)
  session.fill(1, 100)
  session.kline(100)
  session.fill(2, 100, 3)
  session.update(2, 'expired')
  session.update(3, 'rejected')
  expect(leftBehind(session.engine, true).sentence).toBe(
    'Still held: long 2.000 BTC of BTC/USDT. No order of this bot rests at the exchange. The exit of BTC/USDT was not done (3.000 of 5.000 BTC sold); the next start goes on with it.',
  )
  expect(leftBehind(session.engine, false).sentence).toContain(
    '(3.000 of 5.000 BTC sold); without a journal no start goes on with it; do it at the exchange yourself.',
  )
})

it('promises protection by the next start only to a bot with a journal', () => {
  const session = new EngineSession(scripted({ 0: enterShort({ size: { base: 0.5 }, stopLoss: 120 }) }), {
    instrument: FUTURES_BTC,
  })
  session.kline(100)
  session.fill(1, 100)
  const waited =
    '1 protective order was in this process alone, not placed at the exchange, and fires no more: '
  expect(leftBehind(session.engine, true).sentence).toContain(
    `${waited}nothing protects what is held until the bot runs again.`,
  )
  expect(leftBehind(session.engine, false).sentence).toContain(
    `${waited}without a journal the next start knows nothing of what is held and protects nothing; close or protect it at the exchange yourself.`,
  )
})
