import { describe, expect, it } from 'vitest'
import { amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { FuturesBooks } from './futures-books.ts'

const walletOf = ({ ledger }: FuturesBooks) => amountToText(ledger.balances.in('futures').of('USDT'))

describe('a futures account that has what the ledger has', () => {
  it('agrees at once, with money in orders and positions, and notes since when', async () => {
    const books = new FuturesBooks()
    books.trade('buy', 100, 1000)
    books.positions = [{ volume: '100' }, { contractName: 'E-XRP-USDT', volume: '5' }]
    Object.assign(books, { balance: '900', orderMargin: '60', isolatedMargin: '40' })
    expect(await books.look()).toBe('agreed')
    expect([books.events, books.reports, books.doubted]).toEqual([[], [], []])
    expect(books.sentRequests.transactionsSeen).toEqual({
      type: 'transactionsSeen',
      since: 1_000_000,
      until: 1_000_000,
      moved: [],
    })
  })

  it('is noted again after ten minutes, and whenever money was moved that the ledger has already', async () => {
    const books = new FuturesBooks()
    const untilAfter = async (now: number) => {
      await books.look(now)
      return books.sentRequests.transactionsSeen?.until
    }
    expect(await untilAfter(1_000_000)).toBe(1_000_000)
    expect(await untilAfter(1_599_999)).toBe(1_000_000)
    expect(await untilAfter(1_600_000)).toBe(1_600_000)
    books.transactions = [{ id: '5', type: 'transferIn', amount: '1000', time: 1, of: null }]
    expect(await untilAfter(1_600_001)).toBe(1_600_001)
    expect(books.sentRequests.transactionsSeen).toMatchObject({ since: 1_000_000, moved: ['5'] })
    expect(await untilAfter(1_600_002)).toBe(1_600_001)
  })
})

describe('a restart', () => {
  /** A ledger that agreed with the account until 1,000,000 ms, before the bot ended; 500 USDT had been moved there by then. */
  function restarted(): FuturesBooks {
    const books = new FuturesBooks()
    books.trade('buy', 100, 1000)
    books.sentRequests.observeTransactions({
      type: 'transactionsSeen',
      since: 0,
      until: 1_000_000,
      moved: ['5'],
    })
    books.positions = []
    return books
  }
  const moved = { id: '5', type: 'transferIn', amount: '500', time: 999_000, of: null } as const

  it('takes no closing that the ledger has for one of what is gone', async () => {
    const books = restarted()
    books.balance = '960'
    books.transactions = [moved, { id: '6', type: 'closingPnl', amount: '-40', time: 997_999 }]
    await books.believe()
    expect(books.halts.map(([symbol]) => symbol)).toEqual(['BTC/USDT'])
    expect(books.halts[0]?.[1]).toContain('no transaction closed the missing 100')
    expect(books.reports).toMatchObject([{ type: 'balanceAdjusted', asset: 'USDT' }])
  })

  it('books what was closed since they agreed, or so shortly before that the account may not have shown it', async () => {
    const books = restarted()
    books.balance = '960'
    books.transactions = [
      moved,
      { id: '6', type: 'closingPnl', amount: '-3', time: 997_999 },
      { id: '7', type: 'closingPnl', amount: '-40', time: 998_000 },
    ]
    await books.believe()
    expect([books.halts, walletOf(books)]).toEqual([[], '960'])
    expect(books.events).toMatchObject([
      { type: 'liquidated', fillId: 'closed-7', liquidation: { price: 600 } },
    ])
  })

  it('takes over what was moved and listed late, but not what the ledger has', async () => {
    const books = restarted()
    books.positions = [{ volume: '100' }]
    books.balance = '1200'
    books.transactions = [moved, { id: '6', type: 'transferIn', amount: '200', time: 999_000, of: null }]
    await books.believe()
    expect(books.reports).toMatchObject([{ type: 'balanceAdjusted', cause: 'transfer' }])
    expect([books.halts, walletOf(books)]).toEqual([[], '1200'])
  })
})

describe('a wallet that differs', () => {
  it('is believed after two looks at least two seconds apart that say the same', async () => {
    const books = new FuturesBooks()
    await books.look(1_000_000)
    books.balance = '1500'
    books.transactions = [{ id: '5', type: 'transferIn', amount: '500', time: 1_000_001, of: null }]
    expect(await books.look(1_001_000)).toBe('suspected')
    expect(await books.look(1_002_999)).toBe('suspected')
    books.balance = '1400'
    expect(await books.look(1_003_000)).toBe('suspected')
    books.balance = '1500'
    expect(await books.look(1_003_500)).toBe('suspected')
    expect([books.events, walletOf(books)]).toEqual([[], '1000'])
    expect(await books.look(1_005_500)).toBe('agreed')
    expect(books.reports).toEqual([
      {
        type: 'balanceAdjusted',
        asset: 'USDT',
        ledger: amountOf('1000'),
        exchange: amountOf('1500'),
        cause: 'transfer',
      },
    ])
    expect(books.events).toEqual([
      {
        type: 'balancesReported',
        balances: new Map([['USDT', amountOf('1500')]]),
        account: 'futures',
        time: 1_005_500,
      },
    ])
    expect(books.sentRequests.transactionsSeen).toMatchObject({ until: 1_005_500, moved: ['5'] })
    expect(await books.look(1_006_000)).toBe('agreed')
  })

  it.each([
    ['1000.0001', [], 'rounding', 0],
    ['999.9999', [], 'rounding', 0],
    ['1000.0002', [], 'unknown', 2],
    ['999.9998', [], 'unknown', 2],
    // Money that was moved explains as much as it was, to the last digits of the exchange.
    ['1500.0001', ['500'], 'transfer', 0],
    ['1500.0002', ['500'], 'unknown', 2],
    ['1499.9998', ['500'], 'unknown', 2],
    ['1100', ['500', '-400'], 'transfer', 0],
    ['1100', ['500', '-500'], 'unknown', 2],
  ] as const)(
    'at %s with %j moved is taken over as %s, and halts %i contracts',
    async (balance, moved, cause, halted) => {
      const books = new FuturesBooks()
      await books.look()
      books.balance = balance
      books.transactions = moved.map((amount, index) => ({
        ...{ id: `${index}`, type: 'transferIn', amount, of: null },
      }))
      expect(await books.believe()).toBe('agreed')
      expect(books.reports).toMatchObject([{ type: 'balanceAdjusted', cause }])
      expect(books.halts).toHaveLength(halted)
      expect(walletOf(books)).toBe(balance)
    },
  )

  it('is explained by what was moved, and not by funding, which the ledger has', async () => {
    const books = new FuturesBooks()
    books.trade('buy', 100, 1000)
    books.positions = [{ volume: '100' }]
    await books.look()
    books.balance = '1499.99'
    books.transactions = [
      { id: '5', type: 'transferIn', amount: '500', time: 1_000_001, of: null },
      { id: '6', type: 'fundingFee', amount: '-0.01', time: 1_000_001 },
    ]
    await books.believe()
    expect(books.reports).toMatchObject([{ type: 'balanceAdjusted', cause: 'transfer' }])
    expect([books.halts, walletOf(books)]).toEqual([[], '1499.99'])
  })

  it('that nothing explains halts what it backs, and says how much of it is explained', async () => {
    const books = new FuturesBooks()
    await books.look()
    books.balance = '1010'
    books.transactions = [
      { id: '5', type: 'transferIn', amount: '3', of: null },
      // What our own trading and funding came to explains nothing that the ledger has not.
      { id: '6', type: 'openingFee', amount: '7' },
      // What others trade on another contract is theirs.
      { id: '8', type: 'closingPnl', amount: '2', of: 'XRPUSDT' },
    ]
    await books.believe()
    const reason =
      'The account has 10 USDT more than our books, but its transactions only explain 5; look at the account, then restart the bot.'
    expect(books.halts).toEqual([
      ['BTC/USDT', reason],
      ['ETH/USDT', reason],
    ])
    // What is halted is halted once, and explains what comes later.
    books.balance = '1020'
    await books.believe()
    expect(books.halts).toHaveLength(2)
    expect(books.reports).toMatchObject([{ cause: 'unknown' }, { cause: 'unknown' }])
    expect(walletOf(books)).toBe('1020')
  })
})

describe('a transaction that is listed before the account shows it', () => {
  it('explains the money once the account does', async () => {
    const books = new FuturesBooks()
    books.transactions = [{ id: '7', type: 'transferIn', amount: '500', time: 999_000, of: null }]
    expect(await books.look()).toBe('agreed')
    expect(books.sentRequests.transactionsSeen?.moved).toEqual([])
    books.balance = '1500'
    await books.believe()
    expect(books.reports).toMatchObject([{ type: 'balanceAdjusted', cause: 'transfer' }])
    expect([books.halts, walletOf(books)]).toEqual([[], '1500'])
    expect(books.sentRequests.transactionsSeen?.moved).toEqual(['7'])
  })

  it('explains a position once the account lacks it', async () => {
    const books = new FuturesBooks()
    books.trade('buy', 100, 1000)
    books.positions = [{ volume: '100' }]
    books.transactions = [{ id: '7', type: 'closingPnl', amount: '-5', time: 999_000 }]
    expect(await books.look()).toBe('agreed')
    Object.assign(books, { positions: [], balance: '995' })
    await books.believe()
    expect(books.halts).toEqual([])
    expect(books.events).toMatchObject([{ type: 'liquidated', liquidation: { price: 950 } }])
  })

  it('explains nothing that comes later than the account may lag', async () => {
    const books = new FuturesBooks()
    books.transactions = [{ id: '7', type: 'transferIn', amount: '500', time: 998_000, of: null }]
    expect(await books.look()).toBe('agreed')
    books.balance = '1500'
    await books.believe()
    expect(books.reports).toMatchObject([{ type: 'balanceAdjusted', cause: 'unknown' }])
  })
})

describe('a position that the exchange took, while fills of resting orders go on changing both sides', () => {
  /** Liquidated at 95 after 100 contracts were bought at 100: 100 contracts of 0.01 BTC lose 5 USDT. */
  function liquidated(): FuturesBooks {
    const books = new FuturesBooks()
    books.trade('buy', 100, 1000)
    books.balance = '995'
    books.transactions = [{ id: '6', type: 'closingPnl', amount: '-5', time: 1_000_001 }]
    return books
  }

  it('is found at the third look that misses as much, and halts the contract where the sides are opposite now', async () => {
    const books = liquidated()
    for (const look of [0, 1, 2]) {
      // 20 contracts are sold: the books reduce their long, the exchange opens a short.
      books.trade('sell', 20, 1000)
      books.positions = [{ direction: 'short', volume: `${20 * (look + 1)}` }]
      const isLast = look === 2
      expect(await books.look(1_002_000 + 2000 * look)).toBe(isLast ? 'agreed' : 'suspected')
      expect(books.halts.length).toBe(isLast ? 1 : 0)
    }
    expect(books.halts[0]?.[1]).toBe(
      'The position of E-BTC-USDT is turned round on the account: our 40 long are closed there and booked so, and the exchange has 60 short, our books 0; close those at the exchange, then restart the bot.',
    )
    expect(books.ledger.netQuantity('BTC/USDT')).toBe(0)
  })

  it('is booked at the second look where nothing traded in between, whatever the wallet does', async () => {
    const books = liquidated()
    expect(await books.look(1_002_000)).toBe('suspected')
    expect(await books.look(1_004_000)).toBe('agreed')
    expect(books.halts).toEqual([])
    expect(books.events).toMatchObject([
      { type: 'liquidated', liquidation: { direction: 'long', price: 950 } },
    ])
  })
})
