import { describe, expect, it } from 'vitest'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf, amountToText, rateOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import { orderMargin } from '../../src/ledger/contract-margin.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { FUTURES_BTC, futuresWith, MARGIN_BTC } from '../domain/instruments.ts'
import { ContractSession } from './contract-session.ts'
import { fillOf, requestOf } from './order-parts.ts'

const BOOK = 'BTC/USDT'
const CROSS = futuresWith({ marginMode: 'cross' })

describe('what an order reserves', () => {
  it.each([
    // A tenth of 100 at leverage 10, and the larger of both fees.
    ['the maker fee where that is larger', '0.0004', '0.0003', FUTURES_BTC, '10.04'],
    ['the taker fee where that is larger', '0.0003', '0.0004', FUTURES_BTC, '10.04'],
    ['no fee where both are rebates', '-0.0002', '-0.0001', FUTURES_BTC, '10'],
    ['a taker fee beside a rebate', '-0.0002', '0.0001', FUTURES_BTC, '10.01'],
    ['all of its worth without contracts', '0.0003', '0.0004', MARGIN_BTC, '100.04'],
  ] as const)('has %s', (_fact, maker, taker, instrument: Instrument, text) => {
    const fees = { maker: rateOf(maker), taker: rateOf(taker), paidIn: 'quote' } as const
    expect(amountToText(orderMargin({ ...instrument, fees }, amountOf('100')))).toBe(text)
  })
})

describe('what closing a part of a position gives back to orders', () => {
  // 100 contracts of 0.01 BTC at 20,000; of 40 the cost is 8000 and the fee 0.05% of it.
  it.each([
    // A tenth of 8000, less the fee; the loss of a cross position has been taken from what is free already.
    ['cross', 19_000, '796'],
    ['cross', 21_000, '796'],
    // The same, less a loss of 0.4 × 1000, or without a profit.
    ['isolated', 19_000, '396'],
    ['isolated', 21_000, '796'],
  ] as const)('is its margin less fee and loss: %s at %i', (marginMode, mark, freed) => {
    const session = new ContractSession(futuresWith({ marginMode }))
    session.trade({ side: 'buy', quantity: 100, price: 20_000 })
    session.mark(mark)
    const { contracts } = session.ledger
    expect(amountToText(contracts.freedBy(BOOK, steps(40)))).toBe(freed)
    expect(contracts.freedBy('BTC/USDT#other', steps(40))).toBe(amountOf('0'))
  })
})

describe('the margin that an exchange reports', () => {
  it('is that of the position, and nothing where none is held', () => {
    const session = new ContractSession(FUTURES_BTC)
    session.ledger.contracts.setMargin(BOOK, amountOf('7'))
    expect(session.ledger.contracts.areNone).toBe(true)
    session.trade({ side: 'buy', quantity: 100, price: 20_000 })
    session.ledger.contracts.setMargin(BOOK, amountOf('2500'))
    expect(session.ledger.contracts.of(BOOK)).toMatchObject({ quantity: 100, margin: amountOf('2500') })
    expect(amountToText(session.ledger.free('USDT'))).toBe('7490')
  })

  it('is money that orders of its own quote cannot use', () => {
    const inEuros = { ...FUTURES_BTC, symbol: 'BTC/EUR', quote: 'EUR' }
    const ledger = new Ledger(
      [FUTURES_BTC, inEuros],
      [
        ['USDT', amountOf('1000')],
        ['EUR', amountOf('500')],
      ],
    )
    for (const { symbol, quote: feeAsset } of [FUTURES_BTC, inEuros]) {
      const request = requestOf({ clientOrderId: symbol, symbol, book: symbol, quantity: steps(10) })
      ledger.orders.add(request)
      ledger.orders.update(symbol, 'submitted')
      const fill = fillOf(request, { price: '1', quantity: '1', feeAsset })
      ledger.book({ ...fill, price: ticks(feeAsset === 'EUR' ? 5000 : 10_000), quantity: steps(10) })
    }
    // A tenth of 0.1 BTC at 1000 USDT, and at 500 EUR.
    expect(['USDT', 'EUR'].map(quote => amountToText(ledger.free(quote)))).toEqual(['990', '495'])
  })
})

describe('losses that the exchange has borne', () => {
  it.each([FUTURES_BTC, CROSS])('are known after a restart ($futures.marginMode)', instrument => {
    const before = new ContractSession(instrument, '2010')
    before.trade({ side: 'buy', quantity: 100, price: 20_000 })
    before.trade({ side: 'sell', quantity: 100, price: 17_000, reduceOnly: true })
    // 3000 lost and a fee of 8.5, of which 2000 were paid for.
    expect(amountToText(before.ledger.contracts.borneLoss('USDT'))).toBe('1008.5')
    const after = new ContractSession(instrument)
    after.ledger.restore(before.ledger.snapshot())
    expect(amountToText(after.ledger.contracts.borneLoss('USDT'))).toBe('1008.5')
    expect(amountToText(after.ledger.contracts.borneLoss('EUR'))).toBe('0')
  })
})

describe('the price that liquidates a position', () => {
  // 100 contracts of 0.01 BTC at 20,000, with a margin of 2000: (20,000 ∓ 2000) ÷ (1 ∓ 0.5), and none where all must be kept.
  it.each([
    ['long', 'buy', '0.4995', '36000'],
    ['short', 'sell', '0.4995', '14666.666666666666666666'],
    ['long', 'buy', '0.9995', '0'],
    ['long', 'buy', '1.5', '0'],
    ['short', 'sell', '0.9995', '11000'],
    // Nothing but the fee: 18,000 ÷ 0.9995.
    ['long', 'buy', undefined, '18009.004502251125562781'],
  ] as const)('of a %s one is shown however much must be kept', (_direction, side, rate, price) => {
    const maintenance = rate === undefined ? [] : [{ rate: rateOf(rate) }]
    const session = new ContractSession(futuresWith({ maintenance }))
    session.trade({ side, quantity: 100, price: 20_000 })
    expect(amountToText(session.ledger.liquidations.priceOf(BOOK) ?? amountOf('-1'))).toBe(price)
  })
})
