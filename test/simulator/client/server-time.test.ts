import { describe, expect, it } from 'vitest'
import type { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import type { HttpRequest } from '../../../src/exchange/http/transport.ts'
import { rejectionOf } from '../../exchange/call/scripted-exchange.ts'
import { type ClientWorld, scriptedWorld, simulatedWorld } from './client-world.ts'

const symbol = 'BTC/USDT'
const ORDER = { symbol, type: 'limit', side: 'buy', quantity: '1', price: '90' } as const

/** A client that has to measure the time of an exchange whose clock can be put forward or back, ms. */
interface Skewed {
  readonly world: ClientWorld
  readonly skew: (ms: number) => void
}

function scripted(): Skewed {
  let skewMs = 0
  const answer = ({ url, headers }: HttpRequest, clock: VirtualClock): string => {
    const serverTime = clock.now() + skewMs
    if (url.endsWith('/time')) return `{"serverTime":${serverTime},"timezone":"UTC"}`
    const timestamp = Number(headers['X-CH-TS'])
    // Interface section 5.6.
    const isTaken = timestamp < serverTime + 1000 && serverTime - timestamp <= 1000
    return isTaken ? '{"orderId":1,"balances":[]}' : '{"code":-1021,"msg":"outside of the recvWindow"}'
  }
  const world = scriptedWorld(answer, { measuresTime: true })
  return {
    world,
    skew: ms => {
      skewMs = ms
    },
  }
}

function simulated(): Skewed {
  const world = simulatedWorld(undefined, { measuresTime: true })
  return {
    world,
    skew: skewMs => {
      const time = world.clock.now()
      world.exchange?.stage({ type: 'liftFault', time })
      if (skewMs !== 0)
        world.exchange?.stage({ type: 'setFault', time, rule: { fault: 'clockSkew', skewMs } })
    },
  }
}

const measured = (world: ClientWorld) => world.arrivals.filter(name => name.endsWith('/time')).length
const ordered = (world: ClientWorld) => world.arrivals.filter(name => name.startsWith('POST')).length

describe.each([
  ['scripted', scripted],
  ['simulated', simulated],
])('an exchange (%s)', (_kind, open) => {
  it.each([90_000, -90_000, 1500, -1500])('whose clock is %i ms ahead takes signed calls', async skewMs => {
    const { world, skew } = open()
    skew(skewMs)
    await expect(world.client.spot.placeOrder(ORDER)).resolves.toMatchObject({ orderId: expect.any(String) })
    expect(world.client.serverNow()).toBe(world.clock.now() + skewMs)
    expect(measured(world)).toBe(5)
  })

  it('whose clock steps in between refuses a write, which is not repeated; the next one has the right time', async () => {
    const { world, skew } = open()
    await world.client.spot.placeOrder(ORDER)
    await world.clock.advanceTo(world.clock.now() + 5000)
    skew(-5000)
    expect(await rejectionOf(world.client.spot.placeOrder(ORDER))).toMatchObject({
      ...{ code: 'EXCHANGE_REFUSED', exchangeCode: -1021, reaction: 'retry' },
    })
    expect([ordered(world), measured(world)]).toEqual([2, 10])
    await expect(world.client.spot.placeOrder(ORDER)).resolves.toBeDefined()
  })

  it('whose clock steps in between answers a read, which is sent once more', async () => {
    const { world, skew } = open()
    await world.client.account.balances()
    await world.clock.advanceTo(world.clock.now() + 5000)
    skew(5000)
    await expect(world.client.account.balances()).resolves.toBeDefined()
    expect(world.arrivals.filter(name => name.endsWith('/account'))).toHaveLength(3)
  })
})
