import { describe, expect, it } from 'vitest'
import { ledgerAtStart } from '../../../src/bot/doctor/account-at-start.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import { FUTURES_BTC, OWN_FUNDS_BTC, SPOT_BTC } from '../../domain/instruments.ts'
import { ContractSession } from '../../ledger/contract-session.ts'

const CONTRACT = { ...FUTURES_BTC, symbol: 'E-BTC-USDT' }
const usdt = (amount: string) => new Map([['USDT', amountOf(amount)]])

describe('ledgerAtStart', () => {
  it('counts the accounts together, a position of the journal at the mark price, and the balances of the exchange', () => {
    const before = new ContractSession(CONTRACT)
    before.trade({ side: 'sell', quantity: 10, price: 100_000 })
    const journaled = { ledger: before.ledger.snapshot(), instruments: before.ledger.instruments }
    const priced = [
      { instrument: SPOT_BTC, price: ticks(9_000_000) },
      { instrument: CONTRACT, price: ticks(900_000), markPrice: ticks(910_000) },
    ]
    const spot = new Map([...usdt('10000'), ['BTC', amountOf('0.1')] as const])
    const ledger = ledgerAtStart({ spot, futures: usdt('5000') }, priced, journaled)
    // 10,000 + 5,000; 0.1 BTC at 90,000; short 0.1 BTC from 100,000 at 91,000.
    expect(ledger.equity('USDT')).toBe(amountOf('24900'))
    // The initial margin of 10,000 USDT at leverage 10 is not free.
    expect(ledger.free('USDT', 'futures')).toBe(amountOf('4000'))
  })

  it('goes on from what the journal knows of a margin account, which the exchange does not tell', () => {
    const margin = { ...OWN_FUNDS_BTC, symbol: 'BTC/USDT@margin' }
    const before = ledgerAtStart({ margin: usdt('900') }, [{ instrument: margin, price: ticks(9_000_000) }])
    const journaled = { ledger: before.snapshot(), instruments: before.instruments }
    const priced = [
      { instrument: margin, price: ticks(9_000_000) },
      { instrument: SPOT_BTC, price: ticks(9_000_000) },
    ]
    const ledger = ledgerAtStart({ margin: usdt('1000'), spot: usdt('50') }, priced, journaled)
    expect(ledger.equity('USDT')).toBe(amountOf('950'))
  })
})
