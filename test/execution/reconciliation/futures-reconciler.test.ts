import { expect, it } from 'vitest'
import { amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import type { TradingCalls } from '../../../src/execution/gateway/trading-calls.ts'
import type { FuturesReads } from '../../../src/execution/reconciliation/futures-account.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { FUTURES_BTC } from '../../domain/instruments.ts'
import { ComparedSession } from './compared-session.ts'

const nothing = async function* () {
  // Nothing is listed.
}

it('a reconciliation of a futures account reads its wallets, and never asks for those of another account', async () => {
  const session = Object.assign(new ComparedSession(), {
    ledger: new Ledger([FUTURES_BTC], [['USDT', amountOf('1000')]]),
  })
  let balance = '1000'
  const reads = {
    account: async () => [
      {
        ...{ marginCoin: 'USDT', balance: new Decimal(balance), orderMargin: new Decimal(0) },
        ...{ isolatedMargin: new Decimal(0), contracts: [] },
      },
    ],
    allTransactions: async function* () {
      if (balance !== '1000')
        yield { id: '5', type: 'transferIn', amount: new Decimal(500), time: session.clock.now() }
    },
  }
  const trading: Pick<TradingCalls, 'openOrders' | 'myTrades' | 'allMyTrades'> = {
    openOrders: async () => [],
    myTrades: async () => [],
    allMyTrades: nothing,
  }
  const contract = { contractName: 'E-BTC-USDT', quote: 'USDT', marginMode: 'isolated' } as const
  const reconciler = session.reconcilerWith({
    trading: trading as TradingCalls, // all that is called
    instruments: new Map([['BTC/USDT', FUTURES_BTC]]),
    account: { balances: () => Promise.reject(new Error('Nobody may ask.')) },
    futures: {
      reads: reads as unknown as FuturesReads, // as far as it is read
      contracts: [{ ...contract, instrument: FUTURES_BTC }],
    },
  })
  expect(await session.looksOf(reconciler, 1, 10)).toBe('agreed')
  balance = '1500'
  expect(await session.looksOf(reconciler, 1, 2000)).toBe('suspected')
  expect(await session.looksOf(reconciler, 1, 10)).toBe('agreed')
  expect(session.reports).toMatchObject([{ type: 'balanceAdjusted', asset: 'USDT', cause: 'transfer' }])
  expect(amountToText(session.ledger.balances.of('USDT'))).toBe('1500')
})
