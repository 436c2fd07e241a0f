import { expect, it } from 'vitest'
import { enterLong, exit } from '../../src/strategy/index.ts'
import { decisionsOf } from '../../src/web/history/decision-builder.ts'
import { EngineSession, scripted } from '../engine/engine-session.ts'

it('says of an entry that places no order that it took the place of a waiting exit', () => {
  const session = new EngineSession(
    scripted({ 0: enterLong({ size: { base: 5 } }), 1: exit(), 2: enterLong() }),
  )
  session.kline(100)
  session.fill(1, 100)
  session.kline(100)
  session.update(2, 'rejected')
  const before = session.outputs.length
  expect(session.kline(100)).toEqual([])
  const outputs = session.outputs.slice(before)
  const event = session.events.findLast(({ type }) => type === 'klineClosed')
  if (event === undefined) throw new Error('There was no kline.')
  const [decision] = decisionsOf({ event, outputs, explanations: [], time: 0 }, () => session.instrument)
  expect(decision).toMatchObject({
    ...{ strategy: 'scripted', outcome: 'signal', orders: [] },
    notes: [
      'BTC/USDT exit of 5 BTC is not sent again: scripted has returned an entry in the direction of the position, which stays open.',
    ],
  })
})
