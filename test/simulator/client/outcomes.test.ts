import { describe, expect, it } from 'vitest'
import type { HttpResponse } from '../../../src/exchange/http/transport.ts'
import { TransportError } from '../../../src/exchange/http/transport-error.ts'
import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import { rejectionOf } from '../../exchange/call/scripted-exchange.ts'
import {
  type ClientWorld,
  httpWorld,
  NOW,
  scriptedWorld,
  settled,
  simulatedWorld,
  usualConfig,
} from './client-world.ts'

const symbol = 'BTC/USDT'
const ORDER = {
  symbol,
  type: 'limit',
  side: 'buy',
  quantity: '1',
  price: '90',
  clientOrderId: 'mine',
} as const

/** What goes wrong with a call, on an exchange with faults and on one whose answers are scripted. */
interface Trouble {
  readonly what: string
  readonly fault: FaultRuleInput
  readonly answer: HttpResponse | Error
  /** What a write rejects with. */
  readonly code: string
  /** Whether the order stands after all; `undefined` where it was refused for good. */
  readonly isPlaced: boolean
}

const reset = new TransportError('The connection was reset.', true)
const json = (status: number, body: string): HttpResponse => ({ status, body })

const TROUBLES: readonly Trouble[] = [
  {
    ...{ what: 'a reset before it is processed', fault: { fault: 'dropBefore' }, answer: reset },
    ...{ code: 'UNKNOWN_OUTCOME', isPlaced: false },
  },
  {
    ...{ what: 'a reset after it was processed', fault: { fault: 'dropAfter' }, answer: reset },
    ...{ code: 'UNKNOWN_OUTCOME', isPlaced: true },
  },
  {
    ...{ what: 'an answer that is cut off', fault: { fault: 'cutAnswer', afterBytes: 5 }, answer: reset },
    ...{ code: 'UNKNOWN_OUTCOME', isPlaced: true },
  },
  {
    ...{ what: 'half of its JSON', fault: { fault: 'truncatedJson', afterBytes: 9 } },
    ...{ answer: json(200, '{"orderId'), code: 'UNKNOWN_OUTCOME', isPlaced: true },
  },
  {
    ...{ what: '504 after it was accepted', fault: { fault: 'gatewayTimeout' } },
    answer: json(504, '{"code":-1007,"msg":"Timeout waiting for response from backend server."}'),
    ...{ code: 'UNKNOWN_OUTCOME', isPlaced: true },
  },
  {
    ...{ what: '500', fault: { fault: 'serverError' } },
    answer: json(500, '{"code":-1000,"msg":"An unknown error occurred."}'),
    ...{ code: 'UNKNOWN_OUTCOME', isPlaced: false },
  },
]

const config = ({ fault }: Trouble, endpoint: string, most: number) =>
  usualConfig({ faults: [{ ...fault, endpoint, most }] })

/** Fails as often as told, and then answers. */
function scriptedTrouble({ answer }: Trouble, most: number, otherwise: string): ClientWorld {
  let left = most
  return scriptedWorld(() => {
    if (left-- <= 0) return otherwise
    if (answer instanceof Error) throw answer
    return answer
  })
}

const where = ['scripted', 'simulated', 'HTTP'] as const

async function open(
  kind: (typeof where)[number],
  trouble: Trouble,
  endpoint: string,
  most: number,
  then: string,
) {
  if (kind === 'scripted') return scriptedTrouble(trouble, most, then)
  return kind === 'HTTP'
    ? httpWorld(config(trouble, endpoint, most))
    : simulatedWorld(config(trouble, endpoint, most))
}

describe.each(where)('on an exchange (%s) in trouble', kind => {
  it.each(TROUBLES.map(trouble => [trouble.what, trouble] as const))(
    'a write that gets %s is not resent, and says what may have become of it',
    async (_what, trouble) => {
      const world = await open(kind, trouble, 'spotNewOrder', 1, '{}')
      const error = await rejectionOf(world.client.spot.placeOrder(ORDER))
      expect(error).toMatchObject({
        ...{ code: trouble.code, reaction: 'reconcile', endpoint: 'spotNewOrder' },
        ...{ timestamp: NOW, acceptableUntil: NOW + 1000 },
      })
      expect(world.arrivals).toEqual(['POST /sapi/v2/order'])
      if (world.exchange !== undefined) {
        const found = await world.client.spot.openOrders({ symbol })
        expect(found.map(({ clientOrderId }) => clientOrderId)).toEqual(trouble.isPlaced ? ['mine'] : [])
      }
      await world.close()
    },
  )

  it.each(
    TROUBLES.filter(({ what }) => what !== 'half of its JSON').map(
      trouble => [trouble.what, trouble] as const,
    ),
  )('a read that gets %s twice succeeds at the third try', async (_what, trouble) => {
    const world = await open(
      kind,
      trouble,
      'spotAccount',
      2,
      '{"balances":[{"asset":"USDT","free":"1","locked":"0"}]}',
    )
    const balances = world.client.account.balances()
    const read = kind === 'HTTP' ? await settledOverHttp(world, balances) : await settled(world, balances)
    expect(read.map(({ asset }) => asset)).toContain('USDT')
    expect(world.arrivals).toEqual(Array(3).fill('GET /sapi/v1/account'))
    await world.close()
  })

  it('a read that keeps failing gives up after three tries', async () => {
    const [trouble] = TROUBLES.filter(({ what }) => what === '500')
    if (trouble === undefined) throw new Error('unreachable')
    const world = await open(kind, trouble, 'spotAccount', 9, '{}')
    const balances = rejectionOf(world.client.account.balances())
    const error = kind === 'HTTP' ? await settledOverHttp(world, balances) : await settled(world, balances)
    expect(error).toMatchObject({
      code: expect.stringMatching(/EXCHANGE_REFUSED|NETWORK/),
      reaction: 'retry',
    })
    expect(world.arrivals).toHaveLength(3)
    await world.close()
  })
})

/** Lets virtual time pass only while nothing is under way on the sockets. */
async function settledOverHttp<Value>(world: ClientWorld, promise: Promise<Value>): Promise<Value> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  promise.then(over, over)
  while (!isOver) {
    const before = world.arrivals.length
    await new Promise(resolve => setTimeout(resolve, 20))
    if (!isOver && world.arrivals.length === before) await world.clock.advanceTo(world.clock.now() + 200)
  }
  return promise
}
