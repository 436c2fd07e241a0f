import { describe, expect, it } from 'vitest'
import { amountOf, ZERO } from '../../../src/domain/numbers/amount.ts'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import { ANSWER_LOST, type Journey, REQUEST_LOST } from '../../faulty-transport.ts'
import { ExchangeCaller, START } from '../../simulator/exchange-caller.ts'
import { ExecutionSession, firstOf, MARGIN_MS, RECV_WINDOW_MS, TIMEOUT_MS } from '../execution-session.ts'

const PLACE = 'POST /sapi/v2/order'
const QUERY = 'GET /sapi/v2/order'
const bid = { side: 'buy', spec: { type: 'limit', price: ticks(9_900) } } as const

/** Sent at 0: until this ms after the start an absent order may still turn up. */
const DEADLINE = RECV_WINDOW_MS + MARGIN_MS

/** Unreadable answers to a placement that was carried out all the same. */
const ODD_ANSWERS: readonly (readonly [string, Journey])[] = [
  ['no answer within the time', ANSWER_LOST],
  ['HTTP 504', { answer: { status: 504, body: '' } }],
  ['HTTP 200 with something that is no JSON', { answer: { status: 200, body: '<html>' } }],
  ['-1006', { answer: { status: 400, body: '{"code":-1006,"msg":"Unexpected response."}' } }],
  ['-1007', { answer: { status: 400, body: '{"code":-1007,"msg":"Timeout."}' } }],
]

describe('a placement whose answer is lost', () => {
  it.each(ODD_ANSWERS)('is unknown, never resent, then found and adopted: %s', async (_name, journey) => {
    const session = new ExecutionSession()
    session.journeyOf = call => (call === PLACE ? journey : { backMs: 100 })
    session.place('buy')
    session.keepLooking()
    await session.run(TIMEOUT_MS + 50)
    expect(session.lifeOf('buy').slice(0, 2)).toEqual(['submitted', 'outcomeLost'])
    await session.run(60_000)
    expect(session.lifeOf('buy')).toEqual([
      'submitted',
      'outcomeLost',
      'accepted',
      'buy 1.000 at 100.01, fee 0.001 BTC, taker',
    ])
    expect(session.ledger.orders.get('buy')?.exchangeOrderId).toBe(session.atExchange('buy')?.id.toString())
    expect(session.timesSent('buy')).toBe(1)
    expect(session.executor.liveOrders).toBe(0)
  })

  it('keeps its money reserved until it is found; a cancel in between waits for that', async () => {
    const session = new ExecutionSession()
    session.journeyOf = call => (call === PLACE ? ANSWER_LOST : { refused: true })
    session.place('bid', bid)
    session.keepLooking()
    await session.run(TIMEOUT_MS + 1)
    session.cancel('bid')
    await session.run(10 * DEADLINE)
    expect(session.statusOf('bid')).toBe('unknown')
    expect(session.ledger.reserved('USDT')).toBe(amountOf('99'))
    session.journeyOf = () => undefined
    await session.run(10_000)
    expect(session.lifeOf('bid')).toEqual(['submitted', 'outcomeLost', 'accepted', 'canceled'])
    expect(session.atExchange('bid')?.status).toBe('CANCELED')
  })

  it('is found among the open orders where the query does not know it', async () => {
    const session = new ExecutionSession()
    const unknown: Journey = { answer: { status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' } }
    session.journeyOf = call => (call === PLACE ? ANSWER_LOST : call === QUERY ? unknown : undefined)
    session.place('bid', bid)
    session.keepLooking()
    await session.run(10 * DEADLINE)
    expect(session.lifeOf('bid')).toEqual(['submitted', 'outcomeLost', 'accepted'])
    expect(session.statusOf('bid')).toBe('open')
  })
})

describe('a placement that neither the query nor the open orders know', () => {
  const unknown: Journey = { answer: { status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' } }
  const HISTORY = 'GET /sapi/v3/historyOrders'

  it('is found in the history, which is only asked once the exchange cannot take it any more', async () => {
    const session = new ExecutionSession()
    session.journeyOf = call => (call === PLACE ? ANSWER_LOST : call === QUERY ? unknown : undefined)
    session.place('buy')
    session.keepLooking()
    await session.run(DEADLINE)
    expect(session.statusOf('buy')).toBe('unknown')
    expect(session.calls).not.toContain(HISTORY)
    await session.run(2000)
    expect(session.lifeOf('buy')).toEqual([
      'submitted',
      'outcomeLost',
      'accepted',
      'buy 1.000 at 100.01, fee 0.001 BTC, taker',
    ])
    expect(session.calls).toContain(HISTORY)
    expect(session.executor.liveOrders).toBe(0)
  })

  it('rests as long as the open orders show it, whatever the query says', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid)
    await session.run(1)
    session.journeyOf = call => (call === QUERY ? unknown : undefined)
    session.keepLooking()
    await session.run(3 * DEADLINE)
    expect(session.statusOf('bid')).toBe('open')
    expect(session.calls).not.toContain(HISTORY)
  })
})

it('an order is known by the id of the exchange, once that has told it, and not by ours', async () => {
  const session = new ExecutionSession({ isQuoted: false })
  session.place('bid', bid)
  await session.run(1)
  // Another program with our account sends the same under the same id, and rests behind ours.
  const program = new ExchangeCaller(session.exchange)
  program.now = session.clock.now()
  program.order('BUY', 'LIMIT', '1', '99', { newClientOrderId: 'bid' })
  session.stranger().order('SELL', 'LIMIT', '1', '99')
  session.journeyOf = call =>
    call === QUERY
      ? { answer: { status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' } }
      : undefined
  session.keepLooking()
  await session.run(2 * MARGIN_MS)
  expect(session.lifeOf('bid')).toEqual(['submitted', 'accepted', 'buy 1.000 at 99.00, fee 0.001 BTC, maker'])
  expect([session.statusOf('bid'), session.executor.liveOrders]).toEqual(['filled', 0])
})

it.each([
  ['0', 'rejected', 'rejected'],
  ['0.4', 'expired', 'partly filled: it cannot have been rejected'],
])(
  'an order of which the exchange says that it is rejected, after %s BTC, is %s (%s)',
  async (traded, status) => {
    const session = new ExecutionSession({ isQuoted: false })
    session.place('bid', bid)
    await session.run(1)
    if (traded !== '0') session.stranger().order('SELL', 'LIMIT', traded, '99')
    const { exchangeOrderId: orderId } = session.ledger.orders.get('bid') ?? {}
    const told = { orderId, symbol: 'BTCUSDT', price: '99', origQty: '1', executedQty: traded, avgPrice: '0' }
    const body = JSON.stringify({
      ...told,
      type: 'LIMIT',
      side: 'BUY',
      status: 'REJECTED',
      transactTime: START,
    })
    session.journeyOf = call => (call === QUERY ? { answer: { status: 200, body } } : undefined)
    await session.look()
    expect(session.ledger.orders.get('bid')).toMatchObject({
      ...{ status, filledQuantity: Number(traded) * 1000, reason: 'The exchange says rejected.' },
    })
  },
)

describe('a placement that is lost on its way', () => {
  it('stays unknown, its money reserved, until it cannot be accepted any more; then it was never placed', async () => {
    const session = new ExecutionSession()
    session.journeyOf = firstOf(PLACE, REQUEST_LOST)
    session.place('bid', bid)
    session.keepLooking()
    await session.run(DEADLINE)
    expect(session.lifeOf('bid')).toEqual(['submitted', 'outcomeLost'])
    expect(session.ledger.reserved('USDT')).toBe(amountOf('99'))
    await session.run(2000)
    expect(session.lifeOf('bid')).toEqual(['submitted', 'outcomeLost', 'notPlaced'])
    expect(session.statusOf('bid')).toBe('expired')
    expect(session.ledger.reserved('USDT')).toBe(ZERO)
    expect(session.timesSent('bid')).toBe(1)
    expect(session.executor.liveOrders).toBe(0)
  })

  it('counts as never placed only on a look that began after the deadline', async () => {
    const session = new ExecutionSession()
    session.journeyOf = firstOf(PLACE, REQUEST_LOST)
    session.place('bid', bid)
    await session.run(TIMEOUT_MS)
    await session.run(DEADLINE - TIMEOUT_MS - 10)
    session.journeyOf = firstOf(QUERY, { backMs: 1000 })
    await session.look(1500)
    expect(session.statusOf('bid')).toBe('unknown')
    await session.look()
    expect(session.statusOf('bid')).toBe('expired')
  })

  it('is adopted where it arrives late but within its window', async () => {
    const session = new ExecutionSession()
    session.journeyOf = firstOf(PLACE, { thereMs: RECV_WINDOW_MS })
    session.place('buy')
    session.keepLooking()
    await session.run(RECV_WINDOW_MS - 1)
    expect(session.lifeOf('buy')).toEqual(['submitted', 'outcomeLost'])
    await session.run(DEADLINE)
    expect(session.lifeOf('buy').slice(2)).toEqual(['accepted', 'buy 1.000 at 100.01, fee 0.001 BTC, taker'])
  })

  it('is refused by the exchange where it arrives after its window', async () => {
    const session = new ExecutionSession()
    session.journeyOf = firstOf(PLACE, { thereMs: RECV_WINDOW_MS + 1 })
    session.place('buy')
    session.keepLooking()
    await session.run(2 * DEADLINE)
    expect(session.lifeOf('buy')).toEqual(['submitted', 'outcomeLost', 'notPlaced'])
    expect(session.atExchange('buy')).toBeUndefined()
  })

  it('stays unknown for as long as nobody can be asked', async () => {
    const session = new ExecutionSession()
    session.journeyOf = call => (call === PLACE ? REQUEST_LOST : { refused: true })
    session.place('bid', bid)
    session.keepLooking()
    await session.run(10 * DEADLINE)
    expect(session.statusOf('bid')).toBe('unknown')
    session.journeyOf = () => undefined
    await session.run(2000)
    expect(session.statusOf('bid')).toBe('expired')
  })

  it('can be canceled at once: nothing is sent for it, and it ends as never placed', async () => {
    const session = new ExecutionSession()
    session.journeyOf = firstOf(PLACE, REQUEST_LOST)
    session.place('bid', bid)
    await session.run(TIMEOUT_MS + 1)
    session.cancel('bid')
    session.keepLooking()
    await session.run(2 * DEADLINE)
    expect(session.lifeOf('bid')).toEqual(['submitted', 'outcomeLost', 'notPlaced'])
    expect(session.calls).not.toContain('POST /sapi/v2/cancel')
  })
})
