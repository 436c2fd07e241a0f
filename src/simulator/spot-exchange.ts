import { Account } from './account.ts'
import { ApiError } from './api-error.ts'
import { ListedMarket } from './listed-market.ts'
import { OrderHistory } from './order-history.ts'
import { type Execution, settle } from './own-trade.ts'
import type { SimulatorConfig } from './simulator-config.ts'
import { newSpotOrder, payingAsset, reserveOf, type SpotOrder, type SpotOrderDraft } from './spot-order.ts'

/** Order ids beyond 2^53, as on the live exchange; the house's own lie below those of the users. */
const FIRST_HOUSE_ORDER_ID = 1_800_000_000_000_000_000n
const HOUSE_IDS_PER_MARKET = 10n ** 15n
const FIRST_ORDER_ID = 1_900_000_000_000_000_001n
const FIRST_TRADE_ID = 100_000
const HOUSE_UID = 1
const FEE_UID = 2
const FIRST_UID = 10_001

/** A user of the exchange. */
export interface User {
  readonly apiKey: string
  readonly apiSecret: string
  readonly account: Account
  readonly history: OrderHistory
}

/** Markets, accounts and orders of the simulated exchange, without any wire format. */
export class SpotExchange {
  readonly markets: readonly ListedMarket[]
  readonly users: readonly User[]
  /** Counterpart of all background orders: what it owes is what the users gained. */
  readonly house = new Account(HOUSE_UID, true)
  readonly fees = new Account(FEE_UID)
  readonly #maxOpenOrders: number
  readonly #historyOf = new Map<Account, OrderHistory>()
  #now = Number.NEGATIVE_INFINITY
  #orderCount = 0n
  #tradeCount = 0

  constructor(config: SimulatorConfig) {
    this.#maxOpenOrders = config.maxOpenOrders
    this.users = config.accounts.map(({ apiKey, apiSecret, balances }, index) => {
      const account = new Account(FIRST_UID + index)
      for (const [asset, amount] of Object.entries(balances)) account.deposit(asset, amount)
      const history = new OrderHistory()
      this.#historyOf.set(account, history)
      return { apiKey, apiSecret, account, history }
    })
    const { house } = this
    const events = {
      executed: (execution: Omit<Execution, 'id'>) => this.#executed(execution),
      finished: (order: SpotOrder) => this.#historyOf.get(order.account)?.finished(order),
    }
    this.markets = config.listings.map((listing, index) => {
      const firstHouseId = FIRST_HOUSE_ORDER_ID + BigInt(index) * HOUSE_IDS_PER_MARKET
      return new ListedMarket({
        listing,
        seed: config.seed,
        house,
        plan: config.liquidity,
        firstHouseId,
        events,
      })
    })
  }

  /** The exchange's time, ms UTC. */
  get now(): number {
    return this.#now
  }

  /** When the next print of any market is due, ms UTC. */
  get nextPrintAt(): number | undefined {
    return this.#nextMarket()?.nextPrintAt
  }

  /** Lets the markets move to `to` (ms UTC); a time in the past changes nothing. */
  advance(to: number): void {
    if (to <= this.#now) return
    for (const market of this.markets) market.open(to)
    for (let next = this.#nextMarket(); (next?.nextPrintAt ?? to + 1) <= to; next = this.#nextMarket())
      next?.playPrint()
    for (const market of this.markets) market.refreshQuotes()
    this.#now = to
  }

  /** The market of a symbol in any spelling (`BTC/USDT`, `btcusdt`); throws `ApiError`. */
  marketOf(symbol: string | undefined): ListedMarket {
    const wanted = symbol?.replace('/', '').toUpperCase()
    const market = this.markets.find(({ instrument }) => instrument.base + instrument.quote === wanted)
    if (market === undefined) throw new ApiError('BAD_SYMBOL')
    return market
  }

  /** Throws `ApiError` if the user cannot place this order now. */
  check(user: User, draft: SpotOrderDraft): void {
    const { market } = this.marketOf(draft.instrument.symbol)
    if (draft.type === 'MARKET' && market.book.best(draft.side === 'buy' ? 'sell' : 'buy') === undefined) {
      throw new ApiError('NO_DEPTH')
    }
    if (!user.account.canLock(payingAsset(draft), reserveOf(draft))) throw new ApiError('BALANCE_NOT_ENOUGH')
    if (user.history.openCount >= this.#maxOpenOrders) throw new ApiError('TOO_MANY_ORDERS')
  }

  /** Places an order; throws `ApiError` if that cannot be. */
  place(user: User, draft: SpotOrderDraft): SpotOrder {
    this.check(user, draft)
    const id = FIRST_ORDER_ID + this.#orderCount++
    const order = newSpotOrder(draft, { id, account: user.account, time: this.#now })
    user.history.placed(order)
    this.marketOf(draft.instrument.symbol).market.place(order)
    return order
  }

  /** Cancels an open order. */
  cancel(order: SpotOrder): void {
    this.marketOf(order.instrument.symbol).market.cancel(order)
  }

  #nextMarket(): ListedMarket | undefined {
    let next: ListedMarket | undefined
    for (const market of this.markets) {
      const time = market.nextPrintAt
      if (time !== undefined && time < (next?.nextPrintAt ?? Number.POSITIVE_INFINITY)) next = market
    }
    return next
  }

  #executed(execution: Omit<Execution, 'id'>): void {
    const id = FIRST_TRADE_ID + ++this.#tradeCount
    for (const trade of settle({ ...execution, id }, this.fees)) {
      this.#historyOf.get(trade.order.account)?.traded(trade)
    }
  }
}
