import { expect, it } from 'vitest'
import { amountAtExchange, amountOf } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import type { FuturesBalance } from '../../../src/exchange/futures/futures-balance.ts'
import { walletsIn } from '../../../src/execution/reconciliation/futures-account.ts'
import { ComparedSession } from './compared-session.ts'

/** Digits that a host with floats or long divisions adds to a figure. */
const TAIL = new Decimal('0.00000000000000000000001')

it.each([
  ['10058.49207110666666666666667', '10058.492071106666666666'],
  ['-0.0000000000000000019', '-0.000000000000000001'],
  ['0.00000000000000000001', '0'],
  ['1.50000000000000000000000000', '1.5'],
])('%s at an exchange is %s here', (there, here) => {
  expect(amountAtExchange(new Decimal(there))).toBe(amountOf(here))
})

it('a wallet that is finer than our amounts is read', () => {
  const zero = new Decimal(0)
  const balance = { marginCoin: 'usdt', balance: new Decimal('100').plus(TAIL), orderMargin: TAIL }
  const account = [{ ...balance, isolatedMargin: zero, contracts: [] }] as unknown as FuturesBalance[] // as far as it is read
  expect(walletsIn(account)).toEqual(new Map([['USDT', amountOf('100')]]))
})

it('balances and fees that are finer than our amounts are booked and compared, and differ by nothing', async () => {
  const session = new ComparedSession()
  const { trading } = session
  const finer = <Trade extends { readonly fee: Decimal }>(trade: Trade) => ({
    ...trade,
    fee: trade.fee.plus(TAIL),
  })
  const { myTrades, allMyTrades } = { ...trading }
  Object.assign(trading, {
    myTrades: async (...query: Parameters<typeof myTrades>) => (await myTrades(...query)).map(finer),
    allMyTrades: async function* (range: Parameters<typeof allMyTrades>[0]) {
      for await (const trade of allMyTrades(range)) yield finer(trade)
    },
  })
  const reconciler = session.reconcilerWith({
    trading,
    account: {
      balances: async () =>
        (await session.account.balances()).map(one => ({ ...one, free: one.free.plus(TAIL) })),
    },
  })
  session.place('own-1', { side: 'buy', quantity: steps(1000) })
  await session.look(5000)
  expect(session.statusOf('own-1')).toBe('filled')
  expect(await session.looksOf(reconciler, 4, 10_000)).toBe('agreed')
  expect(session.reports).toEqual([])
})
