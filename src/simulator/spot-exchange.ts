import type { Ticks } from '../domain/numbers/grid.ts'
import { Account } from './account.ts'
import { DelayedActions } from './delayed-actions.ts'
import type { LiveState } from './live/live-state.ts'
import type { MarketObservation } from './live/market-observation.ts'
import { type MarginLiquidation, MarginWatch } from './margin/margin-watch.ts'
import { valueIn } from './margin/valuation.ts'
import { driversOf } from './prices/correlation-settings.ts'
import { ApiError } from './protocol/api-error.ts'
import type { SimulatorConfig } from './simulator-config.ts'
import { ListedMarket } from './spot/listed-market.ts'
import { checkTrader, checkTrading, type TraderRules } from './spot/order-admission.ts'
import { type Execution, settle } from './spot/own-trade.ts'
import {
  isOpen,
  newSpotOrder,
  payingAsset,
  reserveOf,
  type SimulatedSpotOrder,
  type SpotOrderDraft,
} from './spot/spot-order.ts'
import { dumpUsers, namesOfAccounts, restoreUsers, type SpotState } from './spot-state.ts'
import type { Trader } from './trader.ts'
import { openUsers, type User } from './user.ts'

/**
 * Order ids beyond 2^53, as on the live exchange; those of the exchange's own account lie below those of the
 * users.
 */
const FIRST_HOUSE_ORDER_ID = 1_800_000_000_000_000_000n
const HOUSE_IDS_PER_MARKET = 10n ** 15n
const FIRST_ORDER_ID = 1_900_000_000_000_000_001n
const FIRST_TRADE_ID = 100_000
const HOUSE_UID = 1
const FEE_UID = 2
const INSURANCE_UID = 4

/** Markets, accounts and orders of the simulated exchange, without any wire format. */
export class SpotExchange {
  readonly markets: readonly ListedMarket[]
  readonly users: readonly User[]
  readonly #house = new Account(HOUSE_UID, true)
  /** Owes where the makers' rebates of an asset are more than the takers' fees. */
  readonly fees = new Account(FEE_UID, true)
  /** Insurance for margin accounts: its debts are the shortfalls of liquidations. */
  readonly insurance = new Account(INSURANCE_UID, true)
  /** Called after every print of a market. */
  onPrint: ((market: ListedMarket) => void) | undefined
  /** Delay of orders before the book, and of cancels, ms; set for one call at a time. */
  delays = { matchingDelayMs: 0, cancelDelayMs: 0 }
  readonly #putOff = new DelayedActions()
  readonly #rules: TraderRules
  readonly #traderOf = new Map<Account, Trader>()
  readonly #marginWatch: MarginWatch
  #now = Number.NEGATIVE_INFINITY
  #orderCount = 0n
  #tradeCount = 0

  /** `live` has the rules of markets that are only observed. */
  constructor(config: SimulatorConfig, live: LiveState) {
    this.#rules = config
    const house = this.#house
    const valuation = config.listings[0]?.instrument.quote ?? ''
    this.users = openUsers(config, {
      lender: house,
      now: () => this.#now,
      worthOf: (asset, amount) => valueIn(valuation, asset, amount, this.markets),
    })
    for (const user of this.users) {
      for (const trader of [user, user.margin]) this.#traderOf.set(trader.account, trader)
    }
    const events = {
      executed: (execution: Omit<Execution, 'id'>) => this.#executed(execution),
      finished: (order: SimulatedSpotOrder) => this.#finished(order),
    }
    this.markets = config.listings.map((listing, index) => {
      const firstHouseId = FIRST_HOUSE_ORDER_ID + BigInt(index) * HOUSE_IDS_PER_MARKET
      return new ListedMarket({
        listing,
        drivers: driversOf(listing.instrument.symbol, config.seed, config.correlation),
        house,
        plan: config.liquidity,
        firstHouseId,
        events,
        live,
      })
    })
    this.#marginWatch = new MarginWatch({
      ...{ markets: this.markets, insurance: this.insurance, keptRecords: config.keptRecords },
      liquidationRatio: config.margin.liquidationRatio,
      cancel: order => this.marketOf(order.instrument.symbol).cancel(order),
      place: (trader, draft) => {
        const order = this.#taken(trader, draft)
        this.marketOf(draft.instrument.symbol).placeNow(order)
      },
    })
  }

  /** The latest liquidations of margin accounts, newest first. */
  get marginLiquidations(): Iterable<MarginLiquidation> {
    return this.#marginWatch.liquidations
  }

  /**
   * The exchange's own account, counterparty of all background orders, quotes included: its debts are the
   * users' gains.
   */
  get house(): Account {
    for (const listed of this.markets) listed.refreshQuotes()
    return this.#house
  }

  /** The exchange's time, ms UTC. */
  get now(): number {
    return this.#now
  }

  /** When the next print of any market is due, ms UTC. */
  get nextPrintAt(): number | undefined {
    const [print, action] = [this.#nextPrintAt(), this.#putOff.nextAt]
    return print === undefined || action === undefined ? (print ?? action) : Math.min(print, action)
  }

  /** Its whole state except the rate limits; `undefined` before it opens, and while actions are pending. */
  dump(): SpotState | undefined {
    if (!Number.isFinite(this.#now) || !this.#putOff.areNone) return undefined
    const states = this.markets.map(market => [market.instrument.symbol, market.dump()] as const)
    return {
      now: this.#now,
      orderCount: this.#orderCount,
      tradeCount: this.#tradeCount,
      house: this.#house.holdings,
      fees: this.fees.holdings,
      insurance: this.insurance.holdings,
      users: dumpUsers(this.users),
      markets: new Map(states.flatMap(([symbol, state]) => (state === undefined ? [] : [[symbol, state]]))),
      marginLiquidations: [...this.marginLiquidations].toReversed(),
    }
  }

  /** Restores a dumped state into an exchange that has not opened. A market missing there opens later. */
  restore(state: SpotState): void {
    this.#now = state.now
    this.#orderCount = state.orderCount
    this.#tradeCount = state.tradeCount
    this.#house.restore(state.house)
    this.fees.restore(state.fees)
    this.insurance.restore(state.insurance)
    restoreUsers(this.users, state.users)
    for (const market of this.markets) {
      const kept = state.markets.get(market.instrument.symbol)
      if (kept !== undefined) market.restore(kept, state.now)
    }
    this.#marginWatch.restore(state.marginLiquidations)
  }

  /** Shared objects of orders and trades, with unique names. */
  get names(): readonly (readonly [string, object])[] {
    const institutions = { house: this.#house, fees: this.fees, insurance: this.insurance }
    return [
      ...namesOfAccounts(institutions, this.users),
      ...this.markets.map(({ instrument }) => [`instrument ${instrument.symbol}`, instrument] as const),
    ]
  }

  /** Moves the markets to `to` (ms UTC); a past time is ignored. */
  advance(to: number): void {
    if (to <= this.#now) return
    for (const market of this.markets) {
      market.open(to)
      market.live?.orders.pass(to)
    }
    for (let time = this.#nextPrintAt(); time !== undefined && time <= to; time = this.#nextPrintAt()) {
      this.#actUntil(time)
      this.#now = Math.max(this.#now, time)
      for (const market of this.markets) this.#playDue(market, time)
    }
    this.#actUntil(to)
    this.#now = to
  }

  /** The market of a symbol in any spelling (`BTC/USDT`, `btcusdt`); throws `ApiError`. */
  marketOf(symbol: string | undefined): ListedMarket {
    const wanted = symbol?.replace('/', '').toUpperCase()
    const market = this.markets.find(({ instrument }) => instrument.base + instrument.quote === wanted)
    if (market === undefined) throw new ApiError('BAD_SYMBOL')
    return market
  }

  /** Throws `ApiError` if the account cannot place this order now. */
  check(trader: Trader, draft: SpotOrderDraft): void {
    checkTrading(this.marketOf(draft.instrument.symbol), draft)
    checkTrader(trader, draft, this.#rules)
  }

  /** Places an order; throws `ApiError` if that cannot be. */
  place(trader: Trader, draft: SpotOrderDraft): SimulatedSpotOrder {
    this.check(trader, draft)
    const order = this.#taken(trader, draft)
    const listed = this.marketOf(draft.instrument.symbol)
    trader.credit?.cover(payingAsset(order), reserveOf(order))
    if (this.delays.matchingDelayMs === 0) listed.place(order)
    else {
      listed.market.reserve(order)
      this.#putOff.putOff(this.#now + this.delays.matchingDelayMs, () => {
        if (isOpen(order)) listed.admit(order, this.#now)
      })
    }
    return order
  }

  /** Cancels an open order, or marks it as PENDING_CANCEL if cancels are delayed. */
  cancel(order: SimulatedSpotOrder): void {
    const listed = this.marketOf(order.instrument.symbol)
    if (this.delays.cancelDelayMs === 0) listed.requestCancel(order, this.#now)
    else if (order.status !== 'PENDING_CANCEL') {
      order.status = 'PENDING_CANCEL'
      this.#putOff.putOff(this.#now + this.delays.cancelDelayMs, () => {
        if (isOpen(order)) listed.requestCancel(order, this.#now)
      })
    }
  }

  /** Takes what a host tells of an observed market at this moment; an unknown market throws `ApiError`. */
  observe(observation: MarketObservation): void {
    const market = this.marketOf(observation.symbol)
    market.observe(observation, this.#now)
    if (observation.kind === 'trades' || observation.kind === 'day') this.#printed(market)
  }

  /** True if an observation of a market may change an account. */
  isEngaged(market: ListedMarket): boolean {
    return market.isEngaged || this.users.some(({ margin }) => margin.credit.debts.size > 0)
  }

  /** Moves the reference price of a market, which continues from there. */
  shock(market: ListedMarket, price: Ticks): void {
    market.shock(price, this.#now)
    this.#printed(market)
  }

  #taken(trader: Trader, draft: SpotOrderDraft): SimulatedSpotOrder {
    const id = FIRST_ORDER_ID + this.#orderCount++
    const order = newSpotOrder(draft, { id, account: trader.account, time: this.#now })
    trader.history.placed(order)
    return order
  }

  /** Runs the actions due by `time`. */
  #actUntil(time: number): void {
    for (let next = this.#putOff.nextAt; next !== undefined && next <= time; next = this.#putOff.nextAt) {
      this.#now = next
      this.#putOff.actNext()
    }
  }

  #playDue(market: ListedMarket, time: number): void {
    while (market.nextPrintAt === time) if (market.playNext()) this.#printed(market)
  }

  /** A new price revalues the assets and debts of margin accounts. */
  #printed(market: ListedMarket): void {
    this.onPrint?.(market)
    for (const { margin } of this.users) this.#marginWatch.look(margin, this.#now)
  }

  #nextPrintAt(): number | undefined {
    let earliest: number | undefined
    for (const { nextPrintAt } of this.markets) {
      if (nextPrintAt !== undefined && (earliest === undefined || nextPrintAt < earliest))
        earliest = nextPrintAt
    }
    return earliest
  }

  #executed(execution: Omit<Execution, 'id'>): void {
    const id = FIRST_TRADE_ID + ++this.#tradeCount
    for (const trade of settle({ ...execution, id }, this.fees)) {
      this.#traderOf.get(trade.order.account)?.history.traded(trade)
    }
    for (const { account } of [execution.maker, execution.taker])
      this.#traderOf.get(account)?.credit?.payBack()
  }

  #finished(order: SimulatedSpotOrder): void {
    const trader = this.#traderOf.get(order.account)
    trader?.history.ended(order)
    trader?.credit?.payBack()
  }
}
