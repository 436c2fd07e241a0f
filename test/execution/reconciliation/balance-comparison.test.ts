import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { type Amount, amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import { BalanceComparison } from '../../../src/execution/reconciliation/balance-comparison.ts'
import type { ReconcilerOptions } from '../../../src/execution/reconciliation/reconciler-options.ts'
import type { ReconciliationReport } from '../../../src/execution/reconciliation/reconciliation-report.ts'
import type { TradeComparison } from '../../../src/execution/reconciliation/trade-comparison.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { OWN_FUNDS_BTC, SPOT_BTC } from '../../domain/instruments.ts'
import { fillOf, requestOf } from '../../ledger/order-parts.ts'

const NOW = 5000
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
  /** Free and locked by asset, as text. */
  there: Readonly<Record<string, readonly [free: string, locked: string]>> = {}
  readonly comparison: BalanceComparison

  constructor() {
    const options: Pick<
      ReconcilerOptions,
      'account' | 'instruments' | 'ledger' | 'emit' | 'onReport' | 'serverNow'
    > = {
      account: {
        balances: async () =>
          Object.entries(this.there).map(([asset, [free, locked]]) => ({
            ...{ asset, free: new Decimal(free), locked: new Decimal(locked) },
          })),
      },
      instruments: new Map(INSTRUMENTS.map(instrument => [instrument.symbol, instrument])),
      ledger: this.ledger,
      emit: event => this.events.push(event),
      onReport: report => this.reports.push(report),
      serverNow: () => NOW,
    }
    this.comparison = new BalanceComparison(
      options as ReconcilerOptions, // all that it reads
      { tradedByOthers: this.tradedByOthers } as unknown as TradeComparison, // all that is asked of it
    )
  }

  /** A position of so many base units, traded at 10 without a fee. */
  hold(symbol: string, side: 'buy' | 'sell', quantity: string): void {
    const request = requestOf({
      ...{ clientOrderId: symbol, symbol, book: symbol, side },
      quantity: steps(Number(quantity) * 1000),
    })
    this.ledger.orders.add(request)
    for (const event of ['submitted', 'accepted'] as const) this.ledger.orders.update(symbol, event)
    this.ledger.book(fillOf(request, { price: '10', quantity }))
  }

  async look(): Promise<string> {
    await this.comparison.read()
    return this.comparison.compare()
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
    expect(await books.look()).toBe('agreed')
    return books
  }

  it('halts every position of it, says why, and stays as it was', async () => {
    const books = await shortOf({ BTC: ['2.5', '0.499'] })
    const reason =
      'The account holds 2.999 BTC, less than the 3 of our positions; bring it back or start with a new journal.'
    expect(books.events).toEqual(
      ['BTC/USDT', 'BTC/EUR', 'BTC/USDC'].map(symbol => ({
        type: 'instrumentHalted',
        symbol,
        reason,
        time: NOW,
      })),
    )
    expect(books.reports).toEqual([])
  })

  it('halts nothing where exactly as much is there', async () => {
    const books = await shortOf({ BTC: ['3', '0'] })
    expect(books.halted).toEqual([])
    expect(books.reports).toMatchObject([{ asset: 'BTC', cause: 'transfer' }])
  })

  it('does not keep other assets from being taken over', async () => {
    const books = await shortOf({ BTC: ['2', '0'], EUR: ['500', '0'] })
    expect(books.halted).toEqual(['BTC/USDT', 'BTC/EUR', 'BTC/USDC'])
    expect(books.reports).toMatchObject([{ asset: 'EUR', exchange: amountOf('500') }])
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
