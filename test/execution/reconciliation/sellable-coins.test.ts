import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import { spotTrading } from '../../../src/execution/gateway/spot-trading.ts'
import { REQUEST_LOST } from '../../faulty-transport.ts'
import { firstOf } from '../execution-session.ts'
import { ComparedSession } from './compared-session.ts'
import { SpotBooks } from './spot-books.ts'

describe('what can be sold of a position that is closed', () => {
  /** 1 BTC is held in a market whose stop-loss the exchange refuses, and 2 in another one. */
  function stopped(): SpotBooks {
    const books = new SpotBooks()
    books.hold('BTC/USDT', 'buy', '1')
    books.hold('BTC/EUR', 'buy', '2')
    books.closing.add('BTC/USDT')
    return books
  }

  it('is what is free where that is less than all positions, and is told once where orders lock the rest', async () => {
    const books = stopped()
    expect(await books.glance({ BTC: ['3', '1'] })).toBe(undefined)
    expect(await books.glance({ BTC: ['0.6', '2.4'] })).toBe('0.6')
    expect(await books.glance({ BTC: ['0.5', '2.5'] })).toBe('0.5')
    expect(books.reports).toEqual([
      {
        ...{ type: 'coinsLocked', symbol: 'BTC/USDT', asset: 'BTC' },
        ...{ free: amountOf('0.6'), exchange: amountOf('3') },
      },
    ])
    expect(await books.glance({ BTC: ['3', '0'] })).toBe(undefined)
  })

  it('does not count as missing what own sales of any market have sold and no trade shows yet', async () => {
    const books = stopped()
    books.executeUnlisted('BTC/EUR', '2', '0.5')
    // 3 are held by the books, of which 1.5 are sold.
    expect(await books.glance({ BTC: ['1.499', '1'] })).toBe('1.499')
    books.reports.length = 0
    expect(await books.glance({ BTC: ['1.5', '1'] })).toBe(undefined)
    expect(await books.glance({ BTC: ['1.5', '0'] })).toBe(undefined)
    expect(books.reports).toEqual([])
  })

  it('does not count as missing what own resting orders of any market offer, nor tells it as locked by others', async () => {
    const books = stopped()
    books.offer('BTC/EUR', '2', '0.5')
    // 3 are held by the books, of which 1.5 are offered still.
    expect(await books.glance({ BTC: ['1.5', '1.5'] })).toBe(undefined)
    expect(await books.glance({ BTC: ['1.4', '1.5'] })).toBe('1.4')
    expect([books.comparison.lockedCoins, books.reports]).toEqual([[], []])
    expect(await books.glance({ BTC: ['1.4', '1.6'] })).toBe('1.4')
    expect(books.comparison.lockedCoins).toEqual([
      { symbol: 'BTC/USDT', asset: 'BTC', free: amountOf('1.4'), exchange: amountOf('3') },
    ])
  })

  it('is noted while an order of unknown outcome keeps a look from its verdict', async () => {
    const session = new ComparedSession()
    const reconciler = session.reconcilerWith({
      trading: spotTrading(session.spot),
      account: session.account,
      closingOf: () => ({ books: new Set(['BTC/USDT']), price: undefined }),
    })
    session.place('own-1', { side: 'buy', quantity: steps(1000) })
    expect(await session.looksOf(reconciler, 3, 5000)).toBe('agreed')
    // Of 10.999 BTC, of which 0.999 are a position, a person locks 10.4.
    const locking = {
      symbol: 'BTC/USDT',
      type: 'limit',
      side: 'sell',
      quantity: '10.4',
      price: '120',
    } as const
    void session.spot.placeOrder({ ...locking, clientOrderId: 'by-hand' })
    await session.run(100)
    session.journeyOf = firstOf('POST /sapi/v2/order', REQUEST_LOST)
    session.place('own-2', { side: 'buy', quantity: steps(1000) })
    expect(await session.looksOf(reconciler, 1, 2500)).toBe('later')
    expect(reconciler.sellableOf('BTC/USDT')).toBe(amountOf('0.599'))
  })
})
