import { describe, expect, it } from 'vitest'
import type { Venue } from '../../../src/bot/venue/venue.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import type { DialectName } from '../../../src/simulator/dialects/dialects.ts'
import { dialectConfig } from '../../simulator/dialects/dialect-host.ts'
import { PaperWorld } from './paper-world.ts'

/** Rules that some hosts do not list. */
const RULES = { default: { makerFeeRate: '0.001', takerFeeRate: '0.001', minNotional: '1' } }

const CONTRACTS: Partial<Record<DialectName, string>> = {
  gaiaex: 'USDT1802-BTC-USDT',
  darkex: 'USDT1802-BTC-USDT',
}

/** Reads own trades. */
type Trades = () => Promise<readonly { readonly quantity: Decimal; readonly price: Decimal }[]>

/** Three bought of a host whose best ask is 100.01, by each account. */
const BUYS: Record<'spot' | 'margin' | 'futures', (venue: Venue, contract: string) => Promise<Trades>> = {
  spot: async ({ spot }: Venue) => {
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'ioc', quantity: '3', price: '101' } as const
    await spot.placeOrder(order)
    return () => spot.myTrades({ symbol: 'BTC/USDT' })
  },
  margin: async ({ margin }: Venue) => {
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', quantity: '3', price: '101' } as const
    await margin?.placeOrder(order)
    return async () => (await margin?.myTrades({ symbol: 'BTC/USDT' })) ?? []
  },
  futures: async ({ futures }: Venue, contractName: string) => {
    await futures?.placeOrder({
      ...{ contractName, side: 'buy', action: 'open', positionType: 'cross', contracts: '3' },
      ...{ type: 'ioc', price: '101' },
    })
    return async () =>
      ((await futures?.myTrades({ contractName })) ?? []).map(({ volume, price }) => ({
        quantity: volume,
        price,
      }))
  },
}

/** Sum and price of what a paper account buys of a host at 100 ± 0.01, as `quantity@price`; the host sees no key. */
async function boughtOn(dialect: DialectName, account: keyof typeof BUYS, profile: string = dialect) {
  const world = new PaperWorld(dialectConfig(dialect))
  world.klines = undefined
  await world.listen()
  const symbol = account === 'futures' ? (CONTRACTS[dialect] ?? 'E-BTC-USDT') : 'BTC/USDT'
  const strategies = [{ file: 'strategies/sma-cross.ts', symbol, interval: '1m', size: { base: 1 } }]
  const terms = account === 'spot' ? {} : { account: accountOf(account) }
  const urls = profile === 'detect' ? originOf(world.urls, account) : world.urls
  const venue = await world.open(
    world.config({ profile, ...urls }, { strategies, instruments: RULES, ...terms }),
  )
  const trades = await world.until(BUYS[account](venue, symbol))
  await world.pass(600)
  const bought = await world.until(trades())
  await world.close(venue)
  const signed = world.requests.filter(({ headers }) =>
    Object.keys(headers).some(name => name.startsWith('x-ch')),
  )
  expect(signed).toEqual([])
  const quantity = bought.reduce((sum, each) => sum.plus(each.quantity), new Decimal(0))
  return `${quantity}@${bought[0]?.price}`
}

function accountOf(type: 'margin' | 'futures'): object {
  return type === 'futures'
    ? { type, leverage: 5, marginMode: 'cross', positionMode: 'oneWay' }
    : { type, balances: { USDT: 10_000 } }
}

/** The address of the traded host without its prefix, as one knows it of an unknown host. */
function originOf({ spotUrl, futuresUrl }: PaperWorld['urls'], account: keyof typeof BUYS) {
  const key = account === 'futures' ? 'futuresUrl' : 'spotUrl'
  const { origin } = new URL((account === 'futures' ? futuresUrl : spotUrl) ?? '')
  return { spotUrl: undefined, futuresUrl: undefined, [key]: origin }
}

describe('a paper account on a host that answers in a dialect', () => {
  it.each([
    ['koinbay', 'margin'],
    ['koinbay', 'futures'],
    ['zke', 'margin'],
    ['gcbex', 'spot'],
    ['xme', 'futures'],
    ['fameex', 'spot'],
    ['bitbaby', 'margin'],
    ['bitbaby', 'futures'],
    ['odyssey', 'spot'],
    ['darkex', 'futures'],
    ['bitrue', 'futures'],
  ] as const)('trades at %s on %s at what the host shows', async (dialect, account) => {
    expect(await boughtOn(dialect, account)).toBe('3@100.01')
  })

  it.each([
    ['bitbaby', 'spot'],
    ['bitrue', 'futures'],
  ] as const)('finds out by profile: detect how %s answers on %s', async (dialect, account) => {
    expect(await boughtOn(dialect, account, 'detect')).toBe('3@100.01')
  })
})
