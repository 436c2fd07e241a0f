import { describe, expect, it } from 'vitest'
import { amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import { NOW, SpotBooks } from './spot-books.ts'

describe('the balances of a spot account', () => {
  it('agree where free and locked come to what the ledger has', async () => {
    const books = new SpotBooks()
    books.there = { USDT: ['990', '10'], BTC: ['0', '3'] }
    expect([await books.look(), await books.look()]).toEqual(['agreed', 'agreed'])
    expect([books.events, books.reports]).toEqual([[], []])
  })

  it('are believed at the second look that finds the same difference, and told with what they were', async () => {
    const books = new SpotBooks()
    books.tradedByOthers.add('ETH')
    books.sell('ETH/USDT', '1', '0.5', '20')
    books.there = { USDT: ['1000', '0'], ETH: ['1', '1'] }
    await books.look()
    books.there = { USDT: ['900', '90'], ETH: ['1', '0.5'] }
    expect(await books.look()).toBe('suspected')
    books.there = { USDT: ['900', '91'], ETH: ['1', '0.5'] }
    expect(await books.look()).toBe('suspected')
    expect([books.events, books.reports]).toEqual([[], []])
    expect(await books.look()).toBe('agreed')
    const type = 'balanceAdjusted'
    expect(books.reports).toEqual([
      { type, asset: 'USDT', ledger: amountOf('1000'), exchange: amountOf('991'), cause: 'transfer' },
      { type, asset: 'ETH', ledger: amountOf('2'), exchange: amountOf('1.5'), cause: 'trades' },
    ])
    const balances = new Map([
      ['USDT', amountOf('991')],
      ['ETH', amountOf('1.5')],
    ])
    expect(books.events).toEqual([{ type: 'balancesReported', balances, account: 'spot', time: NOW }])
  })
})

describe('the cause of an adopted balance', () => {
  /** Others sold 0.5 ETH at 20 for 10 USDT less a fee of 0.01, and before that 1 ETH at 30 for 29.97. */
  async function causeOf(usdt: string, eth: string) {
    const books = new SpotBooks()
    books.sell('ETH/USDT', '1', '1', '30')
    books.sell('ETH/USDT', '2', '0.5', '20')
    for (const asset of ['ETH', 'USDT']) books.tradedByOthers.add(asset)
    books.there = { USDT: [usdt, '0'], BTC: ['3', '0'], ETH: [eth, '0'] }
    await books.look()
    await books.look()
    return books.reports.map(report => report.type === 'balanceAdjusted' && [report.asset, report.cause])
  }

  it('is trades where all of them, or those since some time, come to the difference', async () => {
    const trades = [
      ['USDT', 'trades'],
      ['ETH', 'trades'],
    ]
    expect(await causeOf('1039.96', '0.5')).toEqual(trades)
    expect(await causeOf('1009.99', '1.5')).toEqual(trades)
  })

  it('is not trades where a transfer came between', async () => {
    expect(await causeOf('539.96', '0.5')).toEqual([
      ['USDT', 'unknown'],
      ['ETH', 'trades'],
    ])
    expect(await causeOf('500', '0.5')).toEqual([
      ['USDT', 'unknown'],
      ['ETH', 'trades'],
    ])
  })
})

describe('an asset of which the account holds less than positions consist of', () => {
  /** 1 and 2 BTC are held in two markets and half a BTC is owed in a third one, 1 ETH is held, and 4 BTC on the margin account. */
  async function shortOf(there: SpotBooks['there']): Promise<SpotBooks> {
    const books = new SpotBooks()
    books.hold('BTC/USDT', 'buy', '1')
    books.hold('BTC/EUR', 'buy', '2')
    books.hold('BTC/USDC', 'sell', '0.5')
    books.hold('ETH/USDT', 'buy', '1')
    books.hold('BTC/USDT@margin', 'buy', '4')
    expect(amountToText(books.owned('BTC'))).toBe('5.5')
    books.there = there
    await books.look()
    await books.look()
    await books.outwait()
    return books
  }

  it('halts every position of it, says why, and stays as it was', async () => {
    const books = await shortOf({ BTC: ['2.5', '0.499'] })
    const reason =
      'The account holds 2.999 BTC, less than the 3 of our positions, and no sale explains that; bring it back and restart the bot, or close what is there with "npm run -s bot -- flatten".'
    expect(books.events).toEqual(
      ['BTC/USDT', 'BTC/EUR', 'BTC/USDC'].map(symbol => ({
        type: 'instrumentHalted',
        symbol,
        reason,
        time: NOW + 90_000,
      })),
    )
    const awaited = { held: amountOf('3'), exchange: amountOf('2.999'), until: NOW + 90_000 }
    expect(books.reports).toEqual([{ type: 'shortageAwaited', asset: 'BTC', ...awaited }])
  })

  it('halts nothing as long as a sale may still be listed, and nothing once one is', async () => {
    const books = new SpotBooks()
    books.hold('BTC/USDT', 'buy', '1')
    // 4 BTC are owned, 2.4 and 1 are sold by hand: 0.4 of them were ours. 34 USDT less 0.1% come in.
    books.there = { USDT: ['1023.966', '0'], BTC: ['0.6', '0'] }
    await books.look()
    expect(await books.look()).toBe('suspected')
    books.now = NOW + 89_999
    expect(await books.look()).toBe('suspected')
    expect(books.events).toEqual([])
    books.sell('BTC/USDT', '1', '2.4', '10')
    books.sell('BTC/USDT', '2', '1', '10')
    for (const asset of ['BTC', 'USDT']) books.tradedByOthers.add(asset)
    expect(await books.look()).toBe('agreed')
    expect([books.closes, books.halted]).toEqual([
      [['BTC/USDT', '0.400', '10.00', '0.004', 'closed-2 others']],
      [],
    ])
  })

  it('waits for the sale of each shortage anew', async () => {
    const books = await shortOf({ ETH: ['0.5', '0'] })
    expect(books.halted).toEqual(['ETH/USDT'])
    books.there = { ETH: ['0.5', '0'], BTC: ['2.9', '0'] }
    await books.look()
    expect(await books.look()).toBe('suspected')
    expect(books.halted).toEqual(['ETH/USDT'])
  })

  it('halts nothing where exactly as much is there', async () => {
    const books = await shortOf({ BTC: ['3', '0'] })
    expect(books.halted).toEqual([])
    expect(books.reports).toMatchObject([{ asset: 'BTC', cause: 'transfer' }])
  })

  it('does not keep other assets from being taken over', async () => {
    const books = await shortOf({ BTC: ['2', '0'], EUR: ['500', '0'] })
    expect(books.halted).toEqual(['BTC/USDT', 'BTC/EUR', 'BTC/USDC'])
    expect(books.reports).toMatchObject([
      { type: 'shortageAwaited' },
      { asset: 'EUR', exchange: amountOf('500') },
    ])
    const [told] = books.events.filter(event => event.type === 'balancesReported')
    expect(told?.balances).toEqual(new Map([['EUR', amountOf('500')]]))
  })

  it('halts once, however long it lasts', async () => {
    const books = await shortOf({ BTC: ['2', '0'] })
    await books.look()
    expect(books.halted).toEqual(['BTC/USDT', 'BTC/EUR', 'BTC/USDC'])
  })

  it('consists of no position of something else', async () => {
    const books = await shortOf({ ETH: ['0.5', '0'] })
    expect(books.halted).toEqual(['ETH/USDT'])
  })
})

describe('base of positions that others sold', () => {
  /** 1 and 2 BTC are held in two markets, of 6 that are there. */
  function holding(): SpotBooks {
    const books = new SpotBooks()
    books.hold('BTC/USDT', 'buy', '1')
    books.hold('BTC/EUR', 'buy', '2')
    return books
  }

  async function looked(books: SpotBooks, there: SpotBooks['there']): Promise<SpotBooks> {
    books.there = there
    await books.look()
    expect(await books.look()).toBe('agreed')
    return books
  }

  it('closes them by the latest sales, each with its price and its share of the fee, and halts nothing', async () => {
    const books = holding()
    books.sell('BTC/USDT', '1', '3', '10')
    books.sell('BTC/USDT', '2', '0.5', '20')
    // 6 - 3.5 = 2.5: half a BTC of the positions, all of it sold last.
    await looked(books, { BTC: ['2.5', '0'] })
    expect(books.closes).toEqual([['BTC/USDT', '0.500', '20.00', '0.01', 'closed-2 others']])
    expect(books.halted).toEqual([])
    expect(books.reports).toMatchObject([{ type: 'positionClosed', cause: 'trades' }, { asset: 'BTC' }])
  })

  it('takes an older sale where the latest is not enough, and only that part of its fee', async () => {
    const books = holding()
    books.sell('BTC/USDT', '1', '3', '10')
    books.sell('BTC/USDT', '2', '0.5', '20')
    books.sell('BTC/EUR', '3', '0.1', '30', 'EUR')
    // 6 - 3.6 = 2.4: 0.6 of the positions; 0.03 for 3 BTC are 0.001 for 0.1.
    await looked(books, { BTC: ['2.4', '0'] })
    expect(books.closes).toEqual([
      ['BTC/USDT', '0.500', '20.00', '0.01', 'closed-2 others'],
      ['BTC/USDT', '0.100', '10.00', '0.001', 'closed-1 others'],
    ])
  })

  it('closes no more than a market holds, and no fee in another asset', async () => {
    const books = holding()
    books.sell('BTC/USDT', '1', '4', '10', 'POINT')
    books.sell('BTC/EUR', '2', '0.5', '30', 'EUR')
    // 6 - 4.5 = 1.5 of 3.
    await looked(books, { BTC: ['1.5', '0'] })
    expect(books.closes).toEqual([
      ['BTC/USDT', '1.000', '10.00', '0', 'closed-1 others'],
      ['BTC/EUR', '0.500', '30.00', '0.015', 'closed-2 others'],
    ])
  })

  it('halts for what no sale explains, and adopts neither it nor what its markets brought', async () => {
    const books = holding()
    books.sell('BTC/USDT', '1', '0.5', '10')
    expect(amountToText(books.owned('USDT'))).toBe('990')
    books.there = { BTC: ['2', '0'], USDT: ['5000', '0'], EUR: ['1', '0'] }
    await books.look()
    await books.look()
    expect(books.closes).toEqual([])
    await books.outwait()
    expect(books.closes.map(([, quantity]) => quantity)).toEqual(['0.500'])
    expect(books.halted).toEqual(['BTC/USDT', 'BTC/EUR'])
    expect(books.reports).toMatchObject([
      { type: 'shortageAwaited' },
      { asset: 'EUR' },
      { type: 'positionClosed' },
    ])
    // What is spent cannot be spent again: only the 5 of the sale that is known come in.
    expect(amountToText(books.owned('USDT'))).toBe('995')
  })

  it('explains no second close by a sale that explains one', async () => {
    const books = holding()
    books.sell('BTC/USDT', '1', '3.5', '10')
    await looked(books, { BTC: ['2.5', '0'] })
    // 0.5 more are gone, and their sale at 20 is listed only after two looks; the first one is not forgotten yet.
    books.there = { BTC: ['2', '0'] }
    await books.look()
    expect(await books.look()).toBe('suspected')
    books.sell('BTC/USDT', '2', '0.5', '20')
    expect(await books.look()).toBe('agreed')
    expect(books.closes.map(([, quantity, price]) => [quantity, price])).toEqual([
      ['0.500', '10.00'],
      ['0.500', '20.00'],
    ])
  })

  it('counts as closed at the latest price, in whole steps, while an operator closes', async () => {
    const books = holding()
    books.closing.add('BTC/EUR')
    books.ledger.mark(books.ledger.instrument('BTC/EUR'), ticks(1234))
    await looked(books, { BTC: ['1.9995', '0'] })
    expect(books.closes).toEqual([['BTC/EUR', '1.001', '12.34', '0', `missing-${NOW}-BTC/EUR unknown`]])
    expect(books.halted).toEqual([])
    expect(books.reports).toMatchObject([{ cause: 'unknown' }, { asset: 'BTC', cause: 'transfer' }])
  })

  it('counts as closed at the price of the latest trade, of the position whose stop is reached last, so that its order finds what is there', async () => {
    const books = new SpotBooks()
    books.there = { BTC: ['3', '0'] }
    for (const strategy of ['first', 'second']) books.hold('BTC/USDT', 'buy', '2', `BTC/USDT#${strategy}`)
    books.closing.add('BTC/USDT#first')
    books.ledger.mark(books.ledger.instrument('BTC/USDT'), ticks(1000))
    books.latest = ticks(950)
    await looked(books, { BTC: ['1.5', '0'] })
    const unknown = (book: string) => `missing-${NOW}-${book} unknown`
    expect(books.closes).toEqual([
      ['BTC/USDT#second', '2.000', '9.50', '0', unknown('BTC/USDT#second')],
      ['BTC/USDT#first', '0.500', '9.50', '0', unknown('BTC/USDT#first')],
    ])
  })
})
