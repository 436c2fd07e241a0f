import { describe, expect, it } from 'vitest'
import { amountOf, amountToText, ZERO } from '../../src/domain/numbers/amount.ts'
import type { OrderDraft } from '../../src/domain/orders/order-request.ts'
import { bookFill, EMPTY_HOLDING, type Holding } from '../../src/ledger/fill-position.ts'
import { MARGIN_BTC, SPOT_BTC } from '../domain/instruments.ts'
import { type FillText, fillOf, requestOf } from './order-parts.ts'

type Step = FillText & Partial<Pick<OrderDraft, 'clientOrderId' | 'side' | 'purpose' | 'protects' | 'tag'>>

/** Books one fill after another, each of its own order, and tells the holding and every round trip. */
function book(steps: readonly Step[], instrument = MARGIN_BTC) {
  let holding: Holding = EMPTY_HOLDING
  const roundTrips = steps.flatMap((step, index) => {
    const { side = 'buy', purpose = 'entry', clientOrderId = `order-${index}`, protects, tag } = step
    const request = requestOf({
      clientOrderId,
      side,
      purpose,
      ...(protects !== undefined && { protects }),
      ...(tag !== undefined && { tag }),
    })
    const booked = bookFill(instrument, holding, fillOf(request, { time: index, ...step }), request)
    holding = booked.holding
    return booked.roundTrips
  })
  return { holding, roundTrips }
}

/** The parts of round trips that were worked out by hand, money as text. */
const outcomes = (roundTrips: ReturnType<typeof book>['roundTrips']) =>
  roundTrips.map(({ quantity, entryPrice, exitPrice, pnl, fees }) => [
    quantity,
    entryPrice,
    exitPrice,
    amountToText(pnl),
    amountToText(fees),
  ])

const TWO_LOTS: readonly Step[] = [
  { clientOrderId: 'first', price: '100', quantity: '2', fee: '0.1' },
  { clientOrderId: 'second', price: '110', quantity: '1', fee: '0.11', tag: 'late' },
]

describe('a position', () => {
  it('is the lots of its entries', () => {
    const { position } = book(TWO_LOTS).holding
    expect(position).toMatchObject({ symbol: 'BTC/USDT', direction: 'long', quantity: 3000 })
    expect(position?.lots).toEqual([
      {
        clientOrderId: 'first',
        quantity: 2000,
        price: 10_000,
        time: 0,
        fee: amountOf('0.1'),
        reason: 'entry',
      },
      {
        clientOrderId: 'second',
        quantity: 1000,
        price: 11_000,
        time: 1,
        fee: amountOf('0.11'),
        reason: 'entry',
        tag: 'late',
      },
    ])
  })

  it('closes lots first in, first out, and shares fees by quantity', () => {
    const exit: Step = { side: 'sell', purpose: 'exit', price: '120', quantity: '2.5', fee: '0.3' }
    const { holding, roundTrips } = book([...TWO_LOTS, exit])
    expect(outcomes(roundTrips)).toEqual([
      // 2 × 20 = 40, less 0.1 and 2 / 2.5 of 0.3.
      [2000, 10_000, 12_000, '39.66', '0.34'],
      // 0.5 × 10 = 5, less half of 0.11 and 0.5 / 2.5 of 0.3.
      [500, 11_000, 12_000, '4.885', '0.115'],
    ])
    expect(roundTrips[1]).toMatchObject({
      direction: 'long',
      entryTime: 1,
      exitTime: 2,
      entryReason: 'entry',
      exitReason: 'exit',
      tag: 'late',
    })
    expect(holding.position).toMatchObject({ quantity: 500, lots: [{ fee: amountOf('0.055') }] })
  })

  it('loses, when short, what the price rises', () => {
    const { holding, roundTrips } = book([
      { side: 'sell', price: '100', quantity: '1', fee: '0.05' },
      { side: 'buy', purpose: 'stopLoss', price: '103', quantity: '1', fee: '0.0515' },
    ])
    expect(outcomes(roundTrips)).toEqual([[1000, 10_000, 10_300, '-3.1015', '0.1015']])
    expect(roundTrips[0]).toMatchObject({ direction: 'short', exitReason: 'stopLoss' })
    expect(holding).toEqual(EMPTY_HOLDING)
  })

  it('turns around when more is sold than held', () => {
    const { holding, roundTrips } = book([
      { price: '100', quantity: '1' },
      { clientOrderId: 'turn', side: 'sell', price: '90', quantity: '3', fee: '0.27' },
    ])
    expect(outcomes(roundTrips)).toEqual([[1000, 10_000, 9_000, '-10.09', '0.09']])
    expect(holding.position).toMatchObject({
      direction: 'short',
      quantity: 2000,
      lots: [{ clientOrderId: 'turn', quantity: 2000, price: 9_000, fee: amountOf('0.18') }],
    })
  })

  it('loses the lot that a protective order protects before earlier ones', () => {
    const stop: Step = { side: 'sell', purpose: 'stopLoss', protects: 'second', price: '105', quantity: '1' }
    const { holding, roundTrips } = book([...TWO_LOTS, stop])
    expect(outcomes(roundTrips)).toEqual([[1000, 11_000, 10_500, '-5.11', '0.11']])
    expect(holding.position?.lots.map(lot => lot.clientOrderId)).toEqual(['first'])
  })

  it('keeps its lots in order of entry when a later one is cut', () => {
    const cut: Step = {
      side: 'sell',
      purpose: 'takeProfit',
      protects: 'second',
      price: '120',
      quantity: '0.4',
    }
    const { lots } = book([...TWO_LOTS, cut]).holding.position ?? { lots: [] }
    expect(lots.map(lot => [lot.clientOrderId, lot.quantity])).toEqual([
      ['first', 2000],
      ['second', 600],
    ])
  })

  it('gives the whole fee of an exit to its round trips where it does not divide', () => {
    const exit: Step = { side: 'sell', price: '110', quantity: '3', fee: '0.000000000000000010' }
    const thirds = ['a', 'b', 'c'].map(clientOrderId => ({ clientOrderId, price: '100', quantity: '1' }))
    const { roundTrips } = book([...thirds, exit])
    expect(roundTrips.reduce((sum, { fees }) => sum + fees, 0n)).toBe(10n)
  })
})

describe('a spot position whose fees are taken in base', () => {
  const buy = (price: string, quantity: string, fee: string): Step => ({
    price,
    quantity,
    fee,
    feeAsset: 'BTC',
  })

  it('is smaller by the fee, in whole steps, and keeps the rest as dust', () => {
    const { position, dust } = book([buy('100', '1', '0.0015')], SPOT_BTC).holding
    // 1 - 0.0015 = 0.9985.
    expect(position).toMatchObject({ quantity: 998, lots: [{ fee: amountOf('0.15') }] })
    expect(amountToText(dust)).toBe('0.0005')
  })

  it('grows by a step once its dust makes one', () => {
    const { position, dust } = book([buy('100', '1', '0.0015'), buy('100', '1', '0.0015')], SPOT_BTC).holding
    expect(position?.lots.map(lot => lot.quantity)).toEqual([998, 999])
    expect(dust).toBe(ZERO)
  })

  it('is none where less than a step is left', () => {
    const { position, dust } = book([buy('100', '0.001', '0.000001')], SPOT_BTC).holding
    expect(position).toBeUndefined()
    expect(amountToText(dust)).toBe('0.000999')
  })

  it('loses no fee where less than a step is left: the next lot bears it', () => {
    const tiny = buy('100', '0.001', '0.000001')
    expect(book([tiny], SPOT_BTC).holding.dustFee).toBe(amountOf('0.0001'))
    // Its own fee of 0.0004 besides; the dust of the first makes it a step.
    const { position, dustFee } = book([tiny, buy('200', '0.001', '0.000002')], SPOT_BTC).holding
    expect(position?.lots).toMatchObject([{ quantity: 1, fee: amountOf('0.0005') }])
    expect(dustFee).toBeUndefined()
  })

  it('bears the fee of dust later where all else is sold before', () => {
    const sale: Step = { side: 'sell', price: '110', quantity: '1', fee: '0' }
    const steps = [buy('100', '1', '0'), buy('100', '0.001', '0.000001'), sale]
    expect(book(steps, SPOT_BTC).holding).toMatchObject({ dustFee: amountOf('0.0001') })
    const { holding, roundTrips } = book([...steps, buy('100', '1', '0'), sale], SPOT_BTC)
    expect(roundTrips.map(({ fees }) => fees)).toEqual([ZERO, amountOf('0.0001')])
    expect(holding.dustFee).toBeUndefined()
  })

  it('counts the fee at the price of the fill, and keeps dust over a sale', () => {
    const sale: Step = { side: 'sell', price: '110', quantity: '0.998', fee: '0.10978' }
    const { holding, roundTrips } = book([buy('100', '1', '0.0015'), sale], SPOT_BTC)
    // 0.998 × 10 = 9.98, less 0.15 and 0.10978.
    expect(outcomes(roundTrips)).toEqual([[998, 10_000, 11_000, '9.72022', '0.25978']])
    expect(holding.position).toBeUndefined()
    expect(amountToText(holding.dust)).toBe('0.0005')
  })
})

describe('a sale whose fee is taken in base, as by an account that pays fees in the token it trades', () => {
  const sell = { side: 'sell', price: '110', feeAsset: 'BTC' } as const

  it('leaves the rest of the position whole: other base pays the fee', () => {
    const bought: Step = { price: '100', quantity: '1' }
    const { holding, roundTrips } = book([bought, { ...sell, quantity: '0.4', fee: '0.0015' }], SPOT_BTC)
    // 0.4 × 10 = 4, less 0.0015 × 110.
    expect(outcomes(roundTrips)).toEqual([[400, 10_000, 11_000, '3.835', '0.165']])
    expect(holding.position?.quantity).toBe(600)
    expect(amountToText(holding.dust)).toBe('-0.0015')
  })

  it('opens a short of all that was sold, on margin', () => {
    const { position, dust } = book([{ ...sell, quantity: '1', fee: '0.0015' }]).holding
    expect(position).toMatchObject({ direction: 'short', quantity: 1000 })
    expect(amountToText(dust)).toBe('-0.0015')
  })
})
