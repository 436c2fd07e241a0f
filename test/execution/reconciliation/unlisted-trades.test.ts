import { expect, it } from 'vitest'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { ComparedSession } from './compared-session.ts'

/** Delay of the list of own trades behind orders and balances, ms. */
const LATE_MS = 15_000

/** A spot session at an exchange that tells at once what an order has filled, and lists its trades late from `begin` on. */
async function lateSession() {
  const session = new ComparedSession()
  const isListed = ({ time }: { readonly time: number }) => time <= session.clock.now() - LATE_MS
  async function* listed<Item extends { readonly time: number }>(items: AsyncIterable<Item>) {
    for await (const item of items) if (isListed(item)) yield item
  }
  const { myTrades, allMyTrades, allHistoryTrades } = { ...session.trading }
  const { trading, account } = session
  const reconciler = session.reconcilerWith({ trading, account })
  return {
    session,
    begin: () =>
      Object.assign(trading, {
        myTrades: async (...query: Parameters<typeof myTrades>) =>
          (await myTrades(...query)).filter(isListed),
        allMyTrades: (range: Parameters<typeof allMyTrades>[0]) => listed(allMyTrades(range)),
        allHistoryTrades: (range: Parameters<typeof allHistoryTrades>[0]) => listed(allHistoryTrades(range)),
      }),
    start: () => session.looksOf(reconciler, 3, 5000),
    /** Looks every 2.5 s, as a bot does that has no verdict. */
    lookFor: async (ms: number) => {
      const agreements: string[] = []
      for (let passed = 0; passed < ms; passed += 2500) {
        void reconciler.look().then(agreement => agreements.push(agreement))
        await session.run(2500)
      }
      return agreements
    },
  }
}

const ENTRY = { side: 'buy', purpose: 'entry', quantity: steps(1000) } as const

it('of an entry are awaited: nothing is adopted as a transfer, and they are booked once', async () => {
  const { session, begin, start, lookFor } = await lateSession()
  expect(await start()).toBe('agreed')
  begin()
  session.place('own-1', ENTRY)
  expect(new Set(await lookFor(12_500))).toEqual(new Set(['later']))
  expect(session.atExchange('own-1')?.status).toBe('FILLED')
  expect(session.lifeOf('own-1').filter(life => life.startsWith('buy'))).toEqual([])
  const agreements = await lookFor(10_000)
  expect(agreements.at(-1)).toBe('agreed')
  expect(session.lifeOf('own-1').filter(life => life.startsWith('buy'))).toHaveLength(1)
  expect(session.reports).toEqual([])
})

it('of an exit are awaited: nothing is missing from its position', async () => {
  const { session, begin, start, lookFor } = await lateSession()
  await start()
  session.place('own-1', ENTRY)
  await lookFor(5000)
  begin()
  session.place('own-2', { side: 'sell', purpose: 'exit', reduceOnly: true, quantity: steps(999) })
  await lookFor(12_500)
  expect(session.atExchange('own-2')?.status).toBe('FILLED')
  expect((await lookFor(10_000)).at(-1)).toBe('agreed')
  expect(session.lifeOf('own-2').filter(life => life.startsWith('sell'))).toHaveLength(1)
  expect(session.reports).toEqual([])
})

it('are told to be missing after five seconds, once, with what that means', async () => {
  const { session, begin, start, lookFor } = await lateSession()
  await start()
  begin()
  session.place('own-1', ENTRY)
  await lookFor(5000)
  expect(session.errors).toEqual([])
  const unlisted = () => session.executor.tracker.orders.all.map(order => order.unlisted)
  expect(unlisted()).toEqual([expect.objectContaining({ executed: 1000, isLasting: false })])
  await lookFor(7500)
  expect(unlisted()).toEqual([expect.objectContaining({ executed: 1000, isLasting: true })])
  expect(session.errors.map(error => String(error))).toEqual([
    expect.stringMatching(
      /^UnlistedTradesError: The buy order own-1 of BTC\/USDT \(\d+ at the exchange\) has executed 1\.000 of 1\.000 BTC, but the exchange lists trades of only 0\.000: the books do not have what it opened until then, and NO STOP PROTECTS IT\. /,
    ),
  ])
})

it('of one moment that are more than an answer has are read from the lists of all', async () => {
  const session = new ComparedSession({ isQuoted: false })
  const { myTrades } = { ...session.trading }
  Object.assign(session.trading, {
    myTrades: async (...query: Parameters<typeof myTrades>) => (await myTrades(...query)).slice(-1),
  })
  session.place('own-1', { ...ENTRY, spec: { type: 'limit', price: ticks(9900) } })
  await session.look(100)
  for (const quantity of ['0.3', '0.3', '0.4']) session.stranger().order('SELL', 'LIMIT', quantity, '99')
  await session.look(100)
  expect(session.lifeOf('own-1').filter(life => life.startsWith('buy'))).toHaveLength(3)
  expect(session.statusOf('own-1')).toBe('filled')
})

it('of a person who sold of a position are awaited: nothing halts, and the sale closes it at its price', async () => {
  const { session, begin, start, lookFor } = await lateSession()
  await start()
  session.place('own-1', ENTRY)
  await lookFor(5000)
  begin()
  // 10 BTC of the account are no position, and count as sold first.
  const sale = { symbol: 'BTC/USDT', type: 'market', side: 'sell', quantity: '10.5' } as const
  void session.spot.placeOrder({ ...sale, clientOrderId: 'by-hand' })
  expect((await lookFor(12_500)).at(-1)).toBe('suspected')
  expect(session.reports).toMatchObject([{ type: 'shortageAwaited', asset: 'BTC' }])
  expect((await lookFor(15_000)).at(-1)).toBe('agreed')
  expect(session.events.filter(({ type }) => type === 'instrumentHalted')).toEqual([])
  const closes = session.events.flatMap(event => (event.type === 'liquidated' ? [event.liquidation] : []))
  expect(closes.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(500)
  expect(new Set(closes.map(({ by }) => by))).toEqual(new Set(['others']))
})
