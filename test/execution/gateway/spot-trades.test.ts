import { expect, it } from 'vitest'
import { spotTrading } from '../../../src/execution/gateway/spot-trading.ts'
import { NOW, scriptedExchange } from '../../exchange/call/scripted-exchange.ts'

const FROM = NOW - 60_000

/**
 * A host whose list by time has the newest 100 trades of a window (version 3) and whose list by id has the oldest
 * 1,000 from an id on (version 2), as the interface describes them.
 */
function hostWith(times: readonly number[]) {
  const trades = times.map((time, index) => ({
    ...{ symbol: 'BTC/USDT', id: 1_000 + index, bidId: 7, askId: 8, price: '100', qty: '0.001', time },
    ...{ isBuyer: true, isMaker: true, feeCoin: 'BTC', fee: '0' },
  }))
  const asked: string[] = []
  const { spot } = scriptedExchange([], {
    transport: async ({ url }) => {
      const { pathname, searchParams } = new URL(url)
      const [limit, start, end, fromId] = ['limit', 'startTime', 'endTime', 'fromId'].map(name =>
        Number(searchParams.get(name)),
      ) as [number, number, number, number] // four names
      asked.push(pathname)
      const chosen = pathname.startsWith('/sapi/v3')
        ? trades.filter(({ time }) => time >= start && time <= end).slice(-limit)
        : trades.filter(({ id }) => id >= fromId).slice(0, limit)
      return { status: 200, body: JSON.stringify(chosen.toReversed()) }
    },
  })
  return { trading: spotTrading(spot), asked }
}

const idsOf = async (trading: ReturnType<typeof spotTrading>) => {
  const trades = await Array.fromAsync(trading.allHistoryTrades({ symbol: 'BTC/USDT', from: FROM }))
  return [...new Set(trades.map(({ id }) => Number(id)))].sort((left, right) => left - right)
}

const upTo = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)

it('of one millisecond that are more than an answer of the list by time are read by their ids', async () => {
  const early = upTo(0, 5).map(index => FROM + index)
  const swept = upTo(0, 1_250).map(() => FROM + 30_000)
  const late = upTo(0, 3).map(index => FROM + 40_000 + index)
  const { trading } = hostWith([...early, ...swept, ...late])
  expect(await idsOf(trading)).toEqual(upTo(1_000, 1_258))
})

it('of the first millisecond that are more than an answer are read without those before it', async () => {
  const { trading } = hostWith([FROM - 1, ...upTo(0, 150).map(() => FROM)])
  expect(await idsOf(trading)).toEqual(upTo(1_001, 150))
})

it('are read by time alone where no millisecond has more than an answer', async () => {
  const { trading, asked } = hostWith(upTo(0, 250).map(index => FROM + index))
  expect(await idsOf(trading)).toEqual(upTo(1_000, 250))
  expect(new Set(asked)).toEqual(new Set(['/sapi/v3/myTrades']))
})
