import { describe, expect, it } from 'vitest'
import type { SimulatorConfigInput } from '../../../src/simulator/simulator-config.ts'
import { rejectionOf } from '../../exchange/call/scripted-exchange.ts'
import {
  type ClientWorld,
  httpWorld,
  NOW,
  scriptedWorld,
  simulatedWorld,
  usualConfig,
} from './client-world.ts'

const order = { withdrawOrderId: 'w-1', asset: 'TUSDT', amount: '19.5', address: 'T1' } as const

type Ends = 'completed' | 'rejected' | 'failed' | 'revoked'

/** Numbers of the states in their order (interface section 3.3), a second apart. */
const COURSES: Readonly<Record<Ends, readonly (readonly [code: number, name: string])[]>> = {
  completed: [
    [0, 'unapproved'],
    [1, 'approved'],
    [3, 'payment'],
    [5, 'completed'],
  ],
  rejected: [
    [0, 'unapproved'],
    [2, 'approvalRejected'],
  ],
  failed: [
    [0, 'unapproved'],
    [1, 'approved'],
    [3, 'payment'],
    [4, 'paymentFailed'],
  ],
  revoked: [
    [0, 'unapproved'],
    [6, 'revoked'],
  ],
}

function configOf(ends: Ends): SimulatorConfigInput {
  return usualConfig({
    withdrawals: {
      ...{ approvalMs: 1000, paymentMs: 1000, completionMs: 1000 },
      ...(ends !== 'completed' && { exceptions: [{ ends, info: 'said so' }] }),
    },
  })
}

/** Answers an application, and then a query for every state. */
function scripted(ends: Ends): ClientWorld {
  return scriptedWorld(({ url }, clock) => {
    if (url.endsWith('apply')) return '{"code":"0","msg":"ok","data":{"id":700001}}'
    const [code] = COURSES[ends][Math.floor((clock.now() - NOW) / 1000)] ?? []
    const info = code === 2 || code === 4 || code === 6 ? 'said so' : ''
    const record = `{"symbol":"TUSDT","amount":19.5,"address":"T1","withdrawOrderId":"w-1","fee":0,"ctime":${NOW},"txId":"","id":700001,"applyTime":null,"status":${code},"info":"${info}"}`
    return `{"code":"0","msg":"ok","data":{"withdrawList":[${record}],"count":1}}`
  })
}

describe.each([
  ['scripted', scripted],
  ['simulated', (ends: Ends) => simulatedWorld(configOf(ends))],
  ['HTTP', (ends: Ends) => httpWorld(configOf(ends))],
] as const)('on an exchange (%s)', (_kind, open) => {
  it.each(Object.keys(COURSES) as Ends[])('a withdrawal that ends %s goes through its states', async ends => {
    const { client, clock, close } = await open(ends)
    expect(await client.account.withdraw(order)).toEqual({ id: '700001' })
    const states: string[] = []
    for (const _ of COURSES[ends]) {
      const { withdrawals } = await client.account.withdrawals({ withdrawOrderId: 'w-1' })
      const [record] = withdrawals
      states.push(record?.status ?? 'none')
      expect(record?.rejectionReason).toBe(
        ['approvalRejected', 'paymentFailed', 'revoked'].includes(states.at(-1) ?? '')
          ? 'said so'
          : undefined,
      )
      await clock.advanceTo(clock.now() + 1000)
    }
    expect(states).toEqual(COURSES[ends].map(([, name]) => name))
    await close()
  })
})

describe.each([
  ['scripted', () => scriptedWorld(() => '{}', { allowWithdrawals: false })],
  ['simulated', () => simulatedWorld(undefined, { allowWithdrawals: false })],
])('on an exchange (%s)', (_kind, open) => {
  it('a client that may not withdraw sends nothing', async () => {
    const { client, arrivals } = open()
    expect(await rejectionOf(client.account.withdraw(order))).toMatchObject({ code: 'USAGE' })
    expect(arrivals).toEqual([])
  })
})
