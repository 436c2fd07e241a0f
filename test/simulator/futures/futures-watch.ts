import { expect } from 'vitest'
import {
  type Amount,
  add,
  amountOf,
  amountToText,
  subtract,
  ZERO,
} from '../../../src/domain/numbers/amount.ts'
import type { FuturesExchange } from '../../../src/simulator/futures/futures-exchange.ts'
import { isLive, isWaiting, openVolumeOf } from '../../../src/simulator/futures/orders/futures-order.ts'
import { closingVolume } from '../../../src/simulator/futures/orders/order-check.ts'
import { crossStateOf, keepOf } from '../../../src/simulator/futures/positions/equity.ts'
import {
  type FuturesAccount,
  type SimulatedFuturesOrder,
  type SimulatedFuturesTrade,
  totalOf,
} from '../../../src/simulator/futures/positions/futures-account.ts'
import { type SimulatedPosition, unrealizedOf } from '../../../src/simulator/futures/positions/position.ts'
import type { SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'

/** Looks at a futures exchange while it works, and keeps what is wrong. Plain comparisons, because there are many. */
export class FuturesWatch {
  readonly problems: string[] = []
  /** What was seen. */
  readonly seen: Record<string, number> = {}
  readonly #exchange: SimulatedExchange
  readonly #money: Amount
  readonly #executed = new Map<SimulatedFuturesOrder, number>()
  /** Orders that are over, and what had been executed of them by then. */
  readonly #over = new Map<SimulatedFuturesOrder, string>()

  /** `money` is all the USDT the users have, wherever it lies. */
  constructor(exchange: SimulatedExchange, money: number) {
    this.#exchange = exchange
    this.#money = amountOf(String(money))
    for (const { records } of this.#futures.accounts) {
      const traded = records.traded.bind(records)
      records.traded = trade => {
        this.#lookAtTrade(trade)
        traded(trade)
      }
    }
  }

  /** Holds everything there is against what must be true of it between two deeds. */
  look(): void {
    this.#lookAtMoney()
    this.#lookAtContracts()
    for (const account of this.#futures.accounts) {
      this.#lookAtAccount(account)
      for (const order of account.records.orders) this.#lookAtOrder(order)
    }
  }

  /** Fails with the first things that were wrong. */
  expectNoProblems(): void {
    expect(this.problems.slice(0, 5)).toEqual([])
  }

  get #futures(): FuturesExchange {
    return this.#exchange.futures
  }

  #count(what: string): void {
    this.seen[what] = (this.seen[what] ?? 0) + 1
  }

  #check(isRight: boolean, problem: () => string): void {
    if (!isRight) this.problems.push(problem())
  }

  /** What everyone has, the house and the fees included, is what there was; open positions are worth what they cost. */
  #lookAtMoney(): void {
    const { accounts, clearing } = this.#futures
    const everyone = [...accounts, clearing.house, clearing.fees]
    const spot = this.#exchange.state.users.map(({ account }) => {
      const { free, locked } = account.holding('USDT')
      return add(free, locked)
    })
    const margins = everyone.map(account => totalOf(account.wallet('USDT')))
    const costs = everyone.flatMap(account => account.positions()).map(signedCostOf)
    const total = subtract([...spot, ...margins].reduce(add, ZERO), costs.reduce(add, ZERO))
    this.#check(total === this.#money, () => `All money is ${amountToText(total)}.`)
    const fees = totalOf(clearing.fees.wallet('USDT'))
    this.#check(fees >= ZERO, () => `The fees come to ${amountToText(fees)}.`)
  }

  #lookAtContracts(): void {
    const { accounts, clearing, contracts } = this.#futures
    for (const { contract, market } of contracts) {
      let sum = 0
      for (const account of [...accounts, clearing.house]) {
        const { long, short } = account.slot(contract)
        sum += (long?.volume ?? 0) - (short?.volume ?? 0)
      }
      this.#check(sum === 0, () => `All positions of ${contract.name} come to ${sum}.`)
      const [bid, ask] = [market.book.best('buy'), market.book.best('sell')]
      const isCrossed = bid !== undefined && ask !== undefined && bid.price >= ask.price
      this.#check(!isCrossed, () => `${contract.name} is bid ${bid?.price} and asked ${ask?.price}.`)
    }
  }

  #lookAtAccount(account: FuturesAccount): void {
    const { uid, records, transactions } = account
    const wallet = account.wallet('USDT')
    const open = records.openOrders
    const own = account.positions().filter(({ marginMode }) => marginMode === 'isolated')
    const cross = crossStateOf(account, 'USDT', this.#futures.orders.markOf)
    const frozen = open.filter(isLive).reduce((sum, order) => sum + frozenOf(order), 0n)
    this.#check(wallet.locked === frozen, () => `${uid} has ${wallet.locked} locked, ${frozen} frozen.`)
    const margins = own.reduce((sum, position) => sum + position.margin, 0n)
    this.#check(wallet.isolated === margins, () => `${uid} has ${wallet.isolated} in ${margins} of margin.`)
    const isBacked = cross.positions.length === 0 ? wallet.normal >= ZERO : cross.equity > cross.maintenance
    this.#check(
      isBacked,
      () => `${uid} has ${wallet.normal} normal, ${cross.equity} of ${cross.maintenance}.`,
    )
    for (const position of own) this.#lookAtIsolated(account, position)
    for (const { contract } of this.#futures.contracts) {
      const slot = account.slot(contract)
      const { long, short, leverage, marginMode } = slot
      if (long !== undefined && short !== undefined) this.#count('heldBothWays')
      const isNet = slot.positionMode === 'twoWay' || long === undefined || short === undefined
      this.#check(isNet, () => `${uid} holds ${contract.name} both ways in net mode.`)
      const [sells, buys] = (['sell', 'buy'] as const).map(side => closingVolume(slot, side, open))
      const closes = (sells ?? 0) <= (long?.volume ?? 0) && (buys ?? 0) <= (short?.volume ?? 0)
      this.#check(closes, () => `${uid} closes more of ${contract.name} than it holds.`)
      const waiting = open.filter(order => order.contract === contract)
      const isAlike = [long, short, ...waiting].every(
        held => held === undefined || (held.leverage === leverage && held.marginMode === marginMode),
      )
      this.#check(isAlike, () => `${uid} has ${contract.name} on other terms than ${leverage} ${marginMode}.`)
      this.#check(waiting.length <= contract.maxValidOrder, () => `${uid} has ${waiting.length} orders.`)
    }
    const after = transactions.newest?.afterBalance ?? ZERO
    this.#check(after === totalOf(wallet), () => `${uid} was left with ${after}, but has ${totalOf(wallet)}.`)
  }

  #lookAtIsolated({ uid }: FuturesAccount, position: SimulatedPosition): void {
    const mark = this.#futures.orders.markOf(position.contract)
    const equity = add(position.margin, unrealizedOf(position, mark))
    const keep = keepOf(position, mark)
    this.#check(equity > keep, () => `${uid} has an isolated ${equity} that must keep ${keep}.`)
  }

  #lookAtOrder(order: SimulatedFuturesOrder): void {
    const { id, size, status, executedQuantity } = order
    const traded = this.#executed.get(order) ?? 0
    this.#check(executedQuantity === traded, () => `${id} executed ${executedQuantity}, traded ${traded}.`)
    const isFull = openVolumeOf(order) === 0
    this.#check((status === 'FILLED') === isFull, () => `${id} is ${status} with ${executedQuantity}.`)
    this.#check(executedQuantity <= size.quantity, () => `${id} executed more than ${size.quantity}.`)
    if (isWaiting(order)) return
    const end = `${status} ${executedQuantity}`
    const before = this.#over.get(order)
    if (before === undefined) this.#count(status)
    this.#check(before === undefined || before === end, () => `${id} was ${before} and became ${end}.`)
    this.#over.set(order, end)
  }

  /** The moment of a trade: its maker is still first on its book. */
  #lookAtTrade({ execution, order }: SimulatedFuturesTrade): void {
    const { maker, taker, price, volume } = execution
    this.#executed.set(order, (this.#executed.get(order) ?? 0) + volume)
    const report = (problem: string) => this.problems.push(`${order.id} ${problem}.`)
    const { market } = this.#futures.contracts.find(({ contract }) => contract === maker.contract) ?? {}
    const best = market?.book.best(maker.side)
    if (maker.contract !== taker.contract || maker.side === taker.side) report('met what it cannot meet')
    if (best?.price !== price || maker.price !== price) report(`traded at ${price}, not at ${best?.price}`)
    if (best?.orders[0] !== maker) report(`traded with ${maker.id}, which was not first`)
    const isWithin = taker.side === 'buy' ? price <= taker.limit : price >= taker.limit
    if (!isWithin) report(`traded at ${price}, beyond ${taker.limit}`)
    if (taker.type === 'POST_ONLY') report('was taken by POST_ONLY')
    if (maker.type !== 'LIMIT' && maker.type !== 'POST_ONLY') report(`was made by ${maker.type}`)
    for (const other of this.#restingBeside(maker)) {
      const isBetter = maker.side === 'buy' ? (other.price ?? 0) > price : (other.price ?? 0) < price
      if (isBetter) report(`traded at ${price} through ${other.id} at ${other.price}`)
    }
    this.#count(order.trigger === undefined ? 'trades' : 'triggeredTrades')
    if (order.isCancelPending) this.#count('tradesBeforeCancel')
  }

  /** Users' orders that are on the maker's side of its book, by the book's own levels. */
  #restingBeside(maker: SimulatedFuturesOrder): SimulatedFuturesOrder[] {
    const { market } = this.#futures.contracts.find(({ contract }) => contract === maker.contract) ?? {}
    const onBook = new Set([...(market?.book.levels(maker.side) ?? [])].flatMap(({ orders }) => orders))
    return this.#futures.accounts
      .flatMap(({ records }) => records.openOrders)
      .filter(order => order !== maker && onBook.has(order))
  }
}

function signedCostOf({ direction, cost }: SimulatedPosition): Amount {
  return direction === 'long' ? cost : (-cost as Amount) // the other sign
}

function frozenOf(order: SimulatedFuturesOrder): bigint {
  return order.frozenPerContract * BigInt(openVolumeOf(order))
}
