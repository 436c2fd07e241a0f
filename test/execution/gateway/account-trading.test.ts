import { describe, expect, it, vi } from 'vitest'
import type { MarginClient } from '../../../src/exchange/client/margin-client.ts'
import type { SpotClient } from '../../../src/exchange/client/spot-client.ts'
import { ExchangeError } from '../../../src/exchange/errors/exchange-error.ts'
import { MarginTrading } from '../../../src/execution/gateway/margin-trading.ts'
import { spotTrading } from '../../../src/execution/gateway/spot-trading.ts'
import type { Placement } from '../../../src/execution/gateway/trading-calls.ts'

const SYMBOL = 'BTC/USDT'
const order = (fields: object) =>
  ({ symbol: SYMBOL, side: 'buy', quantity: '1', price: '99', reduceOnly: false, ...fields }) as Placement
const notFound = new ExchangeError({
  ...{ endpoint: 'marginOrder', httpStatus: 400, exchangeCode: -2013, reason: 'Order does not exist.' },
})

/** A margin client that answers with what it is given. */
const clientOf = (calls: object) => calls as unknown as MarginClient // as far as it is called

async function listOf<Listed>(listed: AsyncIterable<Listed>): Promise<Listed[]> {
  return await Array.fromAsync(listed)
}

describe('orders of a margin account', () => {
  it.each([
    [
      { type: 'limit', clientOrderId: 'a' },
      { type: 'limit', side: 'buy', price: '99', clientOrderId: 'a' },
    ],
    [{ type: 'ioc' }, { type: 'limit', side: 'buy', price: '99' }],
    [
      { type: 'market', side: 'sell' },
      { type: 'market', side: 'sell' },
    ],
  ])('of %j leave as %j', async (fields, expected) => {
    const sent: unknown[] = []
    const placeOrder = async (placement: unknown) => {
      sent.push(placement)
      return { orderId: '7', other: true }
    }
    const trading = new MarginTrading(clientOf({ placeOrder }))
    expect(await trading.placeOrder(order(fields))).toEqual({ orderId: '7' })
    expect(sent).toMatchObject([{ symbol: SYMBOL, quantity: '1', ...expected }])
    expect(sent[0]).not.toHaveProperty('reduceOnly')
  })

  it.each([
    [
      { type: 'market' },
      'A market buy of BTC/USDT would count quote; a quantity is bought by a limit order.',
    ],
    [
      { type: 'fok' },
      'An order of BTC/USDT is fok, but a margin account takes limit and market orders only.',
    ],
    [
      { type: 'postOnly' },
      'An order of BTC/USDT is postOnly, but a margin account takes limit and market orders only.',
    ],
  ])('of %j do not leave', async (fields, message) => {
    const trading = new MarginTrading(clientOf({}))
    await expect(trading.placeOrder(order(fields))).rejects.toThrow(message)
  })

  it('are named once: by what they left as, by the list, or by the query', async () => {
    const asked: string[] = []
    const open = [
      { orderId: '7' },
      { orderId: '8', clientOrderId: 'listed' },
      { orderId: '9' },
      { orderId: '10' },
      { orderId: '11' },
    ]
    const trading = new MarginTrading(
      clientOf({
        placeOrder: async () => ({ orderId: '7' }),
        openOrders: async () => open,
        order: async ({ orderId }: { orderId: string }) => {
          asked.push(orderId)
          if (orderId === '10') throw notFound
          return { orderId, clientOrderId: orderId === '9' ? 'asked' : undefined }
        },
      }),
    )
    await trading.placeOrder(order({ type: 'limit', clientOrderId: 'placed' }))
    const named = async () =>
      (await trading.openOrders({ symbol: SYMBOL })).map(({ clientOrderId }) => clientOrderId)
    const expected = ['placed', 'listed', 'asked', undefined, undefined]
    expect(await named()).toEqual(expected)
    expect(await named()).toEqual(expected)
    // One that a lagging copy does not know is asked for again; one without an id is not.
    expect(asked).toEqual(['9', '10', '11', '10'])
  })

  it('are not listed where a query fails', async () => {
    const trading = new MarginTrading(
      clientOf({
        openOrders: async () => [{ orderId: '7' }],
        order: async () => {
          throw new RangeError('No network.')
        },
      }),
    )
    await expect(trading.openOrders({ symbol: SYMBOL })).rejects.toThrow('No network.')
  })

  it('have no history, but trades since a time', async () => {
    async function* allMyTrades({ symbol }: { symbol: string }) {
      for (const time of [9, 10, 11]) yield { symbol, time }
    }
    const trading = new MarginTrading(clientOf({ allMyTrades }))
    expect(await listOf(trading.allHistoryOrders({ symbol: SYMBOL, from: 0 }))).toEqual([])
    expect(await listOf(trading.allHistoryTrades({ symbol: SYMBOL, from: 10 }))).toEqual([
      { symbol: SYMBOL, time: 10 },
      { symbol: SYMBOL, time: 11 },
    ])
  })
})

it.each([{ type: 'market', side: 'sell' }, { type: 'market', quoteAmount: '5' }, { type: 'limit' }])(
  'an order of a spot account of %j leaves as it is',
  async fields => {
    const placeOrder = vi.fn(async () => ({ orderId: '7' }))
    const trading = spotTrading({ placeOrder } as unknown as SpotClient) // as far as it is called
    const options = { signal: new AbortController().signal }
    expect(await trading.placeOrder(order(fields), options)).toEqual({ orderId: '7' })
    expect(placeOrder).toHaveBeenCalledExactlyOnceWith(order(fields), options)
  },
)

it('a market order of a spot account that buys a quantity does not leave', () => {
  const trading = spotTrading({} as SpotClient) // never called
  expect(() => trading.placeOrder(order({ type: 'market' }))).toThrow(
    'A market buy of BTC/USDT would count quote; a quantity is bought by a limit order.',
  )
})
