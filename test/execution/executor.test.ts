import { describe, expect, it, vi } from 'vitest'
import { ZERO } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import { ExchangeError } from '../../src/exchange/errors/exchange-error.ts'
import { NotSentError } from '../../src/exchange/errors/not-sent-error.ts'
import { ANSWER_LOST } from '../faulty-transport.ts'
import { klinesOf } from '../simulator/exchange-caller.ts'
import { ExecutionSession, firstOf } from './execution-session.ts'

const PLACE = 'POST /sapi/v2/order'
const bid = (price: number) => ({ side: 'buy', spec: { type: 'limit', price: ticks(price) } }) as const

describe('an order that the exchange takes', () => {
  it('is submitted, accepted and filled, with the exact fee, in this order', async () => {
    const session = new ExecutionSession()
    session.place('buy', { side: 'buy', quantity: steps(500) })
    session.place('sell', { side: 'sell', quantity: steps(250) })
    await session.run(1)
    expect(session.lifeOf('buy')).toEqual([
      'submitted',
      'accepted',
      'buy 0.500 at 100.01, fee 0.0005 BTC, taker',
    ])
    expect(session.lifeOf('sell')).toEqual([
      'submitted',
      'accepted',
      'sell 0.250 at 99.99, fee 0.0249975 USDT, taker',
    ])
    expect([session.statusOf('buy'), session.statusOf('sell')]).toEqual(['filled', 'filled'])
    expect(session.executor.liveOrders).toBe(0)
    expect(session.errors).toEqual([])
  })

  it('is told with the id that the exchange gave it', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid(9_900))
    await session.run(1)
    const exchangeOrderId = session.atExchange('bid')?.id.toString()
    expect(session.events.at(-1)).toMatchObject({ event: 'accepted', exchangeOrderId })
    expect(session.ledger.orders.get('bid')?.exchangeOrderId).toBe(exchangeOrderId)
  })

  it('books each of several trades once, however often it is looked at', async () => {
    const session = new ExecutionSession({ isQuoted: false })
    session.place('bid', bid(9_900))
    await session.run(1)
    session.stranger().order('SELL', 'LIMIT', '0.3', '99')
    await session.look()
    expect(session.statusOf('bid')).toBe('partiallyFilled')
    await session.look()
    session.stranger().order('SELL', 'LIMIT', '0.2', '98.5')
    session.stranger().order('SELL', 'LIMIT', '0.5', '99')
    await session.look()
    await session.look()
    expect(session.lifeOf('bid')).toEqual([
      'submitted',
      'accepted',
      'buy 0.300 at 99.00, fee 0.0003 BTC, maker',
      'buy 0.200 at 99.00, fee 0.0002 BTC, maker',
      'buy 0.500 at 99.00, fee 0.0005 BTC, maker',
    ])
    expect(session.statusOf('bid')).toBe('filled')
    expect(session.executor.liveOrders).toBe(0)
  })

  it('is not mixed up with another order of the account that trades at the same time', async () => {
    const session = new ExecutionSession({ isQuoted: false })
    session.place('first', bid(9_900))
    session.place('second', { ...bid(9_900), quantity: steps(500) })
    await session.run(1)
    session.stranger().order('SELL', 'LIMIT', '1.2', '99')
    await session.look()
    expect(session.lifeOf('first').slice(2)).toEqual(['buy 1.000 at 99.00, fee 0.001 BTC, maker'])
    expect(session.lifeOf('second').slice(2)).toEqual(['buy 0.200 at 99.00, fee 0.0002 BTC, maker'])
  })

  it('is seen to fill when the market trades through it', async () => {
    const session = new ExecutionSession({ klines: klinesOf([100, 100, 98, 99]) })
    session.place('bid', bid(9_900))
    session.keepLooking()
    await session.run(60_000)
    expect(session.lifeOf('bid').slice(2)).toEqual(['buy 1.000 at 99.00, fee 0.001 BTC, maker'])
  })

  it('tells the same after a second look as after the first: nothing', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid(9_900))
    session.place('buy')
    await session.run(1)
    const before = session.events.length
    for (let look = 0; look < 3; look++) await session.look()
    expect(session.events).toHaveLength(before)
  })

  it('asks for no trades where there are none to be booked', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid(9_900))
    await session.run(1)
    await session.look()
    expect(session.calls).toContain('GET /sapi/v2/order')
    expect(session.calls).not.toContain('GET /sapi/v2/myTrades')
  })

  it('on margin leaves nothing resting of what was to trade at once, though no order there does that by itself', async () => {
    const session = new ExecutionSession({ isQuoted: false, account: 'margin' })
    const seller = session.stranger()
    seller.order('SELL', 'LIMIT', '0.4', '100.5')
    session.place('buy')
    session.place('bid', bid(9_900))
    await session.run(1)
    expect(session.lifeOf('buy')).toEqual([
      'submitted',
      'accepted',
      'buy 0.400 at 100.50, fee 0.0004 BTC, taker',
      'canceled',
    ])
    expect([session.atExchange('buy')?.status, session.atExchange('bid')?.status]).toEqual([
      'CANCELED',
      'NEW',
    ])
  })

  it('has its trades asked for as urgently as itself', async () => {
    const session = new ExecutionSession()
    const myTrades = vi.spyOn(session.spot, 'myTrades')
    session.place('buy')
    await session.run(1)
    expect(myTrades).toHaveBeenCalledWith(expect.anything(), { lane: 'reconciliation' })
  })

  it('does not end before the trades that the exchange speaks of can be seen', async () => {
    const session = new ExecutionSession()
    session.journeyOf = call =>
      call === 'GET /sapi/v2/myTrades' ? { answer: { status: 200, body: '[]' } } : undefined
    session.place('buy')
    await session.run(1)
    expect(session.lifeOf('buy')).toEqual(['submitted', 'accepted'])
    expect(session.executor.liveOrders).toBe(1)
    session.journeyOf = () => undefined
    await session.look()
    expect(session.lifeOf('buy').slice(2)).toEqual(['buy 1.000 at 100.01, fee 0.001 BTC, taker'])
  })

  it('ends canceled, after its fills, where an IOC finds too little', async () => {
    const session = new ExecutionSession({ isQuoted: false })
    session.stranger().order('SELL', 'LIMIT', '0.4', '100.5')
    session.place('buy')
    await session.run(1)
    expect(session.lifeOf('buy')).toEqual([
      'submitted',
      'accepted',
      'buy 0.400 at 100.50, fee 0.0004 BTC, taker',
      'canceled',
    ])
    expect(session.ledger.orders.get('buy')).toMatchObject({ status: 'canceled', filledQuantity: 400 })
    expect(session.ledger.reserved('USDT')).toBe(ZERO)
  })
})

describe('an order that the exchange does not take', () => {
  it('is rejected with its reason', async () => {
    const session = new ExecutionSession()
    session.place('buy', { ...bid(10_000), quantity: steps(200_000) })
    await session.run(1)
    expect(session.lifeOf('buy')).toEqual(['submitted', 'rejected'])
    expect(session.ledger.orders.get('buy')?.reason).toMatch(/-2017 BALANCE_NOT_ENOUGH.*Insufficient balance/)
    expect(session.errors).toEqual([expect.any(ExchangeError)])
    expect(session.ledger.reserved('USDT')).toBe(ZERO)
    await session.run(60_000)
    expect(session.timesSent('buy')).toBe(1)
  })

  it('is rejected after exactly one try where the connection is refused', async () => {
    const session = new ExecutionSession()
    session.journeyOf = call => (call === PLACE ? { refused: true } : undefined)
    session.place('buy')
    session.keepLooking()
    await session.run(60_000)
    expect(session.lifeOf('buy')).toEqual(['submitted', 'rejected'])
    expect(session.timesSent('buy')).toBe(1)
    expect(session.errors).toEqual([expect.any(NotSentError)])
    expect(session.executor.liveOrders).toBe(0)
  })
})

describe('an order in the trigger book', () => {
  const stop = { side: 'sell', spec: { type: 'stop', stopPrice: ticks(9_900) }, reduceOnly: true } as const
  const at = (last: number) => ({ bid: last, ask: last, last })

  it('is accepted without a call, and sent once its price has come', async () => {
    const session = new ExecutionSession()
    session.place('stop', stop)
    await session.run(1)
    expect(session.lifeOf('stop')).toEqual(['submitted', 'accepted'])
    session.executor.observe('BTC/USDT', at(99.01))
    await session.run(1)
    expect(session.sentIds).toEqual([])
    session.executor.observe('BTC/USDT', at(99))
    session.executor.observe('BTC/USDT', at(98))
    await session.run(1)
    expect(session.sentIds).toEqual(['stop'])
    expect(session.lifeOf('stop').at(-1)).toBe('sell 1.000 at 99.99, fee 0.09999 USDT, taker')
  })

  it('is canceled without a call', async () => {
    const session = new ExecutionSession()
    session.place('stop', stop)
    session.cancel('stop')
    session.executor.observe('BTC/USDT', at(90))
    await session.run(1)
    expect(session.lifeOf('stop')).toEqual(['submitted', 'accepted', 'canceled'])
    expect(session.calls).toEqual([])
  })

  it('is sent with the quantity of its latest resize', async () => {
    const session = new ExecutionSession()
    session.place('stop', stop)
    session.ledger.orders.resize('stop', steps(400))
    session.executor.execute({
      type: 'resizeOrder',
      clientOrderId: 'stop',
      symbol: 'BTC/USDT',
      quantity: steps(400),
    })
    session.executor.observe('BTC/USDT', at(99))
    await session.run(1)
    expect(session.lifeOf('stop').at(-1)).toBe('sell 0.400 at 99.99, fee 0.039996 USDT, taker')
    expect(session.statusOf('stop')).toBe('filled')
  })

  it('that grows once it has left ends with what it left with, so that the rest can be asked for anew', async () => {
    for (const maxVolume of ['9', '0.3']) {
      const session = new ExecutionSession({ maxVolume })
      session.place('stop', { ...stop, quantity: steps(600) })
      session.executor.observe('BTC/USDT', at(99))
      const resize = { type: 'resizeOrder', clientOrderId: 'stop', symbol: 'BTC/USDT' } as const
      session.ledger.orders.resize('stop', steps(1000))
      session.executor.execute({ ...resize, quantity: steps(1000) })
      await session.run(1)
      await session.look()
      const order = session.ledger.orders.get('stop')
      expect([order?.status, order?.filledQuantity]).toEqual(['canceled', 600])
      expect(order?.reason).toBe('It was sent before its quantity was raised.')
      expect(session.executor.liveOrders).toBe(0)
    }
  })

  it('that shrinks once it has left fills with what it left with, in one order or in parts', async () => {
    for (const maxVolume of ['9', '0.3']) {
      const session = new ExecutionSession({ maxVolume })
      session.place('stop', { ...stop, quantity: steps(600) })
      session.executor.observe('BTC/USDT', at(99))
      const resize = { type: 'resizeOrder', clientOrderId: 'stop', symbol: 'BTC/USDT' } as const
      session.ledger.orders.resize('stop', steps(400))
      session.executor.execute({ ...resize, quantity: steps(400) })
      await session.run(1)
      await session.look()
      const order = session.ledger.orders.get('stop')
      expect([order?.status, order?.filledQuantity]).toEqual(['filled', 600])
      expect(session.executor.liveOrders).toBe(0)
    }
  })

  it('may be lost on its way like any other, and is found again', async () => {
    const session = new ExecutionSession()
    session.journeyOf = firstOf(PLACE, ANSWER_LOST)
    session.place('stop', stop)
    session.executor.observe('BTC/USDT', at(99))
    await session.run(3000)
    await session.look()
    expect(session.lifeOf('stop')).toEqual([
      'submitted',
      'accepted',
      'outcomeLost',
      'accepted',
      'sell 1.000 at 99.99, fee 0.09999 USDT, taker',
    ])
    expect(session.timesSent('stop')).toBe(1)
  })
})
