import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { affordable } from '../../../backtest/fills/affordable.ts'
import { type Instrument, OWN_FUNDS } from '../../../src/domain/instrument.ts'
import { type Amount, add, divide, times, ZERO } from '../../../src/domain/numbers/amount.ts'
import { priceAmount, steps, stepsWithin, ticks } from '../../../src/domain/numbers/grid.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { SPOT } from '../../engine/engine-session.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const WITH_QUOTE_FEES: Instrument = { ...SPOT, fees: { ...SPOT.fees, paidIn: 'quote' } }

/** A margin account that borrows nothing. */
const ON_MARGIN: Instrument = { ...SPOT, ...OWN_FUNDS }

/** Money around what the order costs, to the last of its digits. */
const anyOrder = fc.record({
  price: fc.integer({ min: 1, max: 10_000_000 }),
  wanted: fc.integer({ min: 1, max: 1_000_000 }),
  short: fc.oneof(fc.bigInt({ min: -3n, max: 3n }), fc.bigInt({ min: 0n, max: 10n ** 19n })),
  instrument: fc.constantFrom(SPOT, WITH_QUOTE_FEES, ON_MARGIN),
})

describe('what an account that borrows nothing can pay for', () => {
  it('is the quotient of money and price with fee, in whole steps, and no more than wanted', () => {
    let cut = 0
    fc.assert(
      fc.property(anyOrder, ({ price, wanted, short, instrument }) => {
        const unit = priceAmount(instrument, ticks(price))
        const fee = instrument.fees.paidIn === 'quote' ? times(unit, instrument.fees.taker) : ZERO
        const cost = (add(unit, fee) * BigInt(wanted)) / 1000n
        const money = (cost > short ? cost - short : 0n) as Amount // every whole number of units is an amount
        const ledger = new Ledger([instrument], [['USDT', money]])
        const payable = affordable(ledger, instrument, requestOf(), ticks(price), steps(wanted))
        expect(payable).toBe(Math.min(wanted, stepsWithin(instrument, divide(money, add(unit, fee)))))
        if (payable < wanted) cut++
      }),
      { numRuns: 500 },
    )
    expect(cut).toBeGreaterThan(50)
  })

  it('is, for a sale, what it owns in whole steps', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 3n * 10n ** 18n }),
        fc.integer({ min: 1, max: 3000 }),
        fc.constantFrom(SPOT, ON_MARGIN),
        (owned, wanted, instrument) => {
          const ledger = new Ledger([instrument], [['BTC', owned as Amount]]) // as above
          const sale = requestOf({ side: 'sell' })
          const deliverable = affordable(ledger, instrument, sale, ticks(100), steps(wanted))
          expect(deliverable).toBe(Math.min(wanted, Number(owned / 10n ** 15n)))
        },
      ),
    )
  })
})
