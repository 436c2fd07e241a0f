import { describe, expect, it } from 'vitest'
import { isOrderNotFound } from '../../../src/exchange/errors/exchange-error.ts'
import type { ExchangeCalls } from '../../../src/exchange/exchange-client.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { rejectionOf } from '../../exchange/call/scripted-exchange.ts'
import { flatMarket } from '../exchange-caller.ts'
import { type ClientWorld, httpWorld, scriptedWorld, simulatedWorld, usualConfig } from './client-world.ts'

const symbol = 'BTC/USDT'
const contractName = 'E-BTC-USDT'
const bid = { symbol, type: 'limit', side: 'buy', quantity: '1', price: '90' } as const
const entry = { contractName, side: 'buy', action: 'open', positionType: 'cross' } as const

/** A refusal of the documented codes: how to come by it, and what it asks of the caller. */
interface Refusal {
  readonly code: number
  readonly name: string
  readonly reaction: string
  readonly call: (calls: ExchangeCalls) => Promise<unknown>
  readonly before?: (calls: ExchangeCalls) => Promise<unknown>
  readonly config?: SimulatorConfigInput
  /** The key or the secret of the client, where it is not the right one. */
  readonly credentials?: { readonly apiKey: string; readonly apiSecret: string }
  /** Whether the answer is an envelope, whose code is text (interface section 7). */
  readonly isEnvelope?: boolean
  /** Of a refusal that is not HTTP 400. */
  readonly status?: number
}

const listing = { symbol, market: { type: 'klines', klines: flatMarket(100) } } as const
const money = { ...TEST_ACCOUNT, balances: { USDT: '10000' } }

const REFUSALS: readonly Refusal[] = [
  {
    ...{ code: -1121, name: 'BAD_SYMBOL', reaction: 'skip' },
    call: ({ spot }) => spot.depth({ symbol: 'NOT/LISTED' }),
  },
  {
    ...{ code: -1121, name: 'BAD_SYMBOL', reaction: 'skip', isEnvelope: true },
    call: ({ futures }) => futures.depth({ contractName: 'E-NOT-LISTED' }),
  },
  {
    ...{ code: -2013, name: 'NO_SUCH_ORDER', reaction: 'skip' },
    call: ({ spot }) => spot.order({ symbol, orderId: '17' }),
  },
  {
    ...{ code: -2013, name: 'NO_SUCH_ORDER', reaction: 'skip' },
    call: ({ margin }) => margin.cancelOrder({ symbol, clientOrderId: 'nobody' }),
  },
  {
    ...{ code: -1145, name: 'ORDER_NOT_SUPPORT_CANCELLATION', reaction: 'skip' },
    before: async ({ spot }) => {
      await spot.placeOrder({ ...bid, clientOrderId: 'mine' })
      await spot.cancelOrder({ symbol, clientOrderId: 'mine' })
    },
    call: ({ spot }) => spot.cancelOrder({ symbol, clientOrderId: 'mine' }),
  },
  {
    ...{ code: -2017, name: 'BALANCE_NOT_ENOUGH', reaction: 'skip' },
    call: ({ spot }) => spot.placeOrder({ ...bid, quantity: '1000' }),
  },
  {
    ...{ code: -2017, name: 'BALANCE_NOT_ENOUGH', reaction: 'skip', isEnvelope: true },
    call: ({ account }) =>
      account.transfer({ asset: 'USDT', amount: '10000.01', from: 'spot', to: 'futures' }),
  },
  {
    ...{ code: -2017, name: 'BALANCE_NOT_ENOUGH', reaction: 'skip', isEnvelope: true },
    call: ({ account }) =>
      account.withdraw({ withdrawOrderId: 'w', asset: 'USDT', amount: '10001', address: 'a' }),
  },
  {
    ...{ code: -1147, name: 'PRICE_VOLUME_PRESION_ERROR', reaction: 'skip' },
    call: ({ spot }) => spot.testOrder({ ...bid, price: '90.001' }),
  },
  {
    ...{ code: -1136, name: 'ORDER_QUANTITY_TOO_SMALL', reaction: 'skip' },
    config: { listings: [{ ...listing, minVolume: '0.5' }] },
    call: ({ spot }) => spot.placeOrder({ ...bid, quantity: '0.4' }),
  },
  {
    ...{ code: -1160, name: 'order amount below minimum', reaction: 'skip' },
    call: ({ spot }) => spot.placeOrder({ ...bid, quantity: '0.1' }),
  },
  {
    ...{ code: -1138, name: 'ORDER_PRICE_WAVE_EXCEED', reaction: 'skip' },
    config: { listings: [{ ...listing, priceBandRate: '0.05' }] },
    call: ({ spot }) => spot.placeOrder({ ...bid, price: '94' }),
  },
  {
    ...{ code: -1139, name: 'ORDER_NOT_SUPPORT_MARKET', reaction: 'skip' },
    config: { listings: [{ ...listing, allowsMarketOrders: false }] },
    call: ({ spot }) => spot.placeOrder({ symbol, type: 'market', side: 'buy', quoteAmount: '50' }),
  },
  {
    ...{ code: -1112, name: 'NO_DEPTH', reaction: 'skip' },
    config: { liquidity: { levelNotionals: [] } },
    call: ({ spot }) => spot.placeOrder({ symbol, type: 'market', side: 'buy', quoteAmount: '50' }),
  },
  {
    ...{ code: -2016, name: 'EXCHANGE_LOCK', reaction: 'skip' },
    config: { listings: [{ ...listing, isTrading: false }] },
    call: ({ spot }) => spot.placeOrder(bid),
  },
  {
    ...{ code: 35, name: 'order placement prohibited', reaction: 'halt' },
    config: { accounts: [{ ...money, mayTrade: false }] },
    call: ({ spot }) => spot.placeOrder(bid),
  },
  {
    ...{ code: -1015, name: 'TOO_MANY_ORDERS', reaction: 'skip' },
    config: { maxOpenOrders: 1 },
    before: ({ spot }) => spot.placeOrder(bid),
    call: ({ spot }) => spot.placeOrder(bid),
  },
  {
    ...{ code: -2015, name: 'REJECTED_CH_KEY', reaction: 'halt', status: 401 },
    credentials: { ...TEST_ACCOUNT, apiKey: 'nobody' },
    call: ({ account }) => account.balances(),
  },
  {
    ...{ code: -1022, name: 'INVALID_SIGNATURE', reaction: 'halt', status: 401 },
    credentials: { ...TEST_ACCOUNT, apiSecret: 'wrong' },
    call: ({ spot }) => spot.placeOrder(bid),
  },
  {
    ...{ code: -1156, name: 'close volume exceeds position', reaction: 'skip', isEnvelope: true },
    before: ({ futures }) => futures.placeOrder({ ...entry, type: 'market', contracts: '5' }),
    call: ({ futures }) =>
      futures.placeOrder({ ...entry, side: 'sell', action: 'close', type: 'market', contracts: '6' }),
  },
]

function scripted({ code, isEnvelope = false, status = 400 }: Refusal, isOk: boolean): ClientWorld {
  const body = isEnvelope ? { code: String(code), msg: 'No.', data: null } : { code, msg: 'No.' }
  return scriptedWorld(() => ({ status: isOk ? 200 : status, body: JSON.stringify(body) }))
}

async function open(where: string, refusal: Refusal, httpOkOnErrors: boolean): Promise<ClientWorld> {
  if (where === 'scripted') return scripted(refusal, httpOkOnErrors)
  const config = usualConfig({ ...refusal.config, httpOkOnErrors })
  const options = { ...refusal.credentials }
  const world = where === 'HTTP' ? await httpWorld(config, options) : simulatedWorld(config, options)
  await refusal.before?.(world.client)
  return world
}

describe.each(['scripted', 'simulated', 'HTTP'])('an exchange (%s)', where => {
  describe.each([
    ['HTTP 4xx', false],
    ['HTTP 200', true],
  ])('that refuses with %s', (_with, httpOkOnErrors) => {
    it.each(REFUSALS.map(refusal => [refusal.code, refusal.name, refusal] as const))(
      'is understood: %i, %s',
      async (_code, _name, refusal) => {
        const { client, close } = await open(where, refusal, httpOkOnErrors)
        try {
          const error = await rejectionOf(refusal.call(client))
          const { code, name, reaction, status = 400 } = refusal
          expect(error).toMatchObject({
            ...{ code: 'EXCHANGE_REFUSED', exchangeCode: code, exchangeName: name, reaction },
            httpStatus: httpOkOnErrors ? 200 : status,
          })
          expect(isOrderNotFound(error)).toBe(code === -2013)
        } finally {
          await close()
        }
      },
    )
  })
})
