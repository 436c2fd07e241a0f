import { describe, expect, it } from 'vitest'
import { amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { decimalOf } from '../../../src/domain/numbers/decimal.ts'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import { FuturesBooks } from './futures-books.ts'

const walletOf = ({ ledger }: FuturesBooks) => amountToText(ledger.balances.in('futures').of('USDT'))

/** 100 contracts, one BTC, bought at 100.0, which ledger and exchange agree on. */
async function long100(terms: ConstructorParameters<typeof FuturesBooks>[0] = {}): Promise<FuturesBooks> {
  const books = new FuturesBooks(terms)
  books.trade('buy', 100, 1000)
  books.positions = [{ volume: '100', margin: '10' }]
  await books.look()
  expect([books.events, books.reports]).toEqual([[], []])
  return books
}

/** Beside 100 contracts of BTC bought at 100.0, 200 of ETH, two ETH, which ledger and exchange agree on too. */
async function twoLongs(
  terms: ConstructorParameters<typeof FuturesBooks>[0] = {},
  ethPrice = 500,
): Promise<FuturesBooks> {
  const books = new FuturesBooks(terms)
  books.trade('buy', 100, 1000)
  books.trade('buy', 200, ethPrice, 0, books.eth)
  const margin = terms.marginMode === 'isolated' ? { margin: '10' } : {}
  books.positions = [
    { volume: '100', ...margin },
    { contractName: 'E-ETH-USDT', volume: '200', ...margin },
  ]
  await books.look()
  return books
}

/** The position is gone, and the wallet has changed by as much as was told. */
function closedFor(books: FuturesBooks, amount: string, time = 1_000_090): void {
  books.positions = []
  books.balance = `${1000 + Number(amount)}`
  books.transactions = [{ id: '7', type: 'closingPnl', amount, time }]
}

/** A trade of one contract at 80.0 with a fee of 0.01, as far as it is read. */
const tradeOf = (fields: Partial<OwnTrade>) =>
  ({
    ...{ symbol: 'BTC/USDT', side: 'sell', feeAsset: 'USDT' },
    ...{ price: decimalOf(80), quantity: decimalOf(1), fee: decimalOf('0.01') },
    ...fields,
  }) as OwnTrade

describe('a position that the exchange has closed', () => {
  it('makes its contract wait, and is booked at the price at which it brought what it did', async () => {
    const books = await long100()
    closedFor(books, '-40.05')
    expect(await books.look()).toBe('suspected')
    expect([books.doubted, books.events]).toEqual([['BTC/USDT'], []])
    expect(await books.look(1_002_000)).toBe('agreed')
    expect(books.reports).toEqual([
      {
        ...{ type: 'positionClosed', symbol: 'BTC/USDT', direction: 'long', quantity: 100 },
        ...{ cause: 'unknown', isPriceDerived: true },
      },
    ])
    // It cost 100 and left 59.95: sold at 60.0, whose tick is worth 0.1, it paid 0.05.
    expect(books.events).toEqual([
      {
        type: 'liquidated',
        liquidation: {
          ...{ symbol: 'BTC/USDT', book: 'BTC/USDT', direction: 'long', quantity: 100 },
          ...{ price: ticks(600), fee: amountOf('0.05'), by: 'unknown' },
        },
        fillId: 'closed-7',
        time: 1_000_090,
      },
    ])
    expect([books.ledger.netQuantity('BTC/USDT'), walletOf(books)]).toEqual([0, '959.95'])
    expect(await books.look()).toBe('agreed')
  })

  it('was bought back at the highest price that brought as much, where it was short', async () => {
    const books = new FuturesBooks()
    books.trade('sell', 100, 1000)
    books.positions = [{ volume: '100', direction: 'short' }]
    await books.look()
    closedFor(books, '-40.05')
    await books.believe()
    expect(books.events).toMatchObject([
      { liquidation: { direction: 'short', price: 1400, fee: amountOf('0.05') } },
    ])
    expect(walletOf(books)).toBe('959.95')
  })

  it('was closed at the lowest price where more is lost than it cost', async () => {
    const books = await long100()
    closedFor(books, '-120')
    await books.believe()
    // At 0.1 it lost 99.9: 20.1 are fee.
    expect(books.events).toMatchObject([{ liquidation: { price: 1, fee: amountOf('20.1') } }])
    expect(walletOf(books)).toBe('880')
  })

  it('in part keeps the rest at its share of the cost', async () => {
    const books = await long100()
    closedFor(books, '-10')
    books.positions = [{ volume: '60' }]
    await books.believe()
    // 40 of 100 contracts cost 40 and left 30: 75.0 for 0.4 BTC.
    expect(books.events).toMatchObject([{ liquidation: { quantity: 40, price: 750, fee: 0n } }])
    expect([books.ledger.netQuantity('BTC/USDT'), walletOf(books)]).toEqual([60, '990'])
  })

  it('counts every transaction of its moment, and money that was moved beside it', async () => {
    const books = await long100()
    closedFor(books, '-40')
    books.balance = '1159'
    books.transactions = [
      { id: '5', type: 'closingPnl', amount: '3', time: 1_000_080 },
      ...books.transactions,
      { id: '8', type: 'closingFee', amount: '-1', time: 1_000_090 },
      { id: '9', type: 'transferIn', amount: '200', time: 1_000_090, of: null },
    ]
    await books.believe()
    // 59 left of 100.
    expect(books.events[0]).toMatchObject({
      fillId: 'closed-8',
      liquidation: { price: 590, fee: 0n },
    })
    expect(books.reports.at(-1)).toMatchObject({ type: 'balanceAdjusted', cause: 'transfer' })
    expect(walletOf(books)).toBe('1159')
    expect(books.halts).toEqual([])
  })

  it('by a trade of others on the side that closes is theirs', async () => {
    const books = await long100()
    books.tradesOfOthers.push(
      tradeOf({ time: 1_000_080 }),
      tradeOf({ time: 1_000_085, side: 'buy' }),
      tradeOf({ time: 1_000_088, symbol: 'ETH/USDT' }),
    )
    closedFor(books, '-20', 1_000_080)
    await books.believe()
    expect(books.reports).toMatchObject([{ type: 'positionClosed', cause: 'trades' }])
    expect(books.events).toMatchObject([
      { type: 'liquidated', liquidation: { by: 'others', price: 800 }, time: 1_000_080 },
    ])
  })

  it('by trades of others that are all of it is booked at their prices and fees', async () => {
    const books = await long100()
    books.tradesOfOthers.push(
      tradeOf({ id: '21', time: 1_000_080, quantity: decimalOf(30), fee: decimalOf('0.024') }),
      tradeOf({ id: '22', time: 1_000_085, quantity: decimalOf(10), price: decimalOf('79.9') }),
    )
    // 0.3 BTC at 80.0 and 0.1 at 79.9 cost 40, brought 31.99, and fees of 0.034: -8.044.
    closedFor(books, '-8.044')
    books.positions = [{ volume: '60' }]
    await books.believe()
    expect(books.events).toMatchObject([
      { fillId: 'closed-21', time: 1_000_080 },
      { fillId: 'closed-22', time: 1_000_085 },
    ])
    const common = { symbol: 'BTC/USDT', book: 'BTC/USDT', direction: 'long', by: 'others' }
    expect(books.events).toMatchObject([
      { liquidation: { ...common, quantity: 30, price: 800, fee: amountOf('0.024') } },
      { liquidation: { ...common, quantity: 10, price: 799, fee: amountOf('0.01') } },
    ])
    expect(books.reports).toEqual([
      {
        ...{ type: 'positionClosed', symbol: 'BTC/USDT', direction: 'long', quantity: 40 },
        ...{ cause: 'trades', isPriceDerived: false },
      },
    ])
    expect([books.ledger.netQuantity('BTC/USDT'), walletOf(books)]).toEqual([60, '991.956'])
  })

  it('by trades of others that brought another amount is booked as the transactions tell', async () => {
    const books = await long100()
    books.tradesOfOthers.push(tradeOf({ id: '21', time: 1_000_080, quantity: decimalOf(100) }))
    closedFor(books, '-30', 1_000_080)
    await books.believe()
    expect(books.events).toMatchObject([{ fillId: 'closed-7', liquidation: { price: 700, by: 'others' } }])
    expect([books.halts, walletOf(books)]).toEqual([[], '970'])
  })

  it('by a trade of others is what is told of its moment, not of a later one', async () => {
    const books = await long100()
    books.tradesOfOthers.push(tradeOf({ time: 1_000_080 }))
    closedFor(books, '-20', 1_000_080)
    books.transactions = [
      ...books.transactions,
      { id: '8', type: 'closingFee', amount: '-1', time: 1_000_090 },
    ]
    await books.believe()
    expect(books.events[0]).toMatchObject({ fillId: 'closed-7', time: 1_000_080 })
  })

  it('beside trades of others on the other side is not theirs, at a time of its own', async () => {
    const books = await long100()
    books.tradesOfOthers.push(tradeOf({ time: 1_000_095, side: 'buy' }))
    closedFor(books, '-20')
    books.transactions = [
      ...books.transactions,
      { id: '8', type: 'closingFee', amount: '-1', time: 1_000_095 },
    ]
    await books.believe()
    expect(books.reports[0]).toMatchObject({ cause: 'unknown' })
    expect(books.events[0]).toMatchObject({ fillId: 'closed-7', time: 1_000_090 })
  })

  it.each([
    // 1000 of the wallet back 1 BTC: it is liquidated below 0, so no price of it proves that.
    ['cross', [{ type: 'closingPnl', amount: '-40' }], 'unknown'],
    [
      'cross',
      [
        { type: 'closingPnl', amount: '-40' },
        { type: 'lossShare', amount: '1' },
      ],
      'liquidation',
    ],
    // A share in what others lost is none in what the position lost.
    [
      'cross',
      [
        { type: 'closingPnl', amount: '-40' },
        { type: 'lossShare', amount: '-1' },
      ],
      'unknown',
    ],
    ['isolated', [{ type: 'closingPnl', amount: '-10' }], 'liquidation'],
    ['isolated', [{ type: 'closingPnl', amount: '-9.9' }], 'unknown'],
  ] as const)('is told as %s closed with %j: %s', async (marginMode, told, cause) => {
    const books = await long100({ marginMode })
    closedFor(books, String(told.reduce((sum, { amount }) => sum + Number(amount), 0)))
    books.transactions = told.map((one, index) => ({ id: `${index + 7}`, time: 1_000_090, ...one }))
    await books.believe()
    expect(books.reports[0]).toMatchObject({ type: 'positionClosed', cause })
    const by = cause === 'unknown' ? 'unknown' : undefined
    expect(books.events.map(event => event.type === 'liquidated' && event.liquidation.by)).toEqual([by])
  })

  it('of two cross positions is a liquidation of both that left no more than both must keep', async () => {
    const books = await twoLongs()
    books.positions = []
    // 100 back 1 BTC at 100 and 2 ETH at 50, and are lost to the last digit.
    books.balance = '0'
    books.ledger.setBalance('USDT', amountOf('100'), 'futures')
    books.transactions = [
      { id: '7', type: 'closingPnl', amount: '-95', time: 1_000_090 },
      { id: '8', type: 'closingPnl', amount: '-5', time: 1_000_090, of: 'ETHUSDT' },
    ]
    await books.believe()
    expect(books.reports).toMatchObject([{ cause: 'liquidation' }, { cause: 'liquidation' }])
  })

  it('without a transaction that closed it halts its contract, whose position stays', async () => {
    const books = await long100()
    closedFor(books, '-20')
    books.transactions = [{ id: '7', type: 'closingPnl', amount: '-20', of: 'ETHUSDT' }]
    await books.believe()
    expect(books.halts).toEqual([
      [
        'BTC/USDT',
        'The exchange has 0 contracts of E-BTC-USDT long, our books 100, and no transaction closed the missing 100; look at the account, open as many again by hand, then restart the bot.',
      ],
    ])
    expect(books.ledger.netQuantity('BTC/USDT')).toBe(100)
  })

  it('without a transaction that closed it, but with contracts the other way, halts and names both', async () => {
    const books = await long100()
    books.positions = [{ direction: 'short', volume: '40' }]
    await books.believe()
    const both =
      'The exchange has 40 contracts of E-BTC-USDT short, our books 100 long: a difference of 140; bring them together by hand, then restart the bot.'
    expect(books.halts).toEqual([['BTC/USDT', both]])
    expect(books.ledger.netQuantity('BTC/USDT')).toBe(100)
    const of = { symbol: 'BTC/USDT', contractName: 'E-BTC-USDT', direction: 'short' }
    expect(books.comparison.differing).toEqual([{ ...of, quantity: 40 }])
    // A renewed reason says the same once.
    books.positions = [{ direction: 'short', volume: '30' }]
    await books.believe()
    expect(books.reports.at(-1)).toEqual({
      ...{ type: 'haltChanged', symbol: 'BTC/USDT' },
      reason: both.replace('40', '30').replace('140', '130'),
    })
  })

  it('at the entry price and without a fee is booked, though no money moved', async () => {
    const books = await long100()
    books.positions = []
    const sale = { id: '9', time: 1_000_090, symbol: 'BTC/USDT', side: 'sell', feeAsset: 'USDT' } as const
    const terms = { price: decimalOf('100'), quantity: decimalOf(100), fee: decimalOf(0) }
    books.tradesOfOthers.push({ ...sale, ...terms } as unknown as OwnTrade) // as far as it is read
    await books.believe()
    expect([books.halts, books.ledger.netQuantity('BTC/USDT'), walletOf(books)]).toEqual([[], 0, '1000'])
  })

  it.each([
    [
      '120',
      'long',
      [
        [
          'BTC/USDT',
          'The exchange has 120 contracts of E-BTC-USDT long, our books 100; bring them together by hand, then restart the bot.',
        ],
      ],
    ],
    [
      '5',
      'short',
      [
        [
          'BTC/USDT',
          'The exchange has 5 contracts of E-BTC-USDT short, our books 100 long: a difference of 105; bring them together by hand, then restart the bot.',
        ],
      ],
    ],
  ] as const)('is not what more contracts are: %s %s halt', async (volume, direction, halts) => {
    const books = await long100()
    books.positions = [{ volume: '100' }, { volume, direction }].filter(
      one => volume !== '120' || one.volume !== '100',
    )
    await books.believe()
    expect(books.halts).toEqual(halts)
    // A contract that is halted is not decided on any more: a change is only told.
    books.positions = []
    expect(await books.believe()).toBe('agreed')
    expect([books.halts, books.ledger.netQuantity('BTC/USDT')]).toEqual([halts, 100])
    expect(books.reports).toEqual([
      {
        type: 'haltChanged',
        symbol: 'BTC/USDT',
        reason:
          'The exchange has 0 contracts of E-BTC-USDT long, our books 100; bring them together by hand, then restart the bot.',
      },
    ])
  })

  it('of two that go at once, each answers for what is told of it', async () => {
    const books = await twoLongs()
    books.positions = []
    books.balance = '910'
    books.transactions = [
      { id: '7', type: 'closingPnl', amount: '-70', time: 1_000_090 },
      { id: '8', type: 'closingPnl', amount: '-20', time: 1_000_090, of: 'E-ETH-USDT' },
    ]
    await books.believe()
    // 30 for 1 BTC; 80 for 2 ETH.
    expect(books.events).toMatchObject([
      { liquidation: { symbol: 'BTC/USDT', price: 300, fee: 0n } },
      { liquidation: { symbol: 'ETH/USDT', price: 400, fee: 0n } },
    ])
    expect(walletOf(books)).toBe('910')
  })

  it('of two that go at once, each answers for what is told of its moment, beside an exit of ours before', async () => {
    const books = await twoLongs()
    // An exit of ours has brought 3, which the ledger has.
    books.ledger.setBalance('USDT', amountOf('1003'), 'futures')
    books.positions = []
    books.balance = '913'
    books.transactions = [
      { id: '6', type: 'closingPnl', amount: '3', time: 1_000_080 },
      { id: '7', type: 'closingPnl', amount: '-70', time: 1_000_090 },
      { id: '8', type: 'closingPnl', amount: '-20', time: 1_000_095, of: 'E-ETH-USDT' },
    ]
    await books.believe()
    expect(books.events).toMatchObject([
      { liquidation: { symbol: 'BTC/USDT', price: 300, fee: 0n }, time: 1_000_090 },
      { liquidation: { symbol: 'ETH/USDT', price: 400, fee: 0n }, time: 1_000_095 },
    ])
  })

  it('of two that go at once, the loss beyond what is told is shared by their worth', async () => {
    const books = await twoLongs()
    // At the mark prices, BTC has lost 25 and is worth 75, ETH has lost 75 and is worth 25.
    books.ledger.markContract(books.btc.instrument, ticks(750))
    books.ledger.markContract(books.eth.instrument, ticks(125))
    books.positions = []
    books.balance = '892'
    books.transactions = [
      { id: '7', type: 'closingPnl', amount: '-1', time: 1_000_090 },
      { id: '8', type: 'closingPnl', amount: '-1', time: 1_000_090, of: 'ethusdt' },
    ]
    await books.believe()
    // Of the 8 that are lost besides, BTC bears 6 and ETH 2: 69.0 for 1 BTC, 23 for 2 ETH.
    expect(books.events).toMatchObject([
      { liquidation: { symbol: 'BTC/USDT', price: 690, fee: 0n } },
      { liquidation: { symbol: 'ETH/USDT', price: 115, fee: 0n } },
    ])
    expect(walletOf(books)).toBe('892')
  })
})

it('what is lost beyond what is told is shared to the last digit', async () => {
  const books = await twoLongs({}, 1000)
  books.positions = []
  books.balance = '990'
  books.transactions = [
    { id: '7', type: 'closingPnl', amount: '0', time: 1_000_090 },
    { id: '8', type: 'closingPnl', amount: '0', time: 1_000_090, of: 'ETHUSDT' },
  ]
  await books.believe()
  // A third and two thirds of 10: 96.66… for 1 BTC, of which 96.7 is the next price, and 193.33… for 2 ETH.
  expect(books.events).toMatchObject([
    { liquidation: { symbol: 'BTC/USDT', price: 967 } },
    { liquidation: { symbol: 'ETH/USDT', price: 967 } },
  ])
  expect([books.halts, walletOf(books)]).toEqual([[], '990'])
})

it('a closing that is known late leaves what was opened after it at its own price', async () => {
  const books = new FuturesBooks()
  books.trade('buy', 60, 1000)
  books.positions = [{ volume: '60' }]
  await books.look()
  books.trade('buy', 40, 1100, 1_000_095)
  closedFor(books, '-6')
  books.positions = [{ volume: '40' }]
  await books.believe()
  // The 60 that were there cost 60 and left 54; a share of all 100 would have cost 62.4.
  expect(books.events[0]).toMatchObject({ liquidation: { quantity: 60, price: 900, fee: 0n } })
})

describe('isolated positions', () => {
  const isolated = { marginMode: 'isolated' } as const

  it('of which one goes only in part share what is lost by their worth, not their margins', async () => {
    const books = await twoLongs(isolated)
    books.positions = [{ volume: '50', margin: '5' }]
    books.balance = '980'
    books.isolatedMargin = '5'
    books.transactions = [
      { id: '7', type: 'lossShare', amount: '0', time: 1_000_090 },
      { id: '8', type: 'lossShare', amount: '0', time: 1_000_090, of: 'ETHUSDT' },
    ]
    await books.believe()
    // Of 15, half a BTC of 50 bears 5 and 2 ETH of 100 bear 10: 45 for 0.5 BTC, 90 for 2 ETH.
    expect(books.events.filter(({ type }) => type === 'liquidated')).toMatchObject([
      { liquidation: { symbol: 'BTC/USDT', quantity: 50, price: 900, fee: 0n } },
      { liquidation: { symbol: 'ETH/USDT', quantity: 200, price: 450, fee: 0n } },
    ])
    expect([books.halts, walletOf(books)]).toEqual([[], '985'])
  })

  it('that go at once lose their margins where nothing is told, the last one what is left', async () => {
    const books = await twoLongs(isolated)
    books.positions = []
    books.balance = '979'
    books.transactions = [
      { id: '7', type: 'lossShare', amount: '0', time: 1_000_090 },
      { id: '8', type: 'closingFee', amount: '0', time: 1_000_090, of: 'ETHUSDT' },
    ]
    await books.believe()
    // 100 − 10 for 1 BTC; 100 − 11 for 2 ETH.
    expect(books.events.filter(({ type }) => type === 'liquidated')).toMatchObject([
      { liquidation: { symbol: 'BTC/USDT', price: 900, fee: 0n } },
      { liquidation: { symbol: 'ETH/USDT', price: 445, fee: 0n } },
    ])
    // More is gone than was behind it: somebody had put it there.
    expect(books.reports).toContainEqual({
      ...{ type: 'marginAdjusted', symbol: 'ETH/USDT' },
      ...{ ledger: amountOf('10'), exchange: amountOf('11') },
    })
    expect(walletOf(books)).toBe('979')
  })

  it('are liquidated where all their margin went, although the exchange lists the sale among the trades', async () => {
    const books = await long100(isolated)
    // 1 BTC of 100 sold at 90.1 with a fee of 0.1 leaves nothing of the 10 behind it.
    const terms = { price: decimalOf('90.1'), quantity: decimalOf(100), fee: decimalOf('0.1') }
    books.tradesOfOthers.push(tradeOf({ id: '21', time: 1_000_090, ...terms }))
    closedFor(books, '-10')
    await books.believe()
    expect(books.events.filter(({ type }) => type === 'liquidated')).toMatchObject([{ fillId: 'closed-7' }])
    expect(walletOf(books)).toBe('990')
  })

  it('of two sides are closed by the trades whose fees were taken for closing', async () => {
    const books = await long100({ ...isolated, positionMode: 'twoWay' })
    const sale = (id: string, time: number, price: string, fee: string) =>
      tradeOf({ id, time, price: decimalOf(price), quantity: decimalOf(100), fee: decimalOf(fee) })
    // The first opened a short at 99.0, and the second closed the long: -1 and a fee of 0.04.
    books.tradesOfOthers.push(sale('21', 1_000_080, '99', '0.02'), sale('22', 1_000_090, '99', '0.04'))
    books.positions = [{ direction: 'short', volume: '100', margin: '9.9' }]
    books.balance = '989.04'
    books.isolatedMargin = '9.9'
    books.transactions = [
      { id: '6', type: 'openingFee', amount: '-0.02', time: 1_000_080 },
      { id: '7', type: 'closingPnl', amount: '-1', time: 1_000_090 },
      { id: '8', type: 'closingFee', amount: '-0.04', time: 1_000_090 },
    ]
    await books.believe()
    expect(books.events.filter(({ type }) => type === 'liquidated')).toMatchObject([
      { fillId: 'closed-22', liquidation: { direction: 'long', price: 990, fee: amountOf('0.04') } },
    ])
  })

  it('that lose no more than their margin had no other', async () => {
    const books = await long100(isolated)
    closedFor(books, '-10')
    await books.believe()
    expect(books.reports).toMatchObject([{ type: 'positionClosed' }])
    expect(books.events).toMatchObject([{ type: 'liquidated', liquidation: { price: 900, fee: 0n } }])
  })

  it('of which a part lost more than was behind the whole had that much more', async () => {
    const books = await long100(isolated)
    // 40 of 100 contracts cost 40 and left 25: 62.5 for 0.4 BTC. There were 10 of margin; somebody had put more.
    closedFor(books, '-15')
    books.positions = [{ volume: '60', margin: '6' }]
    await books.believe()
    expect(books.events).toMatchObject([
      { type: 'positionMarginReported', margin: amountOf('15') },
      { type: 'liquidated', liquidation: { quantity: 40, price: 625, fee: 0n } },
    ])
    expect(walletOf(books)).toBe('985')
    await books.believe()
    expect(books.events.at(-1)).toMatchObject({ type: 'positionMarginReported', margin: amountOf('6') })
    expect([books.halts, walletOf(books), await books.look()]).toEqual([[], '985', 'agreed'])
  })

  it('have the margin that the exchange says', async () => {
    const books = await long100(isolated)
    books.positions = [{ volume: '100', margin: '15' }]
    expect(await books.look()).toBe('suspected')
    expect(books.doubted).toEqual([])
    expect(await books.look(1_002_000)).toBe('agreed')
    expect(books.reports).toEqual([
      { type: 'marginAdjusted', symbol: 'BTC/USDT', ledger: amountOf('10'), exchange: amountOf('15') },
    ])
    expect(books.events).toEqual([
      {
        ...{ type: 'positionMarginReported', symbol: 'BTC/USDT', book: 'BTC/USDT' },
        ...{ margin: amountOf('15'), time: 1_002_000 },
      },
    ])
  })
})

it.each([
  [{ leverage: '20' }, 'cross at 20x, not cross at 10x'],
  [{ positionType: 'isolated' }, 'isolated at 10x, not cross at 10x'],
] as const)('a position that is held with %j halts its contract', async (held, said) => {
  const books = await long100()
  books.positions = [{ volume: '100', ...held }]
  await books.believe()
  expect(books.halts).toEqual([
    [
      'BTC/USDT',
      `The position of E-BTC-USDT is held ${said} as configured; change one of them, then restart the bot.`,
    ],
  ])
})
