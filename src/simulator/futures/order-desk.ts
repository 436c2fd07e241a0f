import { steps, type Ticks, ticks } from '../../domain/grid.ts'
import { ApiError } from '../api-error.ts'
import type { Clearing } from './clearing.ts'
import { ConditionBook } from './condition-book.ts'
import type { Contract } from './contract.ts'
import { isFlat } from './contract-slot.ts'
import { availableOf } from './equity.ts'
import type { FuturesAccount } from './futures-account.ts'
import type { FuturesMarketEvents } from './futures-market.ts'
import {
  type FuturesOrder,
  type FuturesOrderDraft,
  isLive,
  newFuturesOrder,
  openVolumeOf,
} from './futures-order.ts'
import type { FuturesSettings } from './futures-setup.ts'
import type { FuturesExecution } from './futures-trade.ts'
import { liquidateWhereDue } from './liquidation.ts'
import type { ListedContract } from './listed-contract.ts'
import {
  bandLimit,
  checkBand,
  checkClosable,
  checkLimits,
  closableVolume,
  reservePerContract,
} from './order-check.ts'

/** Beyond 2^53 as on live hosts; those of the house lie below. */
const FIRST_ORDER_ID = 2_100_000_000_000_000_001n
const FIRST_TRADE_ID = 500_000
const DAY = 86_400_000

/** Where orders come in, meet and end. */
export class OrderDesk {
  readonly events: FuturesMarketEvents = {
    executed: meeting => this.#executed(meeting),
    finished: order => this.#finished(order),
  }
  readonly #clearing: Clearing
  readonly #settings: FuturesSettings
  readonly #clock: { readonly now: number }
  readonly #listed = new Map<Contract, ListedContract>()
  readonly #conditions: ConditionBook
  /** Accounts that traded since their money was last looked at. */
  readonly #touched = new Set<FuturesAccount>()
  #orderCount = 0n
  #tradeCount = 0

  /** `clock` tells the exchange's time. */
  constructor(clearing: Clearing, settings: FuturesSettings, clock: { readonly now: number }) {
    this.#clearing = clearing
    this.#settings = settings
    this.#clock = clock
    this.#conditions = new ConditionBook(settings.conditionDays * DAY)
  }

  /** Mark price of a contract. */
  readonly markOf = (contract: Contract): Ticks => this.#listed.get(contract)?.mark ?? ticks(0)

  /** Takes orders of a contract from now on. */
  list(listed: ListedContract): void {
    this.#listed.set(listed.contract, listed)
  }

  /** Places an order, or lets it wait for its condition; throws `ApiError` if that cannot be. */
  place(account: FuturesAccount, draft: FuturesOrderDraft): FuturesOrder {
    const order = this.#orderOf(account, draft)
    if (order.trigger === undefined) this.#admit(order)
    this.#adopt(order)
    account.records.placed(order)
    if (order.trigger === undefined) this.#trade(order)
    else {
      this.#conditions.add(order)
      this.#trigger(order.contract)
    }
    return order
  }

  /** Cancels an order that waits. */
  cancel(order: FuturesOrder): void {
    if (order.status === 'INIT') this.#end(order, 'CANCELED')
    else this.#marketOf(order).cancel(order)
  }

  /** The mark price of a contract moved: liquidates what it ruins, then trades the conditions it fulfils. */
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
    for (const order of this.#conditions.expired(this.#clock.now)) this.#end(order, 'EXPIRED')
  }

  #orderOf(account: FuturesAccount, draft: FuturesOrderDraft): FuturesOrder {
    const { contract, leverage, marginMode, ...rest } = draft
    const slot = account.slot(contract)
    const mark = this.markOf(contract)
    if (!contract.isTrading) throw new ApiError('EXCHANGE_LOCK')
    if (mark === 0) throw new ApiError('NO_DEPTH')
    if (leverage !== undefined && leverage !== slot.leverage) throw new ApiError('LEVERAGE_MISMATCH')
    if (marginMode !== undefined && marginMode !== slot.marginMode && this.isBusy(account, contract)) {
      throw new ApiError('LEVERAGE_MISMATCH')
    }
    checkLimits(draft, draft.trigger?.price ?? mark)
    const waiting = account.records.openOrders.filter(order => order.contract === contract)
    if (waiting.length >= contract.maxValidOrder) throw new ApiError('TOO_MANY_ORDERS')
    return newFuturesOrder({
      ...{ ...rest, contract, account, leverage: slot.leverage, marginMode: marginMode ?? slot.marginMode },
      limit: bandLimit(draft.side, mark, this.#settings.priceBand),
      id: FIRST_ORDER_ID + this.#orderCount,
      time: this.#clock.now,
    })
  }

  /** Whether an account holds something of a contract, or has orders on it that wait: then its settings are fixed. */
  isBusy(account: FuturesAccount, contract: Contract): boolean {
    return (
      !isFlat(account.slot(contract)) || account.records.openOrders.some(order => order.contract === contract)
    )
  }

  /** An order that comes first may say how the account wants to hold the contract. */
  #adopt({ account, contract, marginMode }: FuturesOrder): void {
    account.slot(contract).marginMode = marginMode
    this.#orderCount++
  }

  /** Checks an order that goes to the book and finds what it reserves; throws `ApiError`. */
  #admit(order: FuturesOrder): void {
    const { account, contract, side, price, action } = order
    const slot = account.slot(contract)
    order.limit = bandLimit(side, this.markOf(contract), this.#settings.priceBand)
    if (price !== undefined) {
      checkBand(side, price, order.limit)
      order.limit = price
    }
    const volume = openVolumeOf(order)
    const last = this.#marketOf(order).lastPriceFor(side, volume, order.limit)
    if (price === undefined && last === undefined) throw new ApiError('NO_DEPTH')
    if (action === 'CLOSE') {
      checkClosable(slot, side, volume, account.records.openOrders)
      return
    }
    // A sell may trade above its limit, up to the best bid.
    const bestBid = side === 'sell' ? this.#marketOf(order).book.best('buy')?.price : undefined
    const worst = ticks(Math.max(price ?? 0, last ?? 0, bestBid ?? 0))
    const reserve = reservePerContract(contract, worst, order.leverage)
    const needed = reserve * BigInt(volume)
    if (needed > availableOf(account, contract.quote, this.markOf)) throw new ApiError('BALANCE_NOT_ENOUGH')
    order.frozenPerContract = reserve
  }

  #trade(order: FuturesOrder): void {
    order.account.freeze(order, openVolumeOf(order))
    this.#marketOf(order).place(order)
    this.#touched.add(order.account)
    this.#watchRisk(order.contract.quote)
  }

  /** Trades the conditions that the mark price fulfils, the oldest first; one that is refused then is rejected. */
  #trigger(contract: Contract): void {
    for (const order of this.#conditions.takeFulfilled(contract, this.markOf(contract))) {
      this.#listed.get(contract)?.refreshQuotes()
      try {
        this.#fitToPosition(order)
        this.#admit(order)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        this.#end(order, 'REJECTED')
        continue
      }
      order.status = 'NEW'
      this.#trade(order)
    }
  }

  /** A condition closes what is left of the position it was meant for. */
  #fitToPosition(order: FuturesOrder): void {
    if (order.action !== 'CLOSE') return
    const { account, contract, side, size } = order
    const closable = closableVolume(account.slot(contract), side, account.records.openOrders)
    const quantity = steps(Math.max(0, Math.min(size.quantity, closable)))
    if (quantity > 0) order.size = { unit: 'base', quantity }
  }

  #executed(meeting: Omit<FuturesExecution, 'id' | 'time'>): void {
    const time = this.#clock.now
    const { maker, taker, price, volume } = meeting
    const execution = { ...meeting, id: FIRST_TRADE_ID + ++this.#tradeCount, time }
    for (const [order, liquidity] of [
      [maker, 'maker'],
      [taker, 'taker'],
    ] as const) {
      const fee = this.#clearing.fill(order, price, volume, liquidity, time)
      if (order.account === this.#clearing.house) continue
      order.account.records.traded({ execution, order, liquidity, fee })
      this.#touched.add(order.account)
      this.#trimClosing(order.account)
    }
  }

  #finished(order: FuturesOrder): void {
    const { account } = order
    account.unfreeze(order, openVolumeOf(order))
    if (account !== this.#clearing.house) account.records.ended(order)
  }

  /** Ends an order that never came to the book. */
  #end(order: FuturesOrder, status: 'CANCELED' | 'EXPIRED' | 'REJECTED'): void {
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
    const accounts = [...this.#touched].filter(account => account !== this.#clearing.house)
    this.#touched.clear()
    const desk = {
      clearing: this.#clearing,
      markOf: this.markOf,
      cancel: (order: FuturesOrder) => this.cancel(order),
      trimClosing: (account: FuturesAccount) => this.#trimClosing(account),
    }
    for (const account of accounts) liquidateWhereDue(account, coin, desk, this.#clock.now)
  }

  #marketOf({ contract }: FuturesOrder) {
    const listed = this.#listed.get(contract)
    if (listed === undefined) throw new ApiError('BAD_SYMBOL')
    return listed.market
  }
}
