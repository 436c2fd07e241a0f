import { describe, expect, it } from 'vitest'
import { steps } from '../../../src/domain/numbers/grid.ts'
import { flatMarket } from '../../simulator/exchange-caller.ts'
import { FuturesSession } from '../futures-session.ts'

/** A session in which the exchange has refused to close what is not there. */
async function inDoubt(): Promise<FuturesSession> {
  const session = new FuturesSession({ klines: flatMarket(100) })
  session.keepLooking()
  session.place('exit', { side: 'sell', purpose: 'exit', reduceOnly: true })
  await session.run(3000)
  return session
}

const sentBy = ({ departures }: FuturesSession) => departures.map(({ clientOrderId }) => clientOrderId)

describe('an executor whose position is in doubt', () => {
  it('sends nothing of the contract until books and exchange agree, then all that waited', async () => {
    const session = await inDoubt()
    expect(session.statusOf('exit')).toBe('rejected')
    session.place('entry')
    session.place('other', { quantity: steps(2) })
    await session.run(3000)
    expect(sentBy(session)).toEqual(['exit'])
    session.executor.releasePositions()
    await session.run(3000)
    expect(sentBy(session)).toEqual(['exit', 'entry', 'other'])
    expect(session.heldThere).toBe(12)
  })

  it('lets one of two orders that close the same leave, and the other once that is over', async () => {
    const session = new FuturesSession({ klines: flatMarket(100) })
    session.keepLooking()
    session.place('entry')
    await session.run(3000)
    session.executor.holdPosition('BTC/USDT')
    session.place('flatten', { side: 'sell', purpose: 'operator', reduceOnly: true })
    session.place('stop', { side: 'sell', purpose: 'stopLoss', reduceOnly: true, protects: 'entry' })
    await session.run(1000)
    expect(sentBy(session)).toEqual(['entry'])
    session.executor.releasePositions()
    expect(sentBy(session)).toEqual(['entry', 'flatten'])
    await session.run(3000)
    expect(session.statusOf('flatten')).toBe('filled')
  })

  it('takes back what waits, without a word to the exchange', async () => {
    const session = await inDoubt()
    session.place('entry')
    session.cancel('entry')
    session.executor.releasePositions()
    await session.run(3000)
    expect(session.statusOf('entry')).toBe('canceled')
    expect(sentBy(session)).toEqual(['exit'])
  })

  it('sends no entry that was held back meanwhile, but every exit', async () => {
    const session = await inDoubt()
    session.place('entry')
    session.place('out', { side: 'sell', purpose: 'exit', reduceOnly: true })
    session.executor.withdraw(({ symbol }) => symbol === 'ETH/USDT')
    expect(session.statusOf('entry')).toBe('submitted')
    session.executor.withdraw(({ symbol }) => symbol === 'BTC/USDT')
    session.executor.releasePositions()
    await session.run(3000)
    expect(session.statusOf('entry')).toBe('canceled')
    expect(sentBy(session)).toEqual(['exit', 'out'])
  })

  it('counts what waits as live, so that nobody leaves before it is over', async () => {
    const session = await inDoubt()
    session.place('entry')
    expect(session.executor.liveOrders).toBe(1)
  })
})
