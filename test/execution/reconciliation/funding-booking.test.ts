import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import { amountOf, amountToText, rateOf } from '../../../src/domain/numbers/amount.ts'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import { FuturesBooks, type Told } from './futures-books.ts'

const HOUR = 3_600_000
const feeOf = (id: string, amount: string, fields: Partial<Told> = {}): Told => ({
  ...{ id, type: 'fundingFee', amount, time: 1_000_500 },
  ...fields,
})
const paymentsOf = ({ events }: FuturesBooks) =>
  events.flatMap((event: EngineEvent) => (event.type === 'fundingPaid' ? [event.payment] : []))

/** One BTC held at 100.0 since time 0, and what the account paid since its first look. */
async function paid(
  transactions: readonly Told[],
  fields: Partial<Pick<FuturesBooks, 'lastFundingRate'>> = {},
  terms: ConstructorParameters<typeof FuturesBooks>[0] = {},
): Promise<FuturesBooks> {
  const books = Object.assign(new FuturesBooks(terms), fields)
  books.trade('buy', 100, 1000)
  books.positions = [{ volume: '100' }]
  await books.look()
  books.transactions = transactions
  await books.comparison.book()
  return books
}

describe('funding of a futures account', () => {
  it('is booked as what the position paid, at the last rate and the mark price', async () => {
    const books = new FuturesBooks()
    books.trade('buy', 100, 1000)
    books.ledger.markContract(books.btc.instrument, ticks(1010))
    await books.look()
    // 0.01% of 101.
    books.transactions = [feeOf('5', '-0.0101')]
    await books.comparison.book()
    expect(paymentsOf(books)).toEqual([
      {
        ...{ id: '5', symbol: 'BTC/USDT', book: 'BTC/USDT', amount: amountOf('0.0101') },
        ...{ rate: rateOf('0.0001'), price: ticks(1010), time: 1_000_500 },
      },
    ])
    expect(amountToText(books.ledger.balances.in('futures').of('USDT'))).toBe('999.9899')
  })

  it('is booked once, however often it is listed, also after a restart', async () => {
    const books = await paid([feeOf('5', '-0.01')])
    await books.comparison.book()
    expect(paymentsOf(books)).toHaveLength(1)
    books.transactions = [feeOf('5', '-0.01'), feeOf('6', '-0.02')]
    await books.comparison.book()
    expect(paymentsOf(books).map(({ id }) => id)).toEqual(['5', '6'])
  })

  it('is not booked where it was paid before the ledger began, for something else, or for a contract that is not ours', async () => {
    const books = await paid([
      feeOf('5', '-0.01', { time: 999_999 }),
      feeOf('6', '-0.01', { type: 'closingFee' }),
      feeOf('7', '-0.01', { of: 'XRPUSDT' }),
      feeOf('8', '-0.01', { of: null }),
      feeOf('9', '-0.01', { time: 1_000_000, of: 'e_btc-usdt' }),
    ])
    expect(paymentsOf(books).map(({ id }) => id)).toEqual(['9'])
  })

  it('is looked for from an hour before ledger and account last agreed, and never before the ledger began', async () => {
    const books = new FuturesBooks()
    await books.look(10 * HOUR)
    await books.look(10 * HOUR + 1)
    await books.look(12 * HOUR)
    await books.look(12 * HOUR + 1)
    expect(books.askedFrom).toEqual([0, 10 * HOUR, 10 * HOUR, 11 * HOUR])
  })

  it.each([
    // The worth is 100. A payment within a fiftieth of the last rate was at that rate.
    ['-0.01', '0.0001', '0.0001'],
    ['-0.0102', '0.0001', '0.0001'],
    ['-0.0103', '0.0001', '0.000103'],
    ['-0.0098', '0.0001', '0.0001'],
    ['-0.0097', '0.0001', '0.000097'],
    ['0.02', '-0.0002', '-0.0002'],
    ['0.0204', '-0.0002', '-0.0002'],
    ['0.03', '-0.0002', '-0.0003'],
    ['0.02', '0.0002', '-0.0002'],
  ])('of %s at a last rate of %s was paid at %s', async (amount, lastFundingRate, rate) => {
    const books = await paid([feeOf('5', amount)], { lastFundingRate })
    expect(paymentsOf(books)).toMatchObject([{ rate: rateOf(rate) }])
  })

  it('is the other way round for a short', async () => {
    const books = new FuturesBooks()
    books.trade('sell', 100, 1000)
    await books.look()
    books.transactions = [feeOf('5', '0.03'), feeOf('6', '-0.03')]
    await books.comparison.book()
    expect(paymentsOf(books)).toMatchObject([
      { amount: amountOf('-0.03'), rate: rateOf('0.0003') },
      { amount: amountOf('0.03'), rate: rateOf('-0.0003') },
    ])
  })

  it('of a position that is gone has the last rate', async () => {
    const books = new FuturesBooks()
    await books.look()
    books.transactions = [feeOf('5', '-0.5')]
    await books.comparison.book()
    expect(paymentsOf(books)).toMatchObject([{ rate: rateOf('0.0001'), price: 0, book: 'BTC/USDT' }])
  })

  it.each([
    // Where both sides are held, the side that pays at the last rate: longs a positive one.
    [['buy', 'sell'], '0.0001', '-0.01', 'long'],
    [['buy', 'sell'], '0.0001', '0.01', 'short'],
    [['buy', 'sell'], '-0.0001', '-0.01', 'short'],
    [['buy', 'sell'], '-0.0001', '0.01', 'long'],
    [['buy'], '0.0001', '0.01', 'long'],
    [['sell'], '0.0001', '-0.01', 'short'],
    [[], '0.0001', '-0.01', 'long'],
  ] as const)(
    'with %j held, at a rate of %s and with %s, is of the %s side',
    async (sides, lastFundingRate, amount, side) => {
      const books = Object.assign(new FuturesBooks({ positionMode: 'twoWay' }), { lastFundingRate })
      for (const one of sides) books.trade(one, 100, 1000)
      await books.look()
      books.transactions = [feeOf('5', amount)]
      await books.comparison.book()
      expect(paymentsOf(books)).toMatchObject([{ book: `BTC/USDT:${side}` }])
    },
  )

  it('is of the side that was held when it was paid', async () => {
    const books = new FuturesBooks({ positionMode: 'twoWay' })
    books.trade('buy', 100, 1000, 1_000_600)
    books.trade('sell', 100, 1000, 1_000_400)
    await books.look()
    books.transactions = [feeOf('5', '-0.01')]
    await books.comparison.book()
    expect(paymentsOf(books)).toMatchObject([{ book: 'BTC/USDT:short' }])
  })
})
