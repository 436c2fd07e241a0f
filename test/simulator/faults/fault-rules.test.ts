import { describe, expect, it } from 'vitest'
import { simulatorConfigOf } from '../../../src/simulator/simulator-config.ts'
import { MINUTE } from '../exchange-caller.ts'
import { FaultCaller } from './fault-caller.ts'

const struckBy = (caller: FaultCaller, calls: number, target = '/sapi/v2/ping') =>
  Array.from({ length: calls }, () => (caller.get(target).status === 500 ? 1 : 0))

describe('which calls a fault strikes', () => {
  it.each([
    ['spotPing', 1],
    ['spotTime', 0],
    ['*', 1],
    ['GET /sapi/*', 1],
    ['POST /sapi/*', 0],
    ['/sapi/v2/ping', 1],
    ['/sapi/v2/pin', 0],
    ['/sapi/*/ping', 1],
  ])('follows from its endpoint %s', (endpoint, struck) => {
    expect(struckBy(new FaultCaller([{ fault: 'serverError', endpoint }]), 1)).toEqual([struck])
  })

  it('follows from the number of the call, counted on its endpoint alone', () => {
    const caller = new FaultCaller([{ fault: 'serverError', endpoint: 'spotPing', calls: [2, 4] }])
    struckBy(caller, 3, '/sapi/v2/time')
    expect(struckBy(caller, 5)).toEqual([0, 1, 0, 1, 0])
  })

  it('ends when it has struck often enough', () => {
    expect(struckBy(new FaultCaller([{ fault: 'serverError', most: 2 }]), 4)).toEqual([1, 1, 0, 0])
  })

  it('follows from the time of the exchange', () => {
    const caller = new FaultCaller([{ fault: 'serverError', from: '+30s', until: '2024-01-01T00:02:00Z' }])
    const struck = [0, 29_999, 1, 89_999, 1].map(ms => {
      caller.now += ms
      return struckBy(caller, 1)[0]
    })
    expect(struck).toEqual([0, 0, 1, 1, 0])
  })

  it('follows from its probability and the seed, whatever other faults there are', () => {
    const rule = { fault: 'serverError', endpoint: 'spotPing', probability: 0.3 } as const
    const first = struckBy(new FaultCaller([rule]), 1000)
    const again = struckBy(new FaultCaller([rule, { fault: 'delay', delayMs: 1, probability: 0.5 }]), 1000)
    const other = struckBy(new FaultCaller([rule], { seed: 2 }), 1000)
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    const share = first.reduce<number>((sum, struck) => sum + struck, 0) / 1000
    expect(share).toBeGreaterThan(0.25)
    expect(share).toBeLessThan(0.35)
  })

  it('is the sum of what several faults make of it', () => {
    const caller = new FaultCaller([
      { fault: 'delay', delayMs: 100 },
      { fault: 'delay', delayMs: 20 },
      { fault: 'numbersAsStrings' },
    ])
    const { body, delivery } = caller.get('/sapi/v2/time')
    expect(delivery).toEqual({ delayMs: 120 })
    expect(JSON.parse(body).serverTime).toBe(String(caller.now))
  })

  it('is written to the log of events', () => {
    const caller = new FaultCaller([{ fault: 'serverError', calls: [2] }])
    struckBy(caller, 2)
    caller.now += MINUTE
    expect(caller.exchange.eventsAfter(0, 10)).toMatchObject([
      { sequence: 1, type: 'request', method: 'GET', path: '/sapi/v2/ping', status: 200 },
      { sequence: 2, type: 'request', status: 500, faults: ['serverError'] },
    ])
  })
})

describe('a fault that cannot be', () => {
  it.each([
    [{ fault: 'delayed' }, 'faults.0.fault must be one of delay, lateArrival, dropBefore'],
    [{ fault: 'delay' }, 'faults.0.delayMs must be a whole number from 1 to 86400000.'],
    [
      { fault: 'dropAfter', probability: 0 },
      'faults.0.probability must be a probability above 0 and of at most 1.',
    ],
    [
      { fault: 'dropAfter', endpoint: 'spotNewOrdr' },
      'faults.0.endpoint must be a key of the endpoint table such as spotNewOrder, or a path such as "POST /sapi/*".',
    ],
    [
      { fault: 'dropAfter', from: '10 o’clock' },
      'faults.0.from must be a time such as 2026-01-31T12:00:00Z or epoch ms',
    ],
    [{ fault: 'dropAfter', from: '2026-01-31T12:00:00' }, 'faults.0.from must be a time such as'],
    [{ fault: 'dropAfter', propability: 1 }, 'The key "propability" is unknown. Did you mean "probability"?'],
  ])('is refused by name: %j', (rule, sentence) => {
    expect(() => simulatorConfigOf({ faults: [rule] })).toThrow(sentence)
  })
})
