import { type Ticks, ticks } from '../../../domain/numbers/grid.ts'
import type { DelayedActions } from '../../delayed-actions.ts'
import { ApiError } from '../../protocol/api-error.ts'
import type { Contract } from '../contract.ts'
import type { FuturesMarket, FuturesMarketEvents } from '../futures-market.ts'
import type { FuturesSettings } from '../futures-setup.ts'
import type { ListedContract } from '../listed-contract.ts'
import type { Clearing } from '../positions/clearing.ts'
import type { FuturesAccount, FuturesExecution, SimulatedFuturesOrder } from '../positions/futures-account.ts'
import { liquidateWhereDue } from '../positions/liquidation.ts'
import { Admission, type AdmissionRules, fitToPosition } from './admission.ts'
import { ConditionBook } from './condition-book.ts'
import { isLive, isWaiting, openVolumeOf } from './futures-order.ts'
import type { FuturesOrderDraft } from './futures-order-draft.ts'
import { closableVolume } from './order-check.ts'

/** Beyond 2^53 as on live hosts; ids of the exchange's own account lie below. */
const FIRST_ORDER_ID = 2_100_000_000_000_000_001n
const FIRST_TRADE_ID = 500_000
const DAY = 86_400_000

export interface FuturesOrdersSetup {
  readonly clearing: Clearing
  readonly rules: AdmissionRules & Pick<FuturesSettings, 'conditionDays'>
  /** The exchange's time, ms UTC. */
  readonly clock: { readonly now: number }
  /** Delayed actions of the exchange. */
  readonly putOff: DelayedActions
}

/** State of the orders as plain data, except for its orders and accounts. */
export interface FuturesOrdersState {
  readonly conditions: ReadonlySet<SimulatedFuturesOrder>
  readonly touched: ReadonlySet<FuturesAccount>
  readonly orderCount: bigint
  readonly tradeCount: number
}

/** Accepts, matches and ends orders. */
export class FuturesOrders {
  readonly events: FuturesMarketEvents = {
    executed: meeting => this.#executed(meeting),
    finished: order => this.#finished(order),
  }
  /** Delay of orders before the book, and of cancels, ms; set for one call at a time. */
  delays = { matchingDelayMs: 0, cancelDelayMs: 0 }
  readonly #setup: FuturesOrdersSetup
  readonly #listed = new Map<Contract, ListedContract>()
  readonly #admission: Admission
  readonly #conditions: ConditionBook
  /** Accounts with trades since the last check of their margin. */
  readonly #touched = new Set<FuturesAccount>()
  #orderCount = 0n
  #tradeCount = 0

  constructor(setup: FuturesOrdersSetup) {
    this.#setup = setup
    this.#conditions = new ConditionBook(setup.rules.conditionDays * DAY)
    this.#admission = new Admission(setup.rules, {
      markOf: this.markOf,
      marketOf: contract => this.#marketOf(contract),
    })
  }

  /** Mark price of a contract. */
  readonly markOf = (contract: Contract): Ticks => this.#listed.get(contract)?.mark ?? ticks(0)

  /** All of it. */
  dump(): FuturesOrdersState {
    return {
      conditions: this.#conditions.waiting,
      touched: this.#touched,
      orderCount: this.#orderCount,
      tradeCount: this.#tradeCount,
    }
  }

  /** Restores the dump of another instance; only before the first order. */
  restore({ conditions, touched, orderCount, tradeCount }: FuturesOrdersState): void {
    for (const order of conditions) this.#conditions.add(order)
    for (const account of touched) this.#touched.add(account)
    this.#orderCount = orderCount
    this.#tradeCount = tradeCount
  }

  /** Takes orders of a contract from now on. */
  list(listed: ListedContract): void {
    this.#listed.set(listed.contract, listed)
  }

  /** Places an order, or stores it until its condition is met; throws `ApiError` if it is refused. */
  place(account: FuturesAccount, draft: FuturesOrderDraft): SimulatedFuturesOrder {
    const identity = { id: FIRST_ORDER_ID + this.#orderCount, time: this.#now }
    const order = this.#admission.orderOf(account, draft, identity)
    if (order.trigger === undefined) this.#admission.admit(order)
    this.#adopt(order)
    account.records.placed(order)
    account.freeze(order, openVolumeOf(order))
    if (this.delays.matchingDelayMs === 0) this.#start(order)
    else this.#later(this.delays.matchingDelayMs, order, () => this.#startLate(order))
    return order
  }

  /** Cancels an order that waits. */
  cancel(order: SimulatedFuturesOrder): void {
    if (order.status === 'INIT') this.#end(order, 'CANCELED')
    else {
      this.#listed.get(order.contract)?.live?.orders.remove(order)
      this.#marketOf(order.contract).cancel(order)
    }
  }

  /** Cancels a waiting order at its owner's request; with a cancel delay, only marks it as pending. */
  requestCancel(order: SimulatedFuturesOrder): void {
    const { cancelDelayMs } = this.delays
    const live = this.#listed.get(order.contract)?.live
    if (live !== undefined && order.status !== 'INIT') {
      if (!order.isCancelPending) live.orders.requestCancel(order, this.#now)
      order.isCancelPending = true
    } else if (cancelDelayMs === 0) this.cancel(order)
    else if (!order.isCancelPending) {
      order.isCancelPending = true
      this.#later(cancelDelayMs, order, () => this.cancel(order))
    }
  }

  /** The mark price of a contract may have moved: liquidates accounts, then triggers conditional orders. */
  markMoved({ contract }: ListedContract, accounts: readonly FuturesAccount[]): void {
    for (const account of accounts) if (account.positions().length > 0) this.#touched.add(account)
    this.#watchRisk(contract.quote)
    this.#trigger(contract)
  }

  /** Money of an account changed otherwise than by its orders. */
  moneyMoved(account: FuturesAccount, coin: string): void {
    this.#touched.add(account)
    this.#watchRisk(coin)
  }

  /** Ends the conditions that have waited too long. */
  expireConditions(): void {
    for (const order of this.#conditions.expired(this.#now)) this.#end(order, 'EXPIRED')
  }

  get #now(): number {
    return this.#setup.clock.now
  }

  /** An accepted order sets the account's margin mode of the contract. */
  #adopt({ account, contract, marginMode }: SimulatedFuturesOrder): void {
    account.slot(contract).marginMode = marginMode
    this.#orderCount++
  }

  #later(delayMs: number, order: SimulatedFuturesOrder, act: () => void): void {
    this.#setup.putOff.putOff(this.#now + delayMs, () => {
      if (isWaiting(order)) act()
    })
  }

  /** An order meets the book, a condition begins to wait. */
  #start(order: SimulatedFuturesOrder): void {
    if (order.trigger === undefined) this.#trade(order)
    else {
      this.#conditions.add(order)
      this.#trigger(order.contract)
    }
  }

  /** The account may have changed since the order was accepted, so it is checked again. */
  #startLate(order: SimulatedFuturesOrder): void {
    if (order.trigger !== undefined) this.#start(order)
    else if (this.#isAdmitted(order)) this.#trade(order)
  }

  /** An order meets the book; a condition that was met is at the market already. */
  #trade(order: SimulatedFuturesOrder): void {
    const live = this.#listed.get(order.contract)?.live
    if (live === undefined) this.#marketOf(order.contract).place(order)
    else live.orders.enter(order, this.#now, order.trigger === undefined ? undefined : this.#now)
    this.#touched.add(order.account)
    this.#watchRisk(order.contract.quote)
  }

  /** Trades the conditions that the mark price fulfils, the oldest first. */
  #trigger(contract: Contract): void {
    for (const order of this.#conditions.takeFulfilled(contract, this.markOf(contract))) {
      fitToPosition(order)
      if (!this.#isAdmitted(order)) continue
      order.status = 'NEW'
      this.#trade(order)
    }
  }

  /** Admits an order that was taken before, at the quotes of now; one that is refused now is rejected. */
  #isAdmitted(order: SimulatedFuturesOrder): boolean {
    const { account, contract } = order
    this.#listed.get(contract)?.refreshQuotes()
    account.unfreeze(order, openVolumeOf(order))
    try {
      this.#admission.admit(order)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#end(order, 'REJECTED')
      return false
    }
    account.freeze(order, openVolumeOf(order))
    return true
  }

  #executed(meeting: Omit<FuturesExecution, 'id' | 'time'>): void {
    const { clearing } = this.#setup
    const { maker, taker, price, volume } = meeting
    const execution = { ...meeting, id: FIRST_TRADE_ID + ++this.#tradeCount, time: this.#now }
    for (const [order, liquidity] of [
      [maker, 'maker'],
      [taker, 'taker'],
    ] as const) {
      const fee = clearing.fill(order, price, volume, liquidity, execution.time)
      if (order.account === clearing.house) continue
      order.account.records.traded({ execution, order, liquidity, fee })
      this.#touched.add(order.account)
      this.#trimClosing(order.account)
    }
  }

  #finished(order: SimulatedFuturesOrder): void {
    const { account } = order
    account.unfreeze(order, openVolumeOf(order))
    if (account !== this.#setup.clearing.house) account.records.ended(order)
  }

  /** Ends an order that never reached the book. */
  #end(order: SimulatedFuturesOrder, status: 'CANCELED' | 'EXPIRED' | 'REJECTED'): void {
    this.#conditions.remove(order)
    order.status = status
    order.account.records.ended(order)
  }

  /** Cancels closing orders, the newest first, until the others can all be filled. */
  #trimClosing(account: FuturesAccount): void {
    for (const order of account.records.openOrders) {
      if (order.action !== 'CLOSE' || !isLive(order) || openVolumeOf(order) === 0) continue
      if (closableVolume(account.slot(order.contract), order.side, account.records.openOrders) < 0)
        this.cancel(order)
    }
  }

  #watchRisk(coin: string): void {
    const { clearing } = this.#setup
    const accounts = [...this.#touched].filter(account => account !== clearing.house)
    this.#touched.clear()
    const context = {
      clearing,
      markOf: this.markOf,
      cancel: (order: SimulatedFuturesOrder) => this.cancel(order),
      trimClosing: (account: FuturesAccount) => this.#trimClosing(account),
    }
    for (const account of accounts) liquidateWhereDue(account, coin, context, this.#now)
  }

  #marketOf(contract: Contract): FuturesMarket {
    const listed = this.#listed.get(contract)
    if (listed === undefined) throw new ApiError('BAD_SYMBOL')
    return listed.market
  }
}
