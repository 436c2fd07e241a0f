import { expect, it } from 'vitest'
import { spotTrading } from '../../../src/execution/gateway/spot-trading.ts'
import { type Journey, REQUEST_LOST } from '../../faulty-transport.ts'
import { ComparedSession } from './compared-session.ts'

const CANCEL = 'POST /sapi/v2/cancel'
const answer = (code: number): Journey => ({
  answer: { status: 400, body: JSON.stringify({ code, msg: 'Refused.' }) },
})

/** Somebody's open order, the cancel of which travels as told; says how a look ended that was to cancel it. */
async function canceledBy(journey: Journey | undefined) {
  const session = new ComparedSession()
  const reconciler = session.reconcilerWith({
    trading: spotTrading(session.spot),
    account: session.account,
    foreignOrders: 'cancel',
  })
  const order = { symbol: 'BTC/USDT', type: 'limit', side: 'buy', quantity: '1', price: '90' } as const
  void session.spot.placeOrder({ ...order, clientOrderId: 'by-hand' })
  await session.run(1)
  session.journeyOf = call => (call === CANCEL ? journey : undefined)
  const ended = await session.looksOf(reconciler, 1, 10_000)
  return { session, reconciler, ended }
}

it('a cancel of an order of somebody else that gets lost is sent again at the next look', async () => {
  const { session, reconciler, ended } = await canceledBy(REQUEST_LOST)
  expect([ended, session.user.history.openCount]).toEqual(['agreed', 1])
  session.journeyOf = () => undefined
  expect(await session.looksOf(reconciler, 1, 5000)).toBe('agreed')
  expect(session.user.history.openCount).toBe(0)
  expect(session.reports.map(({ type }) => type)).toEqual(['foreignOrder'])
  expect(session.departures).toMatchObject([
    { action: 'cancel', clientOrderId: 'by-hand', symbol: 'BTC/USDT' },
    { action: 'cancel', clientOrderId: 'by-hand', symbol: 'BTC/USDT' },
  ])
})

it.each([
  ['over', answer(-1145)],
  ['gone', answer(-2013)],
])('a cancel of an order of somebody else that turns out to be %s is no failure', async (_what, journey) => {
  const { session, ended } = await canceledBy(journey)
  expect([ended, session.departures.length]).toEqual(['agreed', 1])
})

it('a cancel of an order of somebody else that is refused for another reason ends the look', async () => {
  const { ended } = await canceledBy(answer(-1102))
  expect(ended).toContain('Refused.')
})
