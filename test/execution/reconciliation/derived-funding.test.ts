import { describe, expect, it } from 'vitest'
import { amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { decimalOf } from '../../../src/domain/numbers/decimal.ts'
import { CallNotOfferedError } from '../../../src/exchange/errors/call-not-offered-error.ts'
import { ExchangeError } from '../../../src/exchange/errors/exchange-error.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import { FuturesBooks } from './futures-books.ts'

const HOUR = 3_600_000
const NOTHING_LISTED = new CallNotOfferedError('futuresTransactions', 'host', 'p', 'Without it.')

/** A long of 100 contracts of 0.01 BTC at 100.0, worth 100 USDT, that agreed ten minutes before a full hour. */
async function held(listError: Error | undefined): Promise<FuturesBooks> {
  const books = Object.assign(new FuturesBooks(), { listError })
  books.trade('buy', 100, 1000)
  books.positions = [{ volume: '100' }]
  expect(await books.look(HOUR - 600_000)).toBe('agreed')
  return books
}

const paymentsOf = ({ events }: FuturesBooks) =>
  events.flatMap(event =>
    event.type === 'fundingPaid' ? [{ ...event.payment, amount: amountToText(event.payment.amount) }] : [],
  )
const walletOf = ({ ledger }: FuturesBooks) => amountToText(ledger.balances.in('futures').of('USDT'))
const causesOf = ({ reports }: FuturesBooks) =>
  reports.flatMap(report => (report.type === 'balanceAdjusted' ? [report.cause] : []))

describe('where the exchange lists no transactions', () => {
  it.each([
    ['its profile says so', NOTHING_LISTED],
    [
      'it does not know the path',
      new ExchangeError({ endpoint: 'a', httpStatus: 404, exchangeCode: undefined, reason: 'Not Found' }),
    ],
    [
      'its gateway does not',
      new ExchangeError({ endpoint: 'a', httpStatus: 200, exchangeCode: -1002, reason: '' }),
    ],
  ])(
    'a payment that position and rate explain is funding of the amount in the wallet: %s',
    async (_, error) => {
      const books = await held(error)
      // 100 USDT × 0.0001 = 0.01, and the mark price has moved by 2 % since the settlement.
      books.balance = '999.9898'
      Object.assign(books, { now: HOUR + 60_000 })
      expect(await books.believe()).toBe('agreed')
      expect(paymentsOf(books)).toEqual([
        expect.objectContaining({ book: 'BTC/USDT', amount: '0.0102', time: HOUR, derived: true }),
      ])
      expect([walletOf(books), causesOf(books), books.halts]).toEqual(['999.9898', [], []])
      expect(books.reports).toEqual([{ type: 'transactionsUnlisted' }])
      // It is booked once, and the list is not asked for again.
      expect([await books.look(HOUR + 120_000), paymentsOf(books)]).toHaveLength(2)
      expect([paymentsOf(books).length, books.askedFrom.length]).toEqual([1, 1])
    },
  )

  it('one refusal of a list that was there before says nothing, twenty in a row do', async () => {
    const books = await held(undefined)
    expect(books.askedFrom).toHaveLength(1)
    const refusal = new ExchangeError({ endpoint: 'a', httpStatus: 404, exchangeCode: undefined, reason: '' })
    Object.assign(books, { listError: refusal, now: HOUR + 60_000, balance: '999.9898' })
    await expect(books.look(HOUR + 60_000)).rejects.toThrow(refusal)
    Object.assign(books, { listError: undefined })
    expect(await books.look(HOUR + 61_000)).toBe('suspected')
    Object.assign(books, { listError: refusal })
    for (let look = 1; look < 20; look++) await expect(books.look(HOUR + 62_000)).rejects.toThrow(refusal)
    expect(books.reports).toEqual([])
    await books.look(HOUR + 63_000)
    expect(books.reports[0]).toEqual({ type: 'transactionsUnlisted' })
  })

  it('a fee that somebody else paid for contracts of the same coin is no funding, although it is as large', async () => {
    const books = await held(NOTHING_LISTED)
    books.balance = '999.99'
    books.tradesOfOthers.push({ symbol: 'ETH/USDT', side: 'sell' } as OwnTrade)
    Object.assign(books, { now: HOUR + 60_000 })
    await books.believe()
    expect([paymentsOf(books), causesOf(books), walletOf(books)]).toEqual([[], ['trades'], '999.99'])
  })

  it('a wallet that differs beside a position that does is no funding either', async () => {
    const books = await held(NOTHING_LISTED)
    books.balance = '999.99'
    books.positions = [{ volume: '100' }, { contractName: 'E-ETH-USDT', volume: '2', direction: 'short' }]
    Object.assign(books, { now: HOUR + 60_000 })
    await books.believe()
    expect([paymentsOf(books), causesOf(books), walletOf(books)]).toEqual([[], ['unlisted'], '999.99'])
    expect(books.halts).toMatchObject([['ETH/USDT', expect.stringContaining('2 contracts')]])
  })

  it('what an exchange no longer holds pays nothing, although the books of a halted symbol have it', async () => {
    const books = await held(NOTHING_LISTED)
    books.trade('buy', 1, 1000, 0, books.eth)
    books.positions = [{ volume: '100' }]
    await books.believe()
    expect(books.halts).toMatchObject([['ETH/USDT', expect.stringContaining('no transactions')]])
    // With the 0.5 that ETH would pay, 0.01 would be too little to be funding.
    books.balance = '999.99'
    Object.assign(books, { now: HOUR + 60_000 })
    await books.believe()
    expect(paymentsOf(books)).toMatchObject([{ book: 'BTC/USDT', amount: '0.01' }])
  })

  it('a short receives it', async () => {
    const books = Object.assign(new FuturesBooks(), { listError: NOTHING_LISTED })
    books.trade('sell', 100, 1000)
    books.positions = [{ volume: '100', direction: 'short' }]
    await books.look(HOUR - 1)
    books.balance = '1000.01'
    Object.assign(books, { now: HOUR + 1 })
    await books.believe()
    expect(paymentsOf(books)).toMatchObject([{ amount: '-0.01', book: 'BTC/USDT' }])
  })

  it('a payment may come minutes after its full hour', async () => {
    const books = await held(NOTHING_LISTED)
    expect(await books.look(HOUR + 1000)).toBe('agreed')
    books.balance = '999.99'
    Object.assign(books, { now: HOUR + 240_000 })
    await books.believe()
    expect(paymentsOf(books)).toMatchObject([{ amount: '0.01', time: HOUR }])
  })

  it('several positions share it as they pay', async () => {
    const books = await held(NOTHING_LISTED)
    // ETH is at a rate of 0.5: 1 contract of 0.01 at 100.0 pays 0.5, beside the 0.01 of BTC.
    books.trade('buy', 1, 1000, 0, books.eth)
    books.positions = [{ volume: '100' }, { contractName: 'e-eth-usdt', volume: '1' }]
    await books.look(HOUR - 300_001)
    books.balance = '999.49'
    Object.assign(books, { now: HOUR + 60_000 })
    await books.believe()
    expect(paymentsOf(books)).toMatchObject([
      { book: 'BTC/USDT', amount: '0.01' },
      { book: 'ETH/USDT', amount: '0.5' },
    ])
    expect(walletOf(books)).toBe('999.49')
  })

  it.each([
    ['more than the rate says', '999.98', HOUR + 60_000],
    ['of the other sign', '1000.01', HOUR + 60_000],
    ['before the full hour', '999.99', HOUR - 500_000],
  ])('a change is adopted without a reason, and halts nothing, if it is %s', async (_, balance, now) => {
    const books = await held(NOTHING_LISTED)
    Object.assign(books, { balance, now })
    await books.believe()
    expect([paymentsOf(books), causesOf(books), books.halts]).toEqual([[], ['unlisted'], []])
    expect(walletOf(books)).toBe(balance)
  })

  it('several settlements that were missed are one payment, up to three times the last rate each', async () => {
    // Eight full hours, at 0.0001 each on 100 USDT: up to 0.24 USDT.
    const booksAfter = async (balance: string) => {
      const books = await held(NOTHING_LISTED)
      Object.assign(books, { balance, now: 8 * HOUR + 60_000 })
      await books.believe()
      return [paymentsOf(books).map(({ amount }) => amount), causesOf(books)]
    }
    expect(await booksAfter('999.77')).toEqual([['0.23'], []])
    expect(await booksAfter('999.75')).toEqual([[], ['unlisted']])
  })

  it('a close that nobody explains waits for a person', async () => {
    const books = await held(NOTHING_LISTED)
    books.positions = []
    await books.believe()
    expect(books.halts).toEqual([
      [
        'BTC/USDT',
        'The exchange has 0 contracts of E-BTC-USDT long, our books 100, and the exchange lists no transactions that would tell what closed the missing 100; look at the account, open as many again by hand, then restart the bot.',
      ],
    ])
  })

  it('a close by trades of others is booked at their price and fee', async () => {
    const books = await held(NOTHING_LISTED)
    const trade = { id: '21', time: 90_000, symbol: 'BTC/USDT', side: 'sell', feeAsset: 'USDT' }
    const numbers = { price: decimalOf(99), quantity: decimalOf(40), fee: decimalOf('0.02') }
    books.tradesOfOthers.push({ ...trade, ...numbers } as OwnTrade) // as far as it is read
    books.positions = [{ volume: '60' }]
    // 0.4 BTC bought at 100 and sold at 99.
    books.balance = '999.58'
    await books.believe()
    expect(books.halts).toEqual([])
    const liquidation = { quantity: 40, price: 990, fee: amountOf('0.02'), by: 'others' }
    expect(books.events).toMatchObject([{ type: 'liquidated', fillId: 'closed-21', liquidation }])
    expect([books.ledger.netQuantity('BTC/USDT'), walletOf(books)]).toEqual([60, '999.58'])
  })
})
