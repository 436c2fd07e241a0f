import { describe, expect, it } from 'vitest'
import { loadProfile } from '../../../src/config/profiles/load-profile.ts'
import { SluiceError } from '../../../src/domain/sluice-error.ts'
import type { ExchangeCalls } from '../../../src/exchange/exchange-client.ts'
import { DIALECT_NAMES, type DialectName, dialectOf } from '../../../src/simulator/dialects/dialects.ts'
import { ACCOUNT_CALLS } from './account-calls.ts'
import { plain, settled, simulatedWorld, usualConfig } from './client-world.ts'
import { FUTURES_CALLS } from './futures-calls.ts'
import { MARGIN_CALLS } from './margin-calls.ts'
import { SPOT_CALLS } from './spot-calls.ts'

const CALLS = { spot: [...SPOT_CALLS, ...MARGIN_CALLS, ...ACCOUNT_CALLS], futures: FUTURES_CALLS }

/** The call is refused with a sentence. */
const REFUSED = Symbol('refused')
const DOCUMENTED_NAME = 'E-BTC-USDT'

const NO_HISTORY = { 'spot.historyOrders': REFUSED, 'spot.historyTrades': REFUSED }
const SHORT_CONTRACTS = {
  'futures.contracts': [{ contractName: DOCUMENTED_NAME, multiplier: '0.1', pricePrecision: 2 }],
}
/** Two levels of the documented test, whose time is not told. */
const BOOK = {
  bids: [{ price: '99.99', quantity: '20.002' }],
  asks: [{ price: '100.01', quantity: '19.998' }],
}
/** How many there are is not told. */
const UNCOUNTED = { 'futures.transactions': { transactions: [{ type: 'openingFee', amount: '-0.10001' }] } }
const TAG_PRICE = { 'futures.indexPrice': { indexPrice: '100', markPrice: '100' } }

/** The order above is a limit order. */
const EVERYWHERE: Readonly<Record<string, unknown>> = {
  'futures.historyOrders': [
    { type: 'limit', status: 'filled', orderedVolume: '10', executedVolume: '10', averagePrice: '100.01' },
  ],
}

/** What calls come to other than documented, by the differences of each host. */
const DIFFERS: Readonly<Partial<Record<DialectName, Readonly<Record<string, unknown>>>>> = {
  koinbay: {
    ...NO_HISTORY,
    'spot.cancelOrder': { status: 'pendingCancel' },
    'margin.cancelOrder': { status: 'pendingCancel' },
    'futures.klines': [],
    'futures.transactions': REFUSED,
  },
  gcbex: NO_HISTORY,
  xme: { ...NO_HISTORY, ...UNCOUNTED, ...SHORT_CONTRACTS, 'spot.depth': BOOK, 'futures.tickers': REFUSED },
  fameex: { 'futures.klines': [], 'futures.placeConditionOrder': REFUSED },
  bitbaby: {
    ...NO_HISTORY,
    ...SHORT_CONTRACTS,
    'spot.symbols': [{ symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', pricePrecision: 2 }],
  },
  odyssey: { ...TAG_PRICE, ...UNCOUNTED },
  gaiaex: TAG_PRICE,
  darkex: TAG_PRICE,
}

/**
 * The client with contracts named as a host names them. Where a market order would open a position, it sends a limit order
 * that buys at the same price: not every host has told the unit of the volume.
 */
function adapted(calls: ExchangeCalls, prefix = 'E'): ExchangeCalls {
  const name = DOCUMENTED_NAME.replace('E', prefix)
  const futures = new Proxy(calls.futures, {
    get: (client, key) => (fields?: Readonly<Record<string, unknown>>) => {
      const method = Reflect.get(client, key) as (fields?: object) => Promise<unknown> // all of them are
      const isOpening = fields?.type === 'market' && fields.action === 'open'
      return method({
        ...fields,
        ...(fields && 'contractName' in fields && { contractName: name }),
        ...(isOpening && { type: 'limit', price: '101' }),
      })
    },
  })
  return { ...calls, futures }
}

describe.each(DIALECT_NAMES.filter(name => name !== 'document'))('with the profile of %s', name => {
  const profile = loadProfile(name)
  const { onlyHost, contractPrefix = 'E' } = dialectOf(name)
  const calls = [...(onlyHost === 'futures' ? [] : CALLS.spot), ...(onlyHost === 'spot' ? [] : CALLS.futures)]
  it.each(calls.map(call => [call.name, call] as const))('%s', async (what, { call, before, becomes }) => {
    const world = simulatedWorld(usualConfig({ dialect: name }), { profile })
    const client = adapted(world.client, contractPrefix)
    try {
      if (before !== undefined) await settled(world, before(client))
      const differs = { ...EVERYWHERE, ...DIFFERS[name] }
      const expected = Object.hasOwn(differs, what) ? differs[what] : becomes
      const outcome = settled(world, call(client))
      if (expected === REFUSED) {
        await expect(outcome).rejects.toBeInstanceOf(SluiceError)
        return
      }
      const value = plain(await outcome)
      const text = JSON.stringify({ value }).replaceAll(`"${contractPrefix}-`, '"E-')
      if (expected === undefined) expect(value).toBeUndefined()
      else expect(JSON.parse(text)).toMatchObject({ value: expected })
    } finally {
      await world.close()
    }
  })
})

describe.each(['bitbaby', 'bitrue'] as const)('a market order with the profile of %s', name => {
  it('opens for an amount of quote: 5 contracts of 10 USDT for 55', async () => {
    const world = simulatedWorld(usualConfig({ dialect: name }), { profile: loadProfile(name) })
    const { futures } = world.client
    const target = {
      contractName: DOCUMENTED_NAME,
      side: 'buy',
      action: 'open',
      positionType: 'cross',
    } as const
    const order = { ...target, type: 'market', quoteAmount: '55' } as const
    const { orderId } = await settled(world, futures.placeOrder(order))
    const [found] = await settled(world, futures.orders({ contractName: DOCUMENTED_NAME, orderId }))
    expect(found?.executedVolume.toString()).toBe('5')
    await world.close()
  })
})
