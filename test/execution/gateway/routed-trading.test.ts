import { expect, it } from 'vitest'
import { renamedTrading } from '../../../src/execution/gateway/renamed-trading.ts'
import { routedTrading } from '../../../src/execution/gateway/routed-trading.ts'
import type { TradingCalls } from '../../../src/execution/gateway/trading-calls.ts'

type Call = readonly [account: string, call: string, asked: unknown, options: unknown]

/** Calls of an account that note what they are asked, and answer with one entry of the symbol that was asked for. */
function accountNamed(account: string, calls: Call[]): TradingCalls {
  const note = (call: string, asked: { readonly symbol: string }, options?: unknown) => {
    calls.push([account, call, asked, options])
    return { account, symbol: asked.symbol }
  }
  async function* list(call: string, asked: { readonly symbol: string }) {
    yield note(call, asked)
  }
  const trading = {
    placeOrder: async (asked: { symbol: string }, options: unknown) => note('placeOrder', asked, options),
    cancelOrder: async (asked: { symbol: string }, options: unknown) => note('cancelOrder', asked, options),
    order: async (asked: { symbol: string }) => note('order', asked),
    openOrders: async (asked: { symbol: string }) => [note('openOrders', asked)],
    allHistoryOrders: (asked: { symbol: string }) => list('allHistoryOrders', asked),
    myTrades: async (asked: { symbol: string }, options: unknown) => [note('myTrades', asked, options)],
    allMyTrades: (asked: { symbol: string }) => list('allMyTrades', asked),
    allHistoryTrades: (asked: { symbol: string }) => list('allHistoryTrades', asked),
  }
  return trading as unknown as TradingCalls // as far as it is looked at
}

const OPTIONS = { lane: 'reconciliation' }
const CALLS = [
  'placeOrder',
  'cancelOrder',
  'order',
  'openOrders',
  'allHistoryOrders',
  'myTrades',
  'allMyTrades',
  'allHistoryTrades',
] as const

/** What a call answers, entry by entry. */
async function answerOf(trading: TradingCalls, call: (typeof CALLS)[number], symbol: string) {
  const asked = trading[call] as (asked: object, options: object) => unknown
  const answer = asked({ symbol, limit: 7 }, OPTIONS)
  if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
    return await Array.fromAsync(answer as AsyncIterable<unknown>)
  const listed = await answer
  return Array.isArray(listed) ? listed : [listed]
}

it.each(CALLS)('%s goes to the account of its symbol, with all that is asked', async call => {
  const calls: Call[] = []
  const spot = accountNamed('spot', calls)
  const futures = accountNamed('futures', calls)
  const trading = routedTrading(symbol => (symbol === 'BTC/USDT' ? spot : futures))
  expect(await answerOf(trading, call, 'BTC/USDT')).toEqual([{ account: 'spot', symbol: 'BTC/USDT' }])
  expect(await answerOf(trading, call, 'ETH/USDT')).toEqual([{ account: 'futures', symbol: 'ETH/USDT' }])
  const options = ['placeOrder', 'cancelOrder', 'myTrades'].includes(call) ? OPTIONS : undefined
  expect(calls).toEqual([
    ['spot', call, { symbol: 'BTC/USDT', limit: 7 }, options],
    ['futures', call, { symbol: 'ETH/USDT', limit: 7 }, options],
  ])
})

it.each(CALLS)('%s asks by the name of the pair, and tells by the symbol of the account', async call => {
  const calls: Call[] = []
  const trading = renamedTrading(accountNamed('margin', calls))
  const answer = await answerOf(trading, call, 'BTC/USDT@margin')
  expect(calls.map(([, name, asked]) => [name, asked])).toEqual([[call, { symbol: 'BTC/USDT', limit: 7 }]])
  // A placement and a cancel tell no symbol of their own.
  const symbol = call === 'placeOrder' || call === 'cancelOrder' ? 'BTC/USDT' : 'BTC/USDT@margin'
  expect(answer).toEqual([{ account: 'margin', symbol }])
  if (['placeOrder', 'cancelOrder', 'myTrades'].includes(call)) expect(calls[0]?.[3]).toBe(OPTIONS)
})
