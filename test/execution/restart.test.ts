import { describe, expect, it } from 'vitest'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import { Executor } from '../../src/execution/executor.ts'
import { SentRequests } from '../../src/execution/sent-requests.ts'
import { ANSWER_LOST, REQUEST_LOST } from '../faulty-transport.ts'
import { ExecutionSession, firstOf, MARGIN_MS, RECV_WINDOW_MS, TIMEOUT_MS } from './execution-session.ts'

const PLACE = 'POST /sapi/v2/order'
const bid = { side: 'buy', spec: { type: 'limit', price: ticks(9_900) } } as const
const stop = { side: 'sell', spec: { type: 'stop', stopPrice: ticks(9_900) }, reduceOnly: true } as const
const trailing = {
  side: 'sell',
  reduceOnly: true,
  spec: { type: 'trailingStop', distance: ticks(500), anchor: ticks(10_000) },
} as const
const at = (price: number) => ({ bid: price, ask: price, last: price })

/** What is on its way: all that left, and what the engine wants gone. */
function sentRequestsOf(
  session: ExecutionSession,
  unwanted: Parameters<SentRequests['observe']>[0] = [],
): SentRequests {
  const sentRequests = new SentRequests()
  for (const departure of session.departures) sentRequests.add(departure)
  sentRequests.observe(unwanted)
  return sentRequests
}

/** Another executor takes the place of a session's, which is told nothing any more. */
function restarted(
  session: ExecutionSession,
  { sentRequests = sentRequestsOf(session), klines = [] as readonly Kline[] } = {},
): Executor {
  const { trading, clock, instrument } = session
  const events = session.events.length
  const executor = new Executor({
    trading,
    serverNow: () => clock.now(),
    instruments: new Map([[instrument.symbol, instrument]]),
    heldFor: () => Number.MAX_SAFE_INTEGER,
    isHeldByExit: () => false,
    maxSlippageRate: 0.01,
    settlementMarginMs: MARGIN_MS,
    onDeparture: sentRequest => void session.departures.push(sentRequest),
    emit: event => session.book(event),
    onError: error => session.errors.push(error),
  })
  executor.resume(session.ledger, sentRequests, () => klines)
  session.events.splice(0, events)
  return executor
}

/** A look of the new executor, and a second for it. */
async function look(session: ExecutionSession, executor: Executor): Promise<void> {
  void executor.reconcile()
  await session.run(1000)
}

const reasonOf = (session: ExecutionSession, id: string) => session.ledger.orders.get(id)?.reason

describe('an executor after a restart', () => {
  it('follows an order at the exchange, books its fills once, and sends nothing twice', async () => {
    const session = new ExecutionSession({ isQuoted: false })
    session.place('bid', bid)
    await session.run(1)
    session.stranger().order('SELL', 'LIMIT', '0.3', '99')
    await session.look()
    session.stranger().order('SELL', 'LIMIT', '0.2', '99')
    const executor = restarted(session)
    expect([session.events, executor.liveOrders]).toEqual([[], 1])
    await look(session, executor)
    expect(session.lifeOf('bid')).toEqual(['buy 0.200 at 99.00, fee 0.0002 BTC, maker'])
    session.stranger().order('SELL', 'LIMIT', '0.5', '99')
    await look(session, executor)
    expect([session.statusOf('bid'), executor.liveOrders]).toEqual(['filled', 0])
    expect(session.timesSent('bid')).toBe(1)
  })

  it('gives an order that the exchange had confirmed three seconds to be seen again, however old it is', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid)
    await session.run(60_000)
    session.journeyOf = call => {
      if (call === 'GET /sapi/v2/order')
        return { answer: { status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' } }
      return /openOrders|historyOrders/.test(call) ? { answer: { status: 200, body: '[]' } } : undefined
    }
    const executor = restarted(session)
    await look(session, executor)
    expect(session.statusOf('bid')).toBe('open')
    session.journeyOf = () => undefined
    await session.run(MARGIN_MS)
    await look(session, executor)
    expect([session.statusOf('bid'), session.events]).toEqual(['open', []])
  })

  it('takes back no entry that had left, where entries are withdrawn', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid)
    await session.run(1)
    const executor = restarted(session)
    executor.withdraw(() => true)
    await look(session, executor)
    expect([session.statusOf('bid'), session.events]).toEqual(['open', []])
  })

  it('cancels what the engine wanted gone, and says why', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid)
    await session.run(1)
    const cancel = { type: 'cancelOrder', clientOrderId: 'bid', symbol: 'BTC/USDT' } as const
    const sentRequests = sentRequestsOf(session, [{ ...cancel, cause: 'groupFilled' }])
    await look(session, restarted(session, { sentRequests }))
    expect(session.atExchange('bid')?.status).toBe('CANCELED')
    expect(session.lifeOf('bid')).toEqual(['canceled'])
    expect(reasonOf(session, 'bid')).toBe('Another order of its group filled.')
  })

  it('finds an order whose answer nobody was there for', async () => {
    const session = new ExecutionSession()
    session.journeyOf = firstOf(PLACE, ANSWER_LOST)
    session.place('bid', bid)
    await session.run(1)
    const executor = restarted(session)
    expect(session.ledger.orders.get('bid')).toMatchObject({
      status: 'unknown',
      reason: 'The bot ended before the exchange answered.',
    })
    await look(session, executor)
    expect(session.statusOf('bid')).toBe('open')
    expect(session.timesSent('bid')).toBe(1)
  })

  it('gives up an order that got lost once the exchange cannot take it any more', async () => {
    const session = new ExecutionSession()
    session.journeyOf = firstOf(PLACE, REQUEST_LOST)
    session.place('bid', bid)
    await session.run(TIMEOUT_MS)
    const executor = restarted(session)
    await session.run(RECV_WINDOW_MS + MARGIN_MS - TIMEOUT_MS)
    await look(session, executor)
    expect([session.events, session.statusOf('bid')]).toEqual([[], 'unknown'])
    await look(session, executor)
    expect(session.lifeOf('bid')).toEqual(['notPlaced'])
    expect(reasonOf(session, 'bid')).toBe('The exchange cannot accept it any more, and it is in no query.')
    expect(executor.liveOrders).toBe(0)
  })

  it('ends what never left: as not placed, or as taken back where somebody wanted it gone', async () => {
    const session = new ExecutionSession()
    session.place('bid', bid)
    session.place('old', bid)
    session.place('stop', stop)
    const gone = ['old', 'stop'].map(clientOrderId => ({
      ...({ type: 'cancelOrder', symbol: 'BTC/USDT', cause: 'expired' } as const),
      clientOrderId,
    }))
    const sentRequests = new SentRequests()
    sentRequests.observe(gone)
    const executor = restarted(session, { sentRequests })
    expect(['bid', 'old', 'stop'].map(id => session.lifeOf(id))).toEqual([
      ['notPlaced'],
      ['expired'],
      ['expired'],
    ])
    expect(reasonOf(session, 'old')).toBe('Its time to live is over.')
    expect(executor.liveOrders).toBe(0)
  })

  it('lets orders that wait for their price wait again, and sends them once it has come', async () => {
    const session = new ExecutionSession()
    session.place('stop', stop)
    const executor = restarted(session)
    expect(session.events).toEqual([])
    executor.observe('BTC/USDT', at(99.01))
    await session.run(1)
    expect(session.timesSent('stop')).toBe(0)
    executor.observe('BTC/USDT', at(99))
    await session.run(1)
    expect(session.statusOf('stop')).toBe('filled')
  })

  it('tells of one that waits here what the engine has not heard yet', () => {
    const session = new ExecutionSession()
    // As the engine left it: in the ledger, and not yet carried out.
    const waiting = new ExecutionSession()
    const request = waiting.place('stop', stop)
    session.ledger.orders.add(request)
    restarted(session)
    expect(session.lifeOf('stop')).toEqual(['submitted', 'accepted'])
    expect(session.statusOf('stop')).toBe('open')
  })

  it('lets a trailing stop follow the klines after its decision, and what it had seen before', () => {
    const kline = (openTime: number, high: number) => ({ openTime, high, low: 90 }) as Kline // as far as it is read
    const session = new ExecutionSession()
    session.place('trailing', { ...trailing, decidedAt: 60_000 })
    expect(restarted(session).stopPriceOf('trailing')).toBe(9500)
    const klines = [kline(0, 120), kline(60_000, 107)]
    expect(restarted(session, { klines }).stopPriceOf('trailing')).toBe(10_200)
    session.ledger.orders.trail('trailing', ticks(11_000))
    expect(restarted(session, { klines }).stopPriceOf('trailing')).toBe(10_500)
  })

  it('says of an order whose parts had all left and never arrived that it was never placed', async () => {
    const session = new ExecutionSession({ maxVolume: '0.4' })
    session.journeyOf = call => (call === PLACE ? REQUEST_LOST : undefined)
    session.place('big', { quantity: steps(1000) })
    await session.run(TIMEOUT_MS)
    const executor = restarted(session)
    await session.run(RECV_WINDOW_MS + MARGIN_MS)
    await look(session, executor)
    expect(session.lifeOf('big')).toEqual(['notPlaced'])
    expect(reasonOf(session, 'big')).toBe('The exchange cannot accept it any more, and it is in no query.')
  })

  it('looks for each part of an order that had left, and ends the order short of those that had not', async () => {
    const session = new ExecutionSession({ maxVolume: '0.4' })
    session.place('big', { quantity: steps(1000) })
    await session.run(1)
    // 334 + 333 of 1000 had left when the bot ended.
    const sentRequests = new SentRequests()
    for (const departure of session.departures.slice(0, 2)) sentRequests.add(departure)
    const told = session.events.flatMap(event => (event.type === 'filled' ? [event.fill.quantity] : []))
    expect(told).toEqual([334, 333, 333])
    const fresh = new ExecutionSession({ maxVolume: '0.4' })
    fresh.journeyOf = call => (call === PLACE ? ANSWER_LOST : undefined)
    fresh.place('big', { quantity: steps(1000) })
    await fresh.run(1)
    const executor = restarted(fresh, { sentRequests })
    expect(fresh.lifeOf('big')).toEqual(['outcomeLost'])
    await look(fresh, executor)
    expect(fresh.ledger.orders.get('big')).toMatchObject({
      status: 'expired',
      filledQuantity: 667,
      reason: 'The bot ended before all of its parts had left.',
    })
    expect(executor.liveOrders).toBe(0)
  })
})
