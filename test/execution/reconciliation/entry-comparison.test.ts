import { describe, expect, it } from 'vitest'
import { amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { decimalOf } from '../../../src/domain/numbers/decimal.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import { FuturesBooks, type Listed } from './futures-books.ts'

/** 100 contracts, one BTC, bought at 100.0 in the books; others have traded the contract since, or not. */
function held(position: Partial<Listed>, othersTraded: boolean | 'never' = true): FuturesBooks {
  const books = new FuturesBooks()
  books.trade('buy', 100, 1000)
  books.sentRequests.observeTrades({
    ...{ type: 'tradesSeen', symbol: 'BTC/USDT', tradeId: '7' },
    ...(othersTraded !== 'never' && { othersTraded }),
  })
  books.positions = [{ volume: '100', ...position }]
  return books
}

const costOf = ({ ledger }: FuturesBooks) =>
  amountToText(ledger.contracts.of('BTC/USDT')?.cost ?? amountOf('0'))

/** A trade of another on the contract, as far as it is read. */
const THEIRS = { symbol: 'BTC/USDT', side: 'buy', quantity: decimalOf(1) } as OwnTrade

describe('an entry price that differs after trades of others', () => {
  it('is adopted at the second look that shows it, and halts nothing', async () => {
    const books = held({ averagePrice: '104.5' })
    expect(await books.look()).toBe('suspected')
    expect(books.events).toEqual([])
    expect(await books.look(books.now + 2000)).toBe('agreed')
    expect(books.reports).toEqual([
      {
        ...{ type: 'entryAdjusted', symbol: 'BTC/USDT', direction: 'long', quantity: 100 },
        ...{ ledger: amountOf('100'), exchange: amountOf('104.5') },
      },
    ])
    expect(books.events).toEqual([
      {
        ...{ type: 'positionCostReported', symbol: 'BTC/USDT', book: 'BTC/USDT' },
        ...{ cost: amountOf('104.5'), time: 1_002_000 },
      },
    ])
    expect(await books.look()).toBe('agreed')
    expect([costOf(books), books.reports.length]).toEqual(['104.5', 1])
  })

  // Of a price that is told with few digits the last one may be rounded, but by no more than the tick of 0.1; and a
  // difference of 0.0001 USDT is one of digits that the wallet does not have.
  it.each([
    ['100.1', '100', 'may be rounding', true],
    ['100.2', '100.2', 'is more than rounding', true],
    ['101', '101', 'is more than the tick', true],
    ['100.01', '100', 'may be rounding', true],
    ['100.0101', '100.0101', 'is more than rounding', false],
    ['100.0001', '100', 'cannot be seen in the wallet', false],
    ['0', '100', 'is no price', true],
  ])('of %s makes the position cost %s: it %s', async (averagePrice, cost, _why, mayDiffer) => {
    const books = held({ averagePrice })
    await books.believe()
    expect(costOf(books)).toBe(cost)
    await books.look()
    expect(books.sentRequests.wasTradedByOthers('BTC/USDT')).toBe(mayDiffer)
  })

  it.each(['never', false] as const)(
    'is not adopted where others have not traded since it agreed: %s',
    async traded => {
      const books = held({ averagePrice: '104.5' }, traded)
      expect(await books.believe()).toBe('agreed')
      expect([books.events, books.reports]).toEqual([[], []])
    },
  )

  it('is none where contracts differ, which halts', async () => {
    const books = held({ averagePrice: '104.5', volume: '120' })
    await books.believe()
    expect(books.events).toMatchObject([{ type: 'instrumentHalted' }])
    expect(costOf(books)).toBe('100')
  })
})

describe('trades of others on a contract', () => {
  it('may have changed the entry price until an account that includes them agrees with it', async () => {
    const books = held({ averagePrice: '100.00001' })
    books.tradesOfOthers.push(THEIRS)
    await books.look()
    expect(books.sentRequests.wasTradedByOthers('BTC/USDT')).toBe(true)
    books.tradesOfOthers.splice(0)
    await books.look()
    expect(books.sentRequests.wasTradedByOthers('BTC/USDT')).toBe(false)
    expect(books.sentRequests.lastTradeOf('BTC/USDT')).toBe('7')
  })

  it('explain what our own close paid otherwise, where the exchange tells no entry price', async () => {
    const books = held({})
    await books.look()
    expect(books.sentRequests.wasTradedByOthers('BTC/USDT')).toBe(true)
    books.trade('sell', 100, 1000)
    Object.assign(books, { positions: [], balance: '999.846' })
    await books.believe()
    expect(books.reports).toMatchObject([{ type: 'balanceAdjusted', cause: 'trades' }])
    expect(books.halts).toEqual([])
    await books.look()
    expect(books.sentRequests.wasTradedByOthers('BTC/USDT')).toBe(false)
  })
})
