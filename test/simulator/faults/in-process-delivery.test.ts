import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import { wasNotSent } from '../../../src/exchange/http/transport.ts'
import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { inProcessTransport } from '../../in-process-transport.ts'
import { flatMarket, replayOf, START } from '../exchange-caller.ts'

function carried(...faults: FaultRuleInput[]) {
  const clock = new VirtualClock(START)
  const exchange = createSimulatedExchange(replayOf(flatMarket(100), { faults }))
  const transport = inProcessTransport(exchange, clock)
  const request = {
    method: 'GET',
    url: 'http://exchange/sapi/v2/time',
    headers: {},
    body: '',
    timeoutMs: 5000,
  } as const
  const outcome = transport(request).then(
    ({ status, body, retryAfter }) => ({ status, body, retryAfter, at: clock.now() }),
    (error: Error) => ({ message: error.message, mayBeSent: !wasNotSent(error), at: clock.now() }),
  )
  return { clock, outcome }
}

describe('in virtual time', () => {
  it.each<[FaultRuleInput, object]>([
    [
      { fault: 'delay', delayMs: 4000 },
      { status: 200, body: expect.stringContaining(String(START)), at: START + 4000 },
    ],
    [
      { fault: 'lateArrival', delayMs: 4000 },
      { body: expect.stringContaining(String(START + 4000)), at: START + 4000 },
    ],
    [
      { fault: 'delay', delayMs: 6000 },
      { message: 'No answer came in time.', mayBeSent: true, at: START + 5000 },
    ],
    [{ fault: 'dropBefore' }, { message: 'The connection was reset.', mayBeSent: true, at: START }],
    [{ fault: 'cutAnswer' }, { message: 'The connection was reset.', mayBeSent: true, at: START }],
    [
      { fault: 'tooManyRequests', retryAfterS: 3 },
      { status: 429, retryAfter: '3', at: START },
    ],
  ])('%j ends as it would over HTTP', async (fault, expected) => {
    const { clock, outcome } = carried(fault)
    await clock.advanceTo(START + 10_000)
    expect(await outcome).toMatchObject(expected)
  })
})
