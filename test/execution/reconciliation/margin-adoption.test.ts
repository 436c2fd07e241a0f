import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import { MarginAdoption } from '../../../src/execution/reconciliation/margin-adoption.ts'
import type { ReconcilerOptions } from '../../../src/execution/reconciliation/reconciler-options.ts'
import type { ReconciliationReport } from '../../../src/execution/reconciliation/reconciliation-report.ts'
import { SentRequests } from '../../../src/execution/sent-requests.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { TradingState } from '../../../src/risk/trading-state.ts'
import { OWN_FUNDS_BTC, SPOT_BTC } from '../../domain/instruments.ts'
import { fillOf, requestOf } from '../../ledger/order-parts.ts'

const NOW = 5000
const BTC_EUR = { ...OWN_FUNDS_BTC, symbol: 'BTC/EUR', quote: 'EUR' }
const BTC_USDC = { ...OWN_FUNDS_BTC, symbol: 'BTC/USDC', quote: 'USDC' }
const ETH = { ...OWN_FUNDS_BTC, symbol: 'ETH/USDT', base: 'ETH' }
const SPOT = { ...SPOT_BTC, symbol: 'BTC/GBP', quote: 'GBP' }
const INSTRUMENTS: readonly Instrument[] = [OWN_FUNDS_BTC, BTC_EUR, BTC_USDC, ETH, SPOT]

/** A margin account of 10,000 USDT and 3 BTC, on which 1 BTC was bought with USDT, 2 with EUR, half a BTC sold for USDC and 1 ETH bought, beside 5 BTC on spot; others trade there. */
class MarginBooks {
  readonly events: EngineEvent[] = []
  readonly reports: ReconciliationReport[] = []
  readonly sentRequests = new SentRequests()
  readonly ledger = new Ledger(INSTRUMENTS, {
    margin: [
      ['USDT', amountOf('10000')],
      ['BTC', amountOf('3')],
    ],
  })
  /** Of BTC/USDT. */
  readonly state = new TradingState()
  takeover: MarginAdoption
  readonly #options: ReconcilerOptions

  constructor(foreignTrades: 'halt' | 'adopt' = 'adopt') {
    const options: Pick<
      ReconcilerOptions,
      'instruments' | 'ledger' | 'sentRequests' | 'margin' | 'emit' | 'onReport' | 'serverNow'
    > = {
      instruments: new Map(INSTRUMENTS.map(instrument => [instrument.symbol, instrument])),
      ledger: this.ledger,
      sentRequests: this.sentRequests,
      margin: { foreignTrades, isTraded: () => true, holdOf: () => this.state.holds[0]?.reason },
      emit: event => this.#book(event),
      onReport: report => this.reports.push(report),
      serverNow: () => NOW,
    }
    this.#options = options as ReconcilerOptions // all that it reads
    this.takeover = new MarginAdoption(this.#options)
    this.#hold('BTC/USDT', 'buy', '1')
    this.#hold('BTC/EUR', 'buy', '2')
    this.#hold('BTC/USDC', 'sell', '0.5')
    this.#hold('ETH/USDT', 'buy', '1')
    this.#hold('BTC/GBP', 'buy', '5')
  }

  /** Somebody else sells so many BTC at 50, for a fee of 0.1 USDT; `settles`: as the last trade of a look. */
  sold(quantity: string, id = '1', settles = true): void {
    this.#traded({ id, side: 'sell', quantity: new Decimal(quantity) }, OWN_FUNDS_BTC, settles)
  }

  /** Somebody else buys so many BTC at 50, for a fee of 0.1 USDT. */
  bought(quantity: string, id = '1'): void {
    this.#traded({ id, side: 'buy', quantity: new Decimal(quantity) }, OWN_FUNDS_BTC)
  }

  /** As after a restart of the bot. */
  restart(): void {
    this.takeover = new MarginAdoption(this.#options)
  }

  owned(asset: string): string {
    return amountToText(this.ledger.balances.in('margin').of(asset))
  }

  get halted(): readonly string[] {
    return this.events.flatMap(event => (event.type === 'instrumentHalted' ? [event.symbol] : []))
  }

  #traded(fields: Partial<OwnTrade>, instrument: Instrument, settles = true): void {
    const trade = {
      ...{ orderId: '9', symbol: instrument.symbol, price: new Decimal(50) },
      ...{ fee: new Decimal('0.1'), feeAsset: 'USDT', time: 60_000 },
      ...fields,
    }
    this.takeover.adopt(trade as OwnTrade, instrument) // as far as it is looked at
    if (settles) this.takeover.settle()
  }

  #book(event: EngineEvent): void {
    this.events.push(event)
    if (event.type === 'tradingCommanded' && event.command === 'halt')
      this.state.command({ ...event, command: 'halt' })
    if (event.type !== 'balancesReported') return
    for (const [asset, amount] of event.balances) this.ledger.setBalance(asset, amount, event.account)
    if (event.trade !== undefined) this.sentRequests.noteOthersTrade(event.trade)
  }

  #hold(symbol: string, side: 'buy' | 'sell', quantity: string): void {
    const request = requestOf({
      ...{ clientOrderId: symbol, symbol, book: symbol, side },
      quantity: steps(Number(quantity) * 1000),
    })
    this.ledger.orders.add(request)
    for (const event of ['submitted', 'accepted'] as const) this.ledger.orders.update(symbol, event)
    this.ledger.book(fillOf(request, { price: '10', quantity }))
  }
}

describe('a trade of others on a margin account', () => {
  it('is booked, in every asset that it changed', () => {
    const books = new MarginBooks()
    expect([books.owned('BTC'), books.owned('USDT')]).toEqual(['5.5', '9980'])
    books.bought('0.5')
    // 25 paid, and the fee.
    expect([books.owned('BTC'), books.owned('USDT')]).toEqual(['6', '9954.9'])
    expect(books.events).toEqual([
      {
        ...{ type: 'balancesReported', account: 'margin', time: NOW },
        trade: { symbol: 'BTC/USDT', tradeId: '1', orderId: '9' },
        balances: new Map([
          ['BTC', amountOf('6')],
          ['USDT', amountOf('9954.9')],
        ]),
      },
    ])
  })

  it('holds its instrument back first, and says what was done and how to go on', () => {
    const books = new MarginBooks('halt')
    books.sold('0.5')
    books.bought('0.25', '2')
    expect(books.events.map(({ type }) => type)).toEqual([
      'tradingCommanded',
      'balancesReported',
      'tradingCommanded',
      'balancesReported',
    ])
    const [held, , again] = books.events
    expect(held).toEqual({
      ...{ type: 'tradingCommanded', command: 'halt', by: 'invariant', symbol: 'BTC/USDT', time: NOW },
      reason:
        'Another client of the margin account sold 0.5 BTC at 50 (trade 1, 1970-01-01T00:01:00.000Z). The exchange does not publish balances and debts of that account. The trade is booked; other changes there would stay unknown. Resume BTC/USDT if there were none; otherwise start with a new journal and declare what is free. To go on beside others, set foreignTrades: adopt.',
    })
    expect(again).toMatchObject({
      reason: expect.stringContaining('bought 0.25 BTC at 50 (trade 2, 1970-01-01T00:01:00.000Z)'),
    })
  })

  it('renews the reason of its hold with the sums of all of them, also after a restart, until a resume', () => {
    const books = new MarginBooks('halt')
    const reason = () => books.state.holds.map(hold => hold.reason).join()
    for (const id of ['1', '2', '3']) books.sold('0.01', id)
    books.bought('0.25', '4')
    const until = ', and bought 0.25 BTC at 50 (trade 4, 1970-01-01T00:01:00.000Z). The exchange '
    expect(reason()).toContain(
      `Another client of the margin account sold 0.03 BTC in 3 trades, the first at 50 (trade 1, 1970-01-01T00:01:00.000Z)${until}`,
    )
    expect(reason()).toContain('The trades are booked;')
    const before = reason()
    books.restart()
    for (const id of ['5', '6']) books.sold('0.1', id)
    expect(reason()).toBe(
      `${before} Later: ${before.replace(/sold.*Z\)\./, 'sold 0.2 BTC in 2 trades, the first at 50 (trade 5, 1970-01-01T00:01:00.000Z).')}`,
    )
    books.state.command({ command: 'resume', by: 'operator', reason: 'Seen.', time: 1 })
    books.sold('0.3', '7')
    expect(reason()).toContain('account sold 0.3 BTC at 50 (trade 7,')
    expect(books.state.holds).toHaveLength(1)
  })

  it('leaves a hold for another reason as it is', () => {
    const books = new MarginBooks('halt')
    const reason = 'Another process trades this account.'
    books.state.command({ command: 'halt', by: 'invariant', reason, time: 1 })
    books.sold('0.5')
    expect(books.state.holds.map(hold => hold.reason)).toEqual([reason])
  })

  it('halts every position in an asset of which it leaves too little, says why, and halts once', () => {
    const books = new MarginBooks()
    books.sold('2.501')
    const reason =
      'Others left 2.999 BTC on the margin account, less than the 3 of our positions; bring it back, or close what is held and start with a new journal.'
    expect(books.events.slice(1)).toEqual(
      ['BTC/USDT', 'BTC/EUR', 'BTC/USDC'].map(symbol => ({
        ...{ type: 'instrumentHalted', symbol, reason, time: NOW },
      })),
    )
    books.sold('1', '2')
    expect(books.halted).toEqual(['BTC/USDT', 'BTC/EUR', 'BTC/USDC'])
  })

  it('gives the halt the figures after all trades of a look, and renews them once others change them', () => {
    const books = new MarginBooks()
    const reasons = () =>
      books.events.flatMap(event =>
        event.type === 'instrumentHalted' && event.symbol === 'BTC/USDT' ? [event.reason] : [],
      )
    const renewed = () =>
      books.reports.flatMap(report =>
        report.type === 'haltChanged' && report.symbol === 'BTC/USDT' ? [report.reason] : [],
      )
    const left = (amount: string) =>
      `Others left ${amount} BTC on the margin account, less than the 3 of our positions; bring it back, or close what is held and start with a new journal.`
    // There were 5.5.
    books.sold('2.6', '1', false)
    books.sold('0.4', '2')
    expect([reasons(), renewed()]).toEqual([[left('2.5')], []])
    books.sold('1', '3')
    books.takeover.settle()
    expect(renewed()).toEqual([left('1.5')])
    books.sold('2', '4')
    expect(renewed().at(-1)).toBe(
      'Others sold 0.5 BTC more than the margin account had, which it owes now, beside the 3 of our positions; bring it back, or close what is held and start with a new journal.',
    )
    books.bought('3.5', '5')
    expect(renewed().at(-1)).toBe(
      'It was halted because books and account differed. They do not differ any more; restart the bot to go on.',
    )
    expect([reasons().length, renewed().length]).toEqual([1, 3])
  })

  it('halts nothing where it leaves exactly as much', () => {
    const books = new MarginBooks()
    books.sold('2.5')
    expect([books.halted, books.owned('BTC')]).toEqual([[], '3'])
  })

  it('that was booked before a crash is not booked again, but what it leaves is looked at', () => {
    const books = new MarginBooks()
    books.sentRequests.noteOthersTrade({ symbol: 'BTC/USDT', tradeId: '1', orderId: '9' })
    books.ledger.setBalance('BTC', amountOf('2'), 'margin')
    books.sold('3.5')
    expect(books.owned('BTC')).toBe('2')
    expect(books.halted).toEqual(['BTC/USDT', 'BTC/EUR', 'BTC/USDC'])
  })
})
