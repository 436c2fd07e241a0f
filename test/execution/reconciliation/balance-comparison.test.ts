import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { type Amount, amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { priceText, quantityText, steps, type Ticks, ticks } from '../../../src/domain/numbers/grid.ts'
import type { Side } from '../../../src/domain/orders/side.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import { BalanceComparison } from '../../../src/execution/reconciliation/balance-comparison.ts'
import type { ReconcilerOptions } from '../../../src/execution/reconciliation/reconciler-options.ts'
import type { ReconciliationReport } from '../../../src/execution/reconciliation/reconciliation-report.ts'
import type { TradeComparison } from '../../../src/execution/reconciliation/trade-comparison.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { OWN_FUNDS_BTC, SPOT_BTC } from '../../domain/instruments.ts'
import { fillOf, requestOf } from '../../ledger/order-parts.ts'

const NOW = 5000
const NO_PARTIES = {
  ...{ bidId: undefined, askId: undefined, isSelfTrade: false },
  ...{ bidUserId: undefined, askUserId: undefined },
}
const named = (instrument: Instrument, symbol: string, base = 'BTC', quote = 'USDT'): Instrument => ({
  ...instrument,
  ...{ symbol, base, quote },
})
const INSTRUMENTS = [
  SPOT_BTC,
  named(SPOT_BTC, 'BTC/EUR', 'BTC', 'EUR'),
  named(SPOT_BTC, 'BTC/USDC', 'BTC', 'USDC'),
  named(SPOT_BTC, 'BTC/GBP', 'BTC', 'GBP'),
  named(SPOT_BTC, 'ETH/USDT', 'ETH'),
  named(OWN_FUNDS_BTC, 'BTC/USDT@margin'),
]

/** A spot account of 1000 USDT, 1000 EUR, 3 BTC and 2 ETH, and a ledger of it that is compared with what the exchange is made to say. */
class SpotBooks {
  readonly ledger = new Ledger(INSTRUMENTS, {
    spot: Object.entries({ USDT: '1000', EUR: '1000', BTC: '3', ETH: '2' }).map(([asset, text]) => [
      asset,
      amountOf(text),
    ]),
  })
  readonly events: EngineEvent[] = []
  readonly reports: ReconciliationReport[] = []
  readonly tradedByOthers = new Set<string>()
  readonly tradesOfOthers: OwnTrade[] = []
  /** Books that are being closed. */
  readonly closing = new Set<string>()
  latest: Ticks | undefined
  /** ms UTC. */
  now = NOW
  /** Free and locked by asset, as text. */
  there: Readonly<Record<string, readonly [free: string, locked: string]>> = {}
  readonly comparison: BalanceComparison

  constructor() {
    const options: Pick<
      ReconcilerOptions,
      'account' | 'instruments' | 'ledger' | 'emit' | 'closingOf' | 'onReport' | 'serverNow'
    > = {
      account: {
        balances: async () =>
          Object.entries(this.there).map(([asset, [free, locked]]) => ({
            ...{ asset, free: new Decimal(free), locked: new Decimal(locked) },
          })),
      },
      instruments: new Map(INSTRUMENTS.map(instrument => [instrument.symbol, instrument])),
      ledger: this.ledger,
      emit: event => this.#take(event),
      closingOf: symbol => {
        const books = new Set([...this.closing].filter(book => book.split('#')[0] === symbol))
        return books.size === 0 ? undefined : { books, price: this.latest }
      },
      onReport: report => this.reports.push(report),
      serverNow: () => this.now,
    }
    this.comparison = new BalanceComparison(
      options as ReconcilerOptions, // all that it reads
      {
        tradedByOthers: this.tradedByOthers,
        tradesOfOthers: this.tradesOfOthers,
      } as unknown as TradeComparison, // all that is asked of it
    )
  }

  /** A position of so many base units, traded at 10 without a fee. */
  hold(symbol: string, side: 'buy' | 'sell', quantity: string, book = symbol): void {
    this.#trade(book, { symbol, book, side, quantity, price: '10' })
  }

  #trade(
    id: string,
    {
      symbol,
      book,
      side,
      quantity,
      price,
    }: Record<'symbol' | 'book' | 'quantity' | 'price', string> & {
      side: Side
    },
  ): void {
    const request = requestOf({
      ...{ clientOrderId: id, symbol, book, side },
      quantity: steps(Math.round(Number(quantity) * 1000)),
    })
    this.ledger.orders.add(request)
    for (const event of ['submitted', 'accepted'] as const) this.ledger.orders.update(id, event)
    this.ledger.book({ ...fillOf(request, { price, quantity }), id })
  }

  /** Books what the comparison says, but for fees. */
  #take(event: EngineEvent): void {
    this.events.push(event)
    if (event.type === 'balancesReported')
      for (const [asset, amount] of event.balances) this.ledger.setBalance(asset, amount, 'spot')
    if (event.type !== 'liquidated') return
    const { symbol, book, quantity, price } = event.liquidation
    const instrument = this.ledger.instrument(symbol)
    const terms = { quantity: quantityText(instrument, quantity), price: priceText(instrument, price) }
    this.#trade(event.fillId, { symbol, book, side: 'sell', ...terms })
  }

  /** A sale of others, at a price and with a fee of 0.1% in quote. */
  sell(symbol: string, id: string, quantity: string, price: string, feeAsset = 'USDT'): void {
    const [size, at] = [new Decimal(quantity), new Decimal(price)]
    this.tradesOfOthers.push({
      ...{
        symbol,
        id,
        orderId: `9${id}`,
        side: 'sell',
        quantity: size,
        price: at,
        feeAsset,
        time: NOW - 100,
      },
      ...{ fee: size.times(at).times('0.001'), liquidity: 'taker', ...NO_PARTIES },
    })
  }

  /** Book, size in BTC, price, fee, and id of the fill of each close. */
  get closes(): readonly (readonly string[])[] {
    return this.events.flatMap(event => {
      if (event.type !== 'liquidated') return []
      const { book, quantity, price, fee, by } = event.liquidation
      const instrument = this.ledger.instrument(book.split('#')[0] ?? book)
      const terms = [quantityText(instrument, quantity), priceText(instrument, price), amountToText(fee)]
      return [[book, ...terms, `${event.fillId} ${by}`]]
    })
  }

  async look(): Promise<string> {
    await this.comparison.read()
    return this.comparison.compare()
  }

  /** Looks once more when no sale is expected to be listed any more. */
  async outwait(): Promise<void> {
    this.now = NOW + 90_000
    await this.look()
    expect(await this.look()).toBe('agreed')
  }

  owned(asset: string): Amount {
    return this.ledger.balances.in('spot').of(asset)
  }

  get halted(): readonly string[] {
    return this.events.flatMap(event => (event.type === 'instrumentHalted' ? [event.symbol] : []))
  }
}

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
