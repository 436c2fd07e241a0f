import { describe, expect, it } from 'vitest'
import { accountPoll } from '../../../src/bot/inputs/account-poll.ts'
import { configuredMarkets } from '../../../src/config/configured-market.ts'
import { POLLING } from './polling.ts'

const polling = { ...POLLING, balancesMs: 10_000, weightPerMinute: 12_000, orderShare: 0.25 }
const margin = { balances: new Map(), foreignTrades: 'halt' } as const

describe('what it costs to compare an account', () => {
  it('is on margin open orders once and own trades twice for each pair, at a weight of 1 each, and no balances', () => {
    const marketOf = configuredMarkets({ margin })
    expect(accountPoll(['BTC/USDT', 'ETH/USDT'], marketOf, polling)).toEqual({
      everyMs: 10_000,
      weightPerMinute: 2 * 3 * 6,
    })
  })

  it('has the balances of spot on top where a spot account is beside it', () => {
    const marketOf = configuredMarkets({ spot: {}, margin: { ...margin, symbols: ['ETH/USDT'] } })
    // Open orders of one spot pair cost 1, its own trades 1, and the balances 1.
    expect(accountPoll(['BTC/USDT', 'ETH/USDT'], marketOf, polling).weightPerMinute).toBe((3 + 1 + 3) * 6)
  })
})
