import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Instrument } from '../../src/domain/instrument.ts'
import { type Amount, amountOf, amountToText } from '../../src/domain/numbers/amount.ts'
import { steps, type Ticks, ticks } from '../../src/domain/numbers/grid.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { FUTURES_BTC, SPOT_BTC } from '../domain/instruments.ts'
import { fillOf, requestOf } from './order-parts.ts'

const LISTED: readonly Instrument[] = [
  SPOT_BTC,
  { ...SPOT_BTC, symbol: 'ETH/USDT', base: 'ETH' },
  { ...SPOT_BTC, symbol: 'BTC/EUR', quote: 'EUR' },
  { ...FUTURES_BTC, symbol: 'E-BTC-USDT' },
  { ...FUTURES_BTC, symbol: 'E-BTC-EUR', quote: 'EUR' },
]

/** 2 BTC and 30 ETH on spot; 5 contracts of 0.01 BTC long at 2.0 USDT, and 7 short at 3.0 EUR. */
function ledgerOf(): Ledger {
  const ledger = new Ledger(LISTED, {
    spot: [
      ['USDT', amountOf('1000')],
      ['BTC', amountOf('2')],
      ['ETH', amountOf('30')],
    ],
    futures: [
      ['USDT', amountOf('100')],
      ['EUR', amountOf('100')],
    ],
  })
  for (const [symbol, feeAsset, side, count, price] of [
    ['E-BTC-USDT', 'USDT', 'buy', 5, 20],
    ['E-BTC-EUR', 'EUR', 'sell', 7, 30],
  ] as const) {
    const request = requestOf({ clientOrderId: symbol, symbol, book: symbol, side, quantity: steps(count) })
    ledger.orders.add(request)
    ledger.orders.update(symbol, 'submitted')
    const fill = fillOf(request, { price: '1', quantity: '1', feeAsset })
    ledger.book({ ...fill, price: ticks(price), quantity: steps(count) })
  }
  return ledger
}

const anyPrice = fc.option(fc.integer({ min: 1, max: 100_000 }).map(ticks), { nil: undefined })
/** A price, or none, of each instrument. */
const anyPrices = fc.tuple(...LISTED.map(() => anyPrice))

describe('equity at prices that the ledger does not know yet', () => {
  it('is what the ledger says once it knows them', () => {
    fc.assert(
      fc.property(anyPrices, anyPrices, (known, fresh) => {
        const [ledger, informed] = [ledgerOf(), ledgerOf()]
        for (const [index, instrument] of LISTED.entries()) {
          const before = known[index]
          if (before !== undefined) ledger.mark(instrument, before)
          const latest = fresh[index] ?? before
          if (latest !== undefined) informed.mark(instrument, latest)
        }
        const prices = { priceOf: (symbol: string) => fresh[LISTED.findIndex(one => one.symbol === symbol)] }
        for (const quote of ['USDT', 'EUR']) expect(ledger.equity(quote, prices)).toBe(informed.equity(quote))
      }),
    )
  })

  it('goes by the mark price of a contract where no other is known', () => {
    const ledger = ledgerOf()
    for (const instrument of LISTED) ledger.markContract(instrument, ticks(40))
    const none = { priceOf: (): Ticks | undefined => undefined }
    // 1100, and a profit of 0.05 × (4.0 − 2.0); 100 less a loss of 0.07 × (4.0 − 3.0). What is spot has no price.
    expect(['USDT', 'EUR'].map(quote => amountToText(ledger.equity(quote, none)))).toEqual([
      '1100.1',
      '99.93',
    ])
  })
})

describe('equity of what is owned', () => {
  it('has every digit, however small the fraction of a base or large the whole', () => {
    const amounts = fc.tuple(
      ...LISTED.map(() =>
        fc.oneof(
          fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
          fc.integer().map(units => BigInt(units) * 10n ** 10n),
        ),
      ),
    )
    const prices = fc.array(fc.integer({ min: 1, max: 10 ** 12 }).map(ticks), { minLength: 2, maxLength: 2 })
    const precision = fc.integer({ min: 0, max: 15 })
    fc.assert(
      fc.property(
        amounts,
        prices,
        precision,
        ([btc = 0n, eth = 0n], [btcPrice, ethPrice], pricePrecision) => {
          const listed = LISTED.slice(0, 2).map((one, index) =>
            index === 0 ? one : { ...one, pricePrecision },
          )
          const ledger = new Ledger(listed, [['USDT', amountOf('1')]])
          const owned = [btc, eth] as Amount[]
          const at = [btcPrice, ethPrice] as Ticks[]
          let expected = 10n ** 18n
          for (const [index, instrument] of listed.entries()) {
            ledger.setBalance(instrument.base, owned[index] as Amount)
            ledger.mark(instrument, at[index] as Ticks)
            expected +=
              (BigInt(at[index] as Ticks) * (owned[index] as Amount)) /
              10n ** BigInt(instrument.pricePrecision)
          }
          expect(ledger.equity('USDT')).toBe(expected)
        },
      ),
    )
  })

  it('follows each booking, also of another instrument of the same base', () => {
    const ledger = ledgerOf()
    ledger.mark(LISTED[0] as Instrument, ticks(10_000))
    ledger.mark(LISTED[2] as Instrument, ticks(9_000))
    // 1000 and 100 USDT with 2 BTC at 100; the contracts have no price yet.
    expect(amountToText(ledger.equity('USDT'))).toBe('1300')
    expect(amountToText(ledger.equity('EUR'))).toBe('280')
    const request = requestOf({ clientOrderId: 'eur', symbol: 'BTC/EUR', book: 'BTC/EUR' })
    ledger.orders.add(request)
    ledger.orders.update('eur', 'submitted')
    ledger.book(fillOf(request, { price: '90', quantity: '1' }))
    // One BTC more, for 90 EUR.
    expect(amountToText(ledger.equity('USDT'))).toBe('1400')
    expect(amountToText(ledger.equity('EUR'))).toBe('280')
  })
})
