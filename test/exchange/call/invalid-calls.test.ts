import { describe, expect, it } from 'vitest'
import { ACCOUNT } from '../invalid/account.ts'
import { FEEDS } from '../invalid/feeds.ts'
import { FUTURES } from '../invalid/futures.ts'
import { MARGIN } from '../invalid/margin.ts'
import { HISTORY } from '../invalid/spot-history.ts'
import { SPOT_MARKET } from '../invalid/spot-market.ts'
import { SPOT_ORDERS } from '../invalid/spot-orders.ts'
import { NOW, rejectionOf, scriptedExchange } from './scripted-exchange.ts'

const DAY = 86_400_000
const symbol = 'BTC/USDT'

describe('a call that breaks a rule', () => {
  it.each([...SPOT_MARKET, ...SPOT_ORDERS, ...HISTORY, ...ACCOUNT, ...MARGIN, ...FUTURES, ...FEEDS])(
    'is not sent: %s',
    async (_what, call, parameter, rule, section) => {
      const exchange = scriptedExchange(['{}'], { allowWithdrawals: true })
      const error = await rejectionOf(call(exchange))
      expect(error).toMatchObject({ code: 'INVALID_CALL', reaction: 'exit', parameter, rule, section })
      expect(String(error)).toContain(
        `was not sent: ${parameter} ${rule} (exchange interface, section ${section}).`,
      )
      expect(exchange.requests).toEqual([])
    },
  )

  it.each([
    ['exactly 7 days', { startTime: NOW - 7 * DAY, endTime: NOW }],
    ['184 days ago', { startTime: NOW - 184 * DAY, endTime: NOW - 180 * DAY }],
    ['only a start', { startTime: NOW }],
  ])('is another thing than a window of %s, which is sent', async (_what, times) => {
    const { spot, requests } = scriptedExchange(['[]'])
    await spot.historyOrders({ symbol, ...times })
    expect(requests).toHaveLength(1)
  })
})
