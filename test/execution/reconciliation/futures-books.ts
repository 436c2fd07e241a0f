import { sideBook } from '../../../src/domain/book-names.ts'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { FuturesTerms } from '../../../src/domain/futures-terms.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { type Steps, steps, type Ticks, ticks } from '../../../src/domain/numbers/grid.ts'
import { type Direction, exitSideOf, type Side } from '../../../src/domain/orders/side.ts'
import type { FuturesBalance } from '../../../src/exchange/futures/futures-balance.ts'
import type { FuturesTransaction } from '../../../src/exchange/futures/futures-transaction.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import type { FuturesReads, HeldContract } from '../../../src/execution/reconciliation/futures-account.ts'
import { FuturesComparison } from '../../../src/execution/reconciliation/futures-comparison.ts'
import type { ReconciliationReport } from '../../../src/execution/reconciliation/reconciliation-report.ts'
import type { TradeComparison } from '../../../src/execution/reconciliation/trade-comparison.ts'
import { SentRequests } from '../../../src/execution/sent-requests.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { futuresWith } from '../../domain/instruments.ts'
import { requestOf } from '../../ledger/order-parts.ts'

/** A position as the exchange lists it; decimal text. */
export interface Listed {
  readonly contractName?: string
  readonly direction?: Direction
  readonly volume: string
  readonly margin?: string
  /** Average entry price; default: not told. */
  readonly averagePrice?: string
  readonly leverage?: string
  readonly positionType?: 'cross' | 'isolated'
}

/** A change of the account's money as the exchange lists it. */
export interface Told {
  readonly id: string
  readonly type: FuturesTransaction['type']
  readonly amount: string
  readonly time?: number
  /** Default: `BTCUSDT`; `null` for none. */
  readonly of?: string | null
}

/**
 * A futures account of 1000 USDT, and a ledger of it that is compared with what the exchange is made to say. Contracts of
 * 0.01 BTC and 0.01 ETH, tick 0.1, at 10x; the clock stands at 1,000,000 ms until it is set.
 */
export class FuturesBooks {
  readonly btc: HeldContract
  readonly eth: HeldContract
  readonly ledger: Ledger
  readonly sentRequests = new SentRequests()
  readonly comparison: FuturesComparison
  readonly events: EngineEvent[] = []
  readonly reports: ReconciliationReport[] = []
  readonly doubted: string[] = []
  readonly tradesOfOthers: OwnTrade[] = []
  /** Times from which transactions were asked for, ms UTC. */
  readonly askedFrom: number[] = []
  now = 1_000_000
  /** What the exchange has: money outside of isolated positions, and in orders and in these. */
  balance = '1000'
  orderMargin = '0'
  isolatedMargin = '0'
  positions: readonly Listed[] = []
  transactions: readonly Told[] = []
  /** What the list of transactions fails with. */
  listError: Error | undefined
  lastFundingRate = '0.0001'
  #fills = 0

  constructor(terms: Partial<FuturesTerms> = {}) {
    const instrument: Instrument = futuresWith({ marginMode: 'cross', ...terms })
    const marginMode = terms.marginMode ?? 'cross'
    this.btc = { contractName: 'E-BTC-USDT', quote: 'USDT', marginMode, instrument }
    this.eth = {
      ...{ contractName: 'E-ETH-USDT', quote: 'USDT', marginMode },
      instrument: { ...instrument, symbol: 'ETH/USDT', base: 'ETH' },
    }
    const contracts = [this.btc, this.eth]
    this.ledger = new Ledger(
      contracts.map(contract => contract.instrument),
      [['USDT', amountOf('1000')]],
    )
    const reads: Pick<FuturesReads, 'account'> & Record<'allTransactions' | 'indexPrice', unknown> = {
      account: async () => this.#account(),
      allTransactions: (range: { marginCoin: string; from: number }) => this.#listed(range),
      indexPrice: async ({ contractName }: { contractName: string }) => ({
        lastFundingRate: new Decimal(contractName === 'E-BTC-USDT' ? this.lastFundingRate : '0.5'),
      }),
    }
    this.comparison = new FuturesComparison(
      {
        ledger: this.ledger,
        sentRequests: this.sentRequests,
        emit: event => this.#book(event),
        serverNow: () => this.now,
        onPositionMismatch: symbol => this.doubted.push(symbol),
        onTradesSeen: seen => this.sentRequests.observeTrades(seen),
        onReport: report => this.reports.push(report),
        reads: reads as FuturesReads, // as far as it is read
        contracts,
        onTransactionsSeen: seen => this.sentRequests.observeTransactions(seen),
      },
      { tradesOfOthers: this.tradesOfOthers } as unknown as TradeComparison, // all that is asked of it
    )
  }

  /** Trades contracts at a price in ticks of 0.1, without a fee: in the ledger only. */
  trade(side: Side, contracts: number, price: number, at = 0, { instrument } = this.btc): void {
    const direction = side === 'buy' ? 'long' : 'short'
    this.#fill(instrument, {
      ...{ side, book: sideBook(instrument, direction), time: at, id: `fill-${++this.#fills}` },
      ...{ quantity: steps(contracts), price: ticks(price), fee: '0' },
    })
    this.ledger.mark(instrument, ticks(price))
  }

  /** Compares once, at a time; says how that ended. */
  async look(now = this.now): Promise<'agreed' | 'suspected'> {
    this.now = now
    await this.comparison.book()
    await this.comparison.read()
    return this.comparison.compare()
  }

  /** Compares twice, long enough apart that what differs is believed. */
  async believe(): Promise<string> {
    await this.look()
    return this.look(this.now + 2000)
  }

  /** Why instruments were halted, by symbol. */
  get halts(): readonly (readonly [symbol: string, reason: string])[] {
    return this.events.flatMap(event =>
      event.type === 'instrumentHalted' ? [[event.symbol, event.reason] as const] : [],
    )
  }

  #book(event: EngineEvent): void {
    this.events.push(event)
    if (event.type === 'fundingPaid') {
      this.ledger.fund(event.payment)
      const { id, time } = event.payment
      if (id !== undefined) this.sentRequests.noteFunding({ id, time })
    }
    if (event.type === 'balancesReported')
      for (const [asset, amount] of event.balances) this.ledger.setBalance(asset, amount, event.account)
    if (event.type === 'positionCostReported') this.ledger.setCost(event.book, event.cost)
    if (event.type === 'positionMarginReported') this.ledger.contracts.setMargin(event.book, event.margin)
    if (event.type !== 'liquidated') return
    const { symbol, book, direction, quantity, price, fee } = event.liquidation
    this.#fill(this.ledger.instrument(symbol), {
      ...{ side: exitSideOf(direction), book, quantity, price, time: event.time, id: event.fillId },
      ...{ fee: `${fee}e-18`, reduceOnly: true },
    })
  }

  #fill(
    { symbol }: Instrument,
    fill: {
      readonly side: Side
      readonly book: string
      readonly quantity: Steps
      readonly price: Ticks
      readonly fee: string
      readonly time: number
      readonly id: string
      readonly reduceOnly?: boolean
    },
  ): void {
    const { side, quantity, book, id, reduceOnly = false } = fill
    this.ledger.orders.add(requestOf({ clientOrderId: id, symbol, book, side, quantity, reduceOnly }))
    for (const event of ['submitted', 'accepted'] as const) this.ledger.orders.update(id, event)
    this.ledger.book({
      ...{ ...fill, symbol, clientOrderId: id, fee: amountOf(fill.fee) },
      ...{ feeAsset: 'USDT', liquidity: 'taker' },
    })
  }

  #account(): FuturesBalance[] {
    const contracts = this.positions.map(listed => ({
      contractName: listed.contractName ?? 'e-btc-usdt',
      positions: [
        {
          direction: listed.direction ?? 'long',
          volume: new Decimal(listed.volume),
          margin: new Decimal(listed.margin ?? '0'),
          averagePrice: listed.averagePrice === undefined ? undefined : new Decimal(listed.averagePrice),
          leverage: new Decimal(listed.leverage ?? '10'),
          positionType: listed.positionType ?? this.btc.marginMode,
        },
      ],
    }))
    const account = {
      marginCoin: 'usdt',
      balance: new Decimal(this.balance),
      orderMargin: new Decimal(this.orderMargin),
      isolatedMargin: new Decimal(this.isolatedMargin),
      contracts,
    }
    return [account as unknown as FuturesBalance] // as far as it is read
  }

  async *#listed({ marginCoin, from }: { readonly marginCoin: string; readonly from: number }) {
    this.askedFrom.push(from)
    if (this.listError !== undefined) throw this.listError
    for (const { id, type, amount, time = 0, of = 'BTCUSDT' } of this.transactions)
      if (marginCoin === 'USDT')
        yield { id, type, amount: new Decimal(amount), time, contractDisplayName: of ?? undefined }
  }
}
