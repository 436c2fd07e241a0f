import { describe, expect, it } from 'vitest'
import { amountOf, ZERO } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import { UnknownOutcomeError } from '../../src/exchange/errors/unknown-outcome-error.ts'
import { ANSWER_LOST, REQUEST_LOST } from '../faulty-transport.ts'
import { ExchangeCaller, START } from '../simulator/exchange-caller.ts'
import { ExecutionSession, firstOf, RECV_WINDOW_MS } from './execution-session.ts'

const PLACE = 'POST /sapi/v2/order'
const CANCEL = 'POST /sapi/v2/cancel'
const bid = (price: number) => ({ side: 'buy', spec: { type: 'limit', price: ticks(price) } }) as const

describe('a cancel', () => {
  it('takes a resting order back', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid(9_900))
    await session.run(1)
    expect(session.ledger.reserved('USDT')).toBe(amountOf('99'))
    session.cancel('bid')
    await session.run(1)
    expect(session.lifeOf('bid')).toEqual(['submitted', 'accepted', 'canceled'])
    expect(session.atExchange('bid')?.status).toBe('CANCELED')
    expect(session.ledger.reserved('USDT')).toBe(ZERO)
    expect(session.executor.liveOrders).toBe(0)
  })

  it('takes a placement back that waits for its turn: it never leaves', async () => {
    const session = new ExecutionSession()
    // The exchange takes 100 orders in 2 s.
    for (let index = 0; index < 100; index++)
      session.place(`bid ${index}`, { ...bid(5000), quantity: steps(250) })
    session.place('late', bid(9_900))
    await session.run(100)
    session.cancel('late')
    await session.run(5000)
    expect(session.lifeOf('late')).toEqual(['submitted', 'canceled'])
    expect(session.ledger.orders.get('late')?.reason).toBe('It was canceled before it was sent.')
    expect([session.timesSent('bid 99'), session.timesSent('late')]).toEqual([1, 0])
    expect(session.executor.liveOrders).toBe(100)
    expect(session.errors).toEqual([])
  })

  it('of the bot takes entries back that wait for their turn, and no exit, nothing that is not meant, and nothing that has left', async () => {
    const session = new ExecutionSession()
    for (let index = 0; index < 100; index++)
      session.place(`bid ${index}`, { ...bid(5000), quantity: steps(250) })
    session.place('late', bid(9_900))
    session.place('meant otherwise', bid(9_800))
    session.place('exit', { side: 'sell', reduceOnly: true, purpose: 'exit' })
    await session.run(100)
    session.executor.withdraw(({ clientOrderId }) => clientOrderId !== 'meant otherwise')
    await session.run(5000)
    await session.look(5000)
    expect(session.lifeOf('late')).toEqual(['submitted', 'canceled'])
    expect(session.statusOf('bid 99')).toBe('open')
    expect([session.statusOf('meant otherwise'), session.statusOf('exit')]).toEqual(['open', 'filled'])
    expect(session.timesSent('late')).toBe(0)
  })

  it('by somebody at the exchange ends the order, and says who told', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid(9_900))
    await session.run(1)
    const person = new ExchangeCaller(session.exchange)
    person.now = session.clock.now()
    person.post('/sapi/v2/cancel', {
      symbol: 'BTCUSDT',
      newClientOrderId: 'bid',
      orderId: session.ledger.orders.get('bid')?.exchangeOrderId,
    })
    await session.look()
    expect(session.lifeOf('bid')).toEqual(['submitted', 'accepted', 'canceled'])
    expect(session.ledger.orders.get('bid')?.reason).toBe('The exchange says canceled.')
  })

  it('is noted before it leaves, as its placement was with all that it asked for', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid(9_900))
    await session.run(1)
    session.cancel('bid')
    await session.run(1)
    const common = { clientOrderId: 'bid', symbol: 'BTC/USDT', recvWindowMs: RECV_WINDOW_MS }
    expect(session.departures).toStrictEqual([
      { ...common, action: 'place', timestamp: START, sent: { quantity: '1.000', price: '99.00' } },
      { ...common, action: 'cancel', timestamp: START + 1 },
    ])
  })

  it('of an order that left in parts cancels these, and no part of another', async () => {
    const session = new ExecutionSession({ maxVolume: '0.4' })
    session.place('first', bid(9_900))
    session.place('second', bid(9_900))
    await session.run(1)
    session.cancel('first')
    await session.run(1)
    expect([session.statusOf('first'), session.statusOf('second')]).toEqual(['canceled', 'open'])
    expect(session.user.history.openCount).toBe(3)
  })

  it('that crosses a fill books the fill, and the order ends filled', async () => {
    const session = new ExecutionSession({ isQuoted: false })
    session.place('bid', bid(9_900))
    await session.run(1)
    session.journeyOf = firstOf(CANCEL, { thereMs: 500 })
    session.cancel('bid')
    await session.run(100)
    session.stranger().order('SELL', 'LIMIT', '1', '99')
    await session.run(1000)
    expect(session.lifeOf('bid')).toEqual([
      'submitted',
      'accepted',
      'buy 1.000 at 99.00, fee 0.001 BTC, maker',
    ])
    expect(session.statusOf('bid')).toBe('filled')
    expect(session.errors).toEqual([])
  })

  it('that crosses a part of a fill books the part before the order ends canceled', async () => {
    const session = new ExecutionSession({ isQuoted: false })
    session.place('bid', bid(9_900))
    await session.run(1)
    session.journeyOf = firstOf(CANCEL, { thereMs: 500 })
    session.cancel('bid')
    await session.run(100)
    session.stranger().order('SELL', 'LIMIT', '0.4', '99')
    await session.run(1000)
    expect(session.lifeOf('bid').slice(2)).toEqual(['buy 0.400 at 99.00, fee 0.0004 BTC, maker', 'canceled'])
  })

  it('whose answer is lost is seen to have worked', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid(9_900))
    await session.run(1)
    session.journeyOf = firstOf(CANCEL, ANSWER_LOST)
    session.cancel('bid')
    await session.run(5000)
    expect(session.lifeOf('bid')).toEqual(['submitted', 'accepted', 'canceled'])
    expect(session.errors).toEqual([expect.any(UnknownOutcomeError)])
    expect(session.calls.filter(call => call === CANCEL)).toHaveLength(1)
  })

  it('that never arrives is sent again at the next look', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid(9_900))
    await session.run(1)
    session.journeyOf = firstOf(CANCEL, REQUEST_LOST)
    session.cancel('bid')
    await session.run(3000)
    expect(session.statusOf('bid')).toBe('open')
    await session.look()
    expect(session.statusOf('bid')).toBe('canceled')
    expect(session.calls.filter(call => call === CANCEL)).toHaveLength(2)
  })

  it('waits for the placement that is still on its way', async () => {
    const session = new ExecutionSession()
    session.journeyOf = firstOf(PLACE, { backMs: 500 })
    session.place('bid', bid(9_900))
    session.cancel('bid')
    await session.run(499)
    expect(session.lifeOf('bid')).toEqual(['submitted'])
    await session.run(2)
    expect(session.lifeOf('bid')).toEqual(['submitted', 'accepted', 'canceled'])
  })

  it('of an order that is over sends nothing', async () => {
    const session = new ExecutionSession()
    session.place('buy')
    await session.run(1)
    session.cancel('buy')
    session.cancel('never heard of')
    await session.run(1)
    expect(session.calls).not.toContain(CANCEL)
    expect(session.statusOf('buy')).toBe('filled')
  })
})

describe('cancelAll', () => {
  it('leaves nothing open: neither at the exchange, nor on its way, nor in the trigger book', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid(9_900))
    session.place('stop', { side: 'sell', spec: { type: 'stop', stopPrice: ticks(9_900) } })
    await session.run(1)
    session.journeyOf = firstOf(PLACE, { backMs: 500 })
    session.place('late', bid(9_800))
    void session.executor.cancelAll()
    await session.run(1000)
    const statuses = ['bid', 'stop', 'late'].map(id => session.statusOf(id))
    expect(statuses).toEqual(['canceled', 'canceled', 'canceled'])
    expect(session.user.history.openCount).toBe(0)
    expect(session.executor.liveOrders).toBe(0)
  })
})
