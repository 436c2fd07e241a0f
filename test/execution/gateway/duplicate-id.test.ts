import { describe, expect, it } from 'vitest'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { DuplicateIdError } from '../../../src/execution/gateway/duplicate-id-error.ts'
import { ANSWER_LOST, REQUEST_LOST } from '../../faulty-transport.ts'
import { ExchangeCaller, MINUTE } from '../../simulator/exchange-caller.ts'
import { ExecutionSession } from '../execution-session.ts'

const PLACE = 'POST /sapi/v2/order'
const BID = { side: 'buy', spec: { type: 'limit', price: ticks(9_900) }, quantity: steps(500) } as const

/** Somebody with the same account sends an order under the id of ours, and `laterMs` later ours is lost. */
async function lostBeside(order: readonly ['BUY' | 'SELL', string, string, string], laterMs: number) {
  const session = new ExecutionSession()
  const caller = new ExchangeCaller(session.exchange)
  caller.now = session.clock.now()
  caller.order(...order, { newClientOrderId: 'bid' })
  await session.run(laterMs)
  session.journeyOf = call => (call === PLACE ? REQUEST_LOST : undefined)
  session.place('bid', BID)
  session.keepLooking()
  await session.run(30_000)
  return session
}

describe('an order of another under the id of one that is lost', () => {
  it.each([
    ['side', ['SELL', 'LIMIT', '0.5', '101'], 0, 'it is a sell'],
    ['quantity', ['BUY', 'LIMIT', '0.4', '99'], 0, 'its quantity is 0.4'],
    ['price', ['BUY', 'LIMIT', '0.5', '98'], 0, 'its price is 98'],
    ['time', ['BUY', 'LIMIT', '0.5', '99'], MINUTE + 1, 'it is from 2024-01-01T00:00:00.000Z'],
  ] as const)(
    'is told by its %s, said once, and not taken for ours',
    async (_what, order, laterMs, difference) => {
      const session = await lostBeside(order, laterMs)
      expect(session.lifeOf('bid')).toEqual(['submitted', 'outcomeLost', 'notPlaced'])
      const said = session.errors.filter(error => error instanceof DuplicateIdError)
      expect(said).toEqual([
        expect.objectContaining({ symbol: 'BTC/USDT', code: 'DUPLICATE_ID', reaction: 'skip' }),
      ])
      expect(said[0]?.message).toContain(`but it is not the order that left: ${difference}.`)
    },
  )

  it('is ours where all of that agrees', async () => {
    const session = new ExecutionSession()
    session.journeyOf = call => (call === PLACE ? ANSWER_LOST : undefined)
    session.place('bid', BID)
    session.keepLooking()
    await session.run(10_000)
    expect(session.lifeOf('bid')).toEqual(['submitted', 'outcomeLost', 'accepted'])
    expect(session.errors.filter(error => error instanceof DuplicateIdError)).toEqual([])
  })
})
