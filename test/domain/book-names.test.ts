import { describe, expect, it } from 'vitest'
import { bookNames } from '../../src/domain/book-names.ts'

const named = (...keepers: readonly (readonly [symbol: string, name: string])[]) =>
  bookNames(keepers.map(([symbol, name]) => ({ symbol, strategy: { name } })))

describe('the name of a book', () => {
  it('is the symbol where nobody else trades it', () => {
    expect(named(['BTC/USDT', 'a'], ['ETH/USDT', 'a'])).toEqual(['BTC/USDT', 'ETH/USDT'])
  })

  it('names the strategy as well where several trade the symbol', () => {
    expect(named(['BTC/USDT', 'a'], ['ETH/USDT', 'a'], ['BTC/USDT', 'b'])).toEqual([
      'BTC/USDT#a',
      'ETH/USDT',
      'BTC/USDT#b',
    ])
  })

  it('counts where the same strategy trades a symbol more than once', () => {
    expect(named(['A/B', 'a'], ['A/B', 'a'], ['A/B', 'a'])).toEqual(['A/B#a', 'A/B#a#2', 'A/B#a#3'])
  })

  it('stays that of who has one already, and is given to nobody else', () => {
    const strategy = { name: 'a' }
    const [symbol, book] = ['A/B', 'A/B#a']
    expect(
      bookNames([
        { symbol, strategy },
        { symbol, strategy, book: symbol },
      ]),
    ).toEqual([book, symbol])
    expect(bookNames([{ symbol, strategy, book }])).toEqual([book])
    expect(
      bookNames([
        { symbol, strategy },
        { symbol, strategy, book },
      ]),
    ).toEqual(['A/B#a#2', book])
  })

  it('is never given twice, whatever strategies are called', () => {
    const names = named(['A/B', 'a#2'], ['A/B', 'a'], ['A/B', 'a'])
    expect(new Set(names).size).toBe(3)
  })
})
