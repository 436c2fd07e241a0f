import { describe, expect, it } from 'vitest'
import { amountOf, amountToText } from '../../src/domain/numbers/amount.ts'
import { Decimal } from '../../src/domain/numbers/decimal.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import { Engine } from '../../src/engine/engine.ts'
import { BalanceComparison } from '../../src/execution/reconciliation/balance-comparison.ts'
import type { ReconcilerOptions } from '../../src/execution/reconciliation/reconciler-options.ts'
import type { TradeComparison } from '../../src/execution/reconciliation/trade-comparison.ts'
import { AccountBalances } from '../../src/ledger/account-balances.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { contractWith } from '../backtest/futures/contract-run.ts'
import { SPOT, scripted } from '../engine/engine-session.ts'
import { fillOf, requestOf } from './order-parts.ts'

const CONTRACT = { ...contractWith({ marginMode: 'cross' }), symbol: 'E-BTC-USDT' }

function twoAccounts(): Ledger {
  return new Ledger([SPOT, CONTRACT], {
    spot: [['USDT', amountOf('1000')]],
    futures: [['USDT', amountOf('300')]],
  })
}

const ENTRY = requestOf({ symbol: SPOT.symbol, book: SPOT.symbol, quantity: steps(2000) })
const SHORT = requestOf({
  ...{ clientOrderId: 'order-2', symbol: CONTRACT.symbol, book: CONTRACT.symbol, side: 'sell' },
  quantity: steps(4),
})

/** 2 BTC bought and 4 contracts of 0.5 BTC sold, both at 100. */
function hedged(): Ledger {
  const ledger = twoAccounts()
  for (const [request, quantity] of [
    [ENTRY, '2'],
    [SHORT, '0.004'],
  ] as const) {
    ledger.orders.add(request)
    ledger.orders.update(request.clientOrderId, 'submitted')
    ledger.book(fillOf(request, { price: '100', quantity }))
  }
  ledger.mark(SPOT, ticks(11_000))
  ledger.mark(CONTRACT, ticks(11_000))
  return ledger
}

describe('the balances of several accounts', () => {
  it('are each by itself, and together', () => {
    const { balances } = twoAccounts()
    expect(balances.isSingleAccount).toBe(false)
    expect(balances.in('spot').of('USDT')).toBe(amountOf('1000'))
    expect(balances.in('futures').of('USDT')).toBe(amountOf('300'))
    expect(balances.of('USDT')).toBe(amountOf('1300'))
    expect(balances.entries()).toEqual([['USDT', amountOf('1300')]])
  })

  it('are not asked without saying whose they are', () => {
    const { balances } = twoAccounts()
    expect(() => balances.in()).toThrow('There are several accounts, spot and futures; say which one.')
    expect(() => balances.in('margin')).toThrow('There is no margin account; there is spot and futures.')
    expect(() => new Ledger([SPOT, CONTRACT], [['USDT', amountOf('1')]])).toThrow(
      'There are several accounts',
    )
  })

  it('are those of one account where there is only one', () => {
    const balances = new AccountBalances([['USDT', amountOf('5')]], ['margin', 'margin'])
    expect(balances.isSingleAccount).toBe(true)
    expect(balances.in()).toBe(balances.in('margin'))
    expect(balances.entries()).toEqual([['USDT', amountOf('5')]])
  })
})

describe('a ledger of two accounts', () => {
  it('counts equity as the sum, and what is free by account', () => {
    const ledger = hedged()
    // 1000 − 200 + 2 × 110 on spot; 300 − 2 × 10 on futures.
    expect(amountToText(ledger.equity('USDT'))).toBe('1300')
    expect(amountToText(ledger.free('USDT', 'spot'))).toBe('800')
    // Less the margin of 200 ÷ 10 and the loss of 20.
    expect(amountToText(ledger.free('USDT', 'futures'))).toBe('260')
  })

  it('reserves the money of an order on its account only', () => {
    const ledger = twoAccounts()
    ledger.orders.add(ENTRY)
    expect(amountToText(ledger.free('USDT', 'spot'))).toBe('800')
    expect(amountToText(ledger.free('USDT', 'futures'))).toBe('300')
  })

  it('is the same after a snapshot', () => {
    const ledger = hedged()
    const again = twoAccounts()
    again.restore(ledger.snapshot())
    expect(again.snapshot()).toEqual(ledger.snapshot())
    expect(again.equity('USDT')).toBe(ledger.equity('USDT'))
    expect(again.free('USDT', 'futures')).toBe(ledger.free('USDT', 'futures'))
  })

  it('estimates what it knows exactly, also of the futures account alone', () => {
    const ledger = hedged()
    ledger.observeClose(SPOT.symbol, 110)
    ledger.observeClose(CONTRACT.symbol, 112)
    expect(ledger.equityAtCloses('USDT')).toBeCloseTo(1000 - 200 + 220 + 300 - 24, 9)
    expect(ledger.futuresEquityAtCloses('USDT')).toBeCloseTo(300 - 24, 9)
    ledger.setBalance('USDT', amountOf('310'), 'futures')
    ledger.setBalance('BTC', amountOf('3'), 'spot')
    expect(ledger.equityAtCloses('USDT')).toBeCloseTo(800 + 330 + 310 - 24, 9)
    expect(ledger.futuresEquityAtCloses('USDT')).toBeCloseTo(310 - 24, 9)
  })

  it('takes over what the exchange reports of one account', () => {
    const ledger = twoAccounts()
    const traded = { strategy: scripted({}), parameters: {}, interval: '1m', size: { base: 1 } } as const
    const strategies = [SPOT, CONTRACT].map(({ symbol }) => ({ ...traded, symbol }))
    const engine = new Engine({ bot: 'test', ledger, strategies })
    engine.process({
      type: 'balancesReported',
      account: 'futures',
      balances: new Map([['USDT', amountOf('7')]]),
      time: 0,
    })
    expect(ledger.balances.in('futures').of('USDT')).toBe(amountOf('7'))
    expect(ledger.balances.in('spot').of('USDT')).toBe(amountOf('1000'))
  })

  it('is compared with the account that its instruments are traded on', async () => {
    const events: unknown[] = []
    const answer = [{ asset: 'USDT', free: new Decimal(290), locked: new Decimal(5) }]
    const options = {
      ledger: twoAccounts(),
      instruments: new Map([CONTRACT, SPOT].map(one => [one.symbol, one])),
      account: { balances: () => Promise.resolve(answer) },
      tracker: { orders: { unlistedSalesOf: () => steps(0), offeredOf: () => steps(0) } },
      eventCount: () => 0,
      serverNow: () => 9,
      emit: (event: unknown) => events.push(event),
      onReport: () => undefined,
    } as unknown as ReconcilerOptions // all that a comparison of balances asks for
    const trades = { tradedByOthers: new Set(), tradesOfOthers: [] } as unknown as TradeComparison // the same
    const comparison = new BalanceComparison(options, trades)
    await comparison.read()
    expect([comparison.compare(), comparison.compare()]).toEqual(['suspected', 'agreed'])
    expect(events).toEqual([
      {
        type: 'balancesReported',
        account: 'spot',
        balances: new Map([['USDT', amountOf('295')]]),
        time: 9,
      },
    ])
  })
})
