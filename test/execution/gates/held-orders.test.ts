import { describe, expect, it } from 'vitest'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { requestOf } from '../../ledger/order-parts.ts'
import { ExecutionSession } from '../execution-session.ts'

const bid = { side: 'buy', spec: { type: 'limit', price: ticks(9_900) } } as const
const stop = { side: 'sell', spec: { type: 'stop', stopPrice: ticks(9_900) }, reduceOnly: true } as const
const at = (price: number) => ({ bid: price, ask: price, last: price })

/** A session whose executor sends nothing yet. */
function held(): ExecutionSession {
  const session = new ExecutionSession()
  session.executor.hold()
  return session
}

describe('an executor that is held', () => {
  it('sends what it was given once it is released, in that order, and everything at once from then on', async () => {
    const session = held()
    session.place('first', bid)
    session.executor.hold()
    session.place('second', bid)
    await session.run(1)
    expect([session.events, session.sentIds]).toEqual([[], []])
    session.executor.release()
    session.place('third', bid)
    await session.run(1)
    expect(session.sentIds).toEqual(['first', 'second', 'third'])
    expect(session.lifeOf('first')).toEqual(['submitted', 'accepted'])
    session.executor.release()
    await session.run(1)
    expect(session.sentIds).toHaveLength(3)
  })

  it('lets orders wait for their price, but sends none whose price comes', async () => {
    const session = held()
    session.place('stop', stop)
    expect(session.lifeOf('stop')).toEqual(['submitted', 'accepted'])
    session.executor.observe('BTC/USDT', at(98))
    await session.run(1)
    expect(session.sentIds).toEqual([])
    session.executor.release()
    session.executor.observe('BTC/USDT', at(98))
    await session.run(1)
    expect(session.statusOf('stop')).toBe('filled')
  })

  it('takes back what waits, without a word to the exchange', async () => {
    const session = held()
    session.place('bid', bid)
    session.cancel('bid')
    session.executor.release()
    await session.run(1)
    expect([session.lifeOf('bid'), session.calls]).toEqual([['canceled'], []])
  })

  it('takes back the entries that are meant, and no exits', async () => {
    const session = held()
    session.place('entry', bid)
    session.place('other', { ...bid, quantity: steps(500) })
    session.place('exit', { side: 'sell', reduceOnly: true, purpose: 'exit' })
    session.executor.withdraw(({ clientOrderId }) => clientOrderId !== 'other')
    session.executor.release()
    await session.run(1)
    expect([session.lifeOf('entry'), session.sentIds]).toEqual([['canceled'], ['other', 'exit']])
  })
})

describe('an exit that waits to leave', () => {
  it('leaves with the quantity that it was given meanwhile', async () => {
    const session = new ExecutionSession()
    session.executor.holdPosition('BTC/USDT')
    session.place('exit', { side: 'sell', reduceOnly: true, purpose: 'exit', quantity: steps(1000) })
    session.ledger.orders.resize('exit', steps(400))
    session.executor.execute({
      ...{ type: 'resizeOrder', clientOrderId: 'exit', symbol: 'BTC/USDT', quantity: steps(400) },
    })
    await session.run(1)
    expect([session.executor.waitsForComparison, session.executor.liveOrders]).toEqual([true, 1])
    session.executor.releasePositions()
    await session.run(1)
    expect(session.ledger.orders.get('exit')).toMatchObject({ status: 'filled', filledQuantity: 400 })
    expect(session.executor.waitsForComparison).toBe(false)
  })
})

it('an order of a symbol that is not traded is not sent', async () => {
  const session = new ExecutionSession()
  const request = requestOf({ symbol: 'XRP/USDT' })
  await expect(session.executor.tracker.send(request)).rejects.toThrow(
    'No instrument has the symbol XRP/USDT.',
  )
  expect(session.calls).toEqual([])
})

it('an order of a symbol that is not traded cannot wait for its price', () => {
  const session = new ExecutionSession()
  expect(() => session.place('stop', { ...stop, symbol: 'XRP/USDT' })).toThrow(
    'No instrument has the symbol XRP/USDT.',
  )
})

describe('an order that the exchange has confirmed and shows in no query any more', () => {
  const NOWHERE = { answer: { status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' } }
  const EMPTY = { answer: { status: 200, body: '[]' } }

  it.each([
    [0, 'expired', 'The exchange confirmed it, and has it in no query any more.'],
    [0.4, 'expired', 'The exchange confirmed it, and has it in no query any more.'],
    [1, 'filled', undefined],
  ])('is over three seconds later, with the %d BTC that its trades tell', async (traded, status, reason) => {
    const session = new ExecutionSession({ isQuoted: false })
    session.place('bid', bid)
    await session.run(1)
    if (traded > 0) session.stranger().order('SELL', 'LIMIT', `${traded}`, '99')
    session.journeyOf = call =>
      call === 'GET /sapi/v2/order' ? NOWHERE : /openOrders|historyOrders/.test(call) ? EMPTY : undefined
    await session.look()
    await session.look(3000)
    expect(session.statusOf('bid')).toBe('open')
    await session.look()
    await session.look()
    expect(session.ledger.orders.get('bid')).toMatchObject({ status, filledQuantity: traded * 1000 })
    expect(session.ledger.orders.get('bid')?.reason).toBe(reason)
    expect(session.executor.liveOrders).toBe(0)
  })
})

it('an exit whose position is closed already is never sent, and says so', async () => {
  const session = new ExecutionSession({ heldFor: () => 999 })
  session.place('exit', { side: 'sell', reduceOnly: true, purpose: 'exit' })
  await session.run(1)
  expect([session.lifeOf('exit'), session.calls]).toEqual([['submitted', 'canceled'], []])
  expect(session.ledger.orders.get('exit')?.reason).toBe('Its position is closed already.')
})

describe('the commands of one decision', () => {
  it('are all carried out before anything leaves, so that what is taken back again never does', async () => {
    const session = new ExecutionSession()
    session.executor.together(() => {
      session.place('first', bid)
      session.place('second', bid)
      expect(session.sentIds).toEqual([])
      session.cancel('first')
    })
    await session.run(1)
    expect([session.lifeOf('first'), session.sentIds]).toEqual([['submitted', 'canceled'], ['second']])
    session.place('third', bid)
    await session.run(1)
    expect(session.sentIds).toEqual(['second', 'third'])
  })

  it('leave although one of them cannot be carried out', async () => {
    const session = new ExecutionSession()
    expect(() =>
      session.executor.together(() => {
        throw new RangeError('A fault.')
      }),
    ).toThrow('A fault.')
    session.place('bid', bid)
    await session.run(1)
    expect(session.sentIds).toEqual(['bid'])
  })
})

describe('an entry beside an exit of its side', () => {
  const entry = { side: 'sell', quantity: steps(300) } as const
  const exit = { side: 'sell', reduceOnly: true, purpose: 'exit' } as const

  it('waits for one at market, until that is over', async () => {
    const session = new ExecutionSession()
    session.journeyOf = () => ({ backMs: 500 })
    session.place('exit', exit)
    session.place('entry', entry)
    await session.run(400)
    expect(session.sentIds).toEqual(['exit'])
    await session.run(3000)
    expect(session.sentIds).toEqual(['exit', 'entry'])
  })

  it('does not wait for one that rests at its limit', async () => {
    const session = new ExecutionSession()
    session.place('limit', { ...exit, spec: { type: 'limit', price: ticks(11_000) } })
    const spec = { type: 'stopLimit', stopPrice: ticks(9_900), price: ticks(12_000) } as const
    session.place('stop-limit', { ...exit, spec })
    session.executor.observe('BTC/USDT', at(98))
    await session.run(1)
    session.place('entry', entry)
    await session.run(1)
    expect(session.sentIds).toEqual(['limit', 'stop-limit', 'entry'])
  })
})
