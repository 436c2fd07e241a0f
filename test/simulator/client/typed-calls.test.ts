import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExchangeCalls } from '../../../src/exchange/exchange-client.ts'
import { ACCOUNT_CALLS } from './account-calls.ts'
import { type ClientWorld, httpWorld, plain, scriptedWorld, simulatedWorld } from './client-world.ts'
import { FEEDS_CALLS } from './feeds-calls.ts'
import { FUTURES_CALLS } from './futures-calls.ts'
import { MARGIN_CALLS } from './margin-calls.ts'
import { SPOT_CALLS } from './spot-calls.ts'
import type { TypedCall } from './typed-call.ts'

const CALLS = [...SPOT_CALLS, ...MARGIN_CALLS, ...ACCOUNT_CALLS, ...FUTURES_CALLS, ...FEEDS_CALLS]

const inOrder = ({ answers }: TypedCall) => {
  const left = [...answers]
  return () => left.shift() ?? '{}'
}

const WORLDS = {
  'whose answers are scripted': async (call: TypedCall) => scriptedWorld(inOrder(call)),
  'simulated in process': async ({ before }: TypedCall) => {
    const world = simulatedWorld()
    await before?.(world.client)
    return world
  },
  'simulated behind HTTP': async ({ before }: TypedCall) => {
    const world = await httpWorld()
    await before?.(world.client)
    return world
  },
} as const satisfies Record<string, (call: TypedCall) => Promise<ClientWorld>>

describe.each(Object.entries(WORLDS))('on an exchange %s', (_where, open) => {
  it.each(CALLS.map(call => [call.name, call] as const))(
    '%s comes to what is documented',
    async (_name, call) => {
      const { client, close } = await open(call)
      try {
        const value = plain(await call.call(client))
        if (call.becomes === undefined) expect(value).toBeUndefined()
        else expect({ value }).toMatchObject({ value: call.becomes })
      } finally {
        await close()
      }
    },
  )
})

describe('the calls', () => {
  let world: ClientWorld
  beforeAll(() => {
    world = simulatedWorld()
  })
  afterAll(() => world.close())

  it('are all there but the ranges', () => {
    const groups = [
      'spot',
      'margin',
      'account',
      'futures',
      'feeds',
    ] as const satisfies (keyof ExchangeCalls)[]
    const names = groups.flatMap(group => Object.keys(world.client[group]).map(name => `${group}.${name}`))
    const single = names.filter(name => !/\.all[A-Z](?!lOrders)/.test(name))
    expect([...new Set(CALLS.map(({ name }) => name))].toSorted()).toEqual(single.toSorted())
  })
})
