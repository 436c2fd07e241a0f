import { describe, expect, it } from 'vitest'
import { KEY, rejectionOf, SECRET } from '../../exchange/call/scripted-exchange.ts'
import { ACCOUNT } from '../../exchange/invalid/account.ts'
import { FEEDS } from '../../exchange/invalid/feeds.ts'
import { FUTURES } from '../../exchange/invalid/futures.ts'
import { MARGIN } from '../../exchange/invalid/margin.ts'
import { HISTORY } from '../../exchange/invalid/spot-history.ts'
import { SPOT_MARKET } from '../../exchange/invalid/spot-market.ts'
import { SPOT_ORDERS } from '../../exchange/invalid/spot-orders.ts'
import { flatMarket } from '../exchange-caller.ts'
import { simulatedWorld } from './client-world.ts'

const CALLS = [...SPOT_MARKET, ...SPOT_ORDERS, ...HISTORY, ...ACCOUNT, ...MARGIN, ...FUTURES, ...FEEDS]

describe('a call that breaks a rule', () => {
  it.each(CALLS)('never reaches the simulated exchange: %s', async (_what, call, parameter, rule) => {
    const world = simulatedWorld({
      listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines: flatMarket(100) } }],
      accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: {} }],
    })
    // The calls look at neither clock nor requests.
    const error = await rejectionOf(call({ ...world.client, clock: world.clock as never, requests: [] }))
    expect(error).toMatchObject({ code: 'INVALID_CALL', parameter, rule })
    expect(world.arrivals).toEqual([])
  })
})
