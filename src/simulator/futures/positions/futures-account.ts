import { type Amount, add, subtract, ZERO } from '../../../domain/numbers/amount.ts'
import type { Steps, Ticks } from '../../../domain/numbers/grid.ts'
import type { Liquidity } from '../../../domain/orders/fill.ts'
import { InvariantError } from '../../../domain/sluice-error.ts'
import { BoundedList } from '../../bounded-list.ts'
import { OrderHistory, type OrderHistoryState } from '../../spot/order-history.ts'
import type { Contract } from '../contract.ts'
import { type ContractSlot, emptySlot, type SlotDefaults } from '../contract-slot.ts'
import type { FuturesOrderDraft, FuturesOrderStatus } from '../orders/futures-order-draft.ts'
import type { Transaction, TransactionType } from '../transaction.ts'
import type { SimulatedMarginMode, SimulatedPosition } from './position.ts'

/** Money of one margin coin. */
export interface Wallet {
  /**
   * Free balance and margin of cross positions; below 0 only while the profit of cross positions covers it.
   */
  normal: Amount
  /** Frozen by orders. */
  locked: Amount
  /** In isolated positions. */
  isolated: Amount
}

export interface FuturesAccountSetup {
  readonly uid: number
  /** True if its orders are accepted; the default. */
  readonly mayTrade?: boolean | undefined
  readonly defaults: SlotDefaults
  /** Finished orders, trades, transactions and closed positions that are remembered, each. */
  readonly keptRecords: number
}

/** A futures account as plain data but for its orders and contracts. */
export interface FuturesAccountState {
  readonly records: OrderHistoryState<SimulatedFuturesOrder, SimulatedFuturesTrade>
  /** Oldest first, as are the positions. */
  readonly transactions: readonly Transaction[]
  readonly closedPositions: readonly SimulatedPosition[]
  readonly wallets: ReadonlyMap<string, Readonly<Wallet>>
  readonly slots: ReadonlyMap<Contract, ContractSlot>
  readonly transactionCount: number
}

/** An order the exchange has taken on. */
export interface SimulatedFuturesOrder extends Omit<FuturesOrderDraft, 'volume' | 'marginMode' | 'leverage'> {
  readonly id: bigint
  readonly account: FuturesAccount
  /** ms UTC. */
  readonly time: number
  readonly marginMode: SimulatedMarginMode
  readonly leverage: number
  size: { readonly unit: 'base'; readonly quantity: Steps }
  /** Worst price to trade at: its own, or for MARKET the edge of the price band. */
  limit: Ticks
  status: FuturesOrderStatus
  /** True once its owner has requested a delayed cancel. */
  isCancelPending: boolean
  executedQuantity: Steps
  /** Quote traded so far. */
  executedValue: Amount
  /** Reserve of each open contract for margin and fee. */
  frozenPerContract: Amount
  /** Paid if positive. */
  fee: Amount
  /** Profit of the contracts it closed. */
  realized: Amount
}

/** Two orders that met; the resting one set the price. */
export interface FuturesExecution {
  readonly id: number
  readonly maker: SimulatedFuturesOrder
  readonly taker: SimulatedFuturesOrder
  readonly price: Ticks
  readonly volume: Steps
  /** ms UTC. */
  readonly time: number
}

/** One side's view of an execution. */
export interface SimulatedFuturesTrade {
  readonly execution: FuturesExecution
  readonly order: SimulatedFuturesOrder
  readonly liquidity: Liquidity
  /** Paid if positive. */
  readonly fee: Amount
}

/** Money, positions, orders and history of one user of the futures exchange, or of the exchange itself. */
export class FuturesAccount {
  readonly uid: number
  readonly mayTrade: boolean
  readonly records: OrderHistory<SimulatedFuturesOrder, SimulatedFuturesTrade>
  readonly transactions: BoundedList<Transaction>
  readonly closedPositions: BoundedList<SimulatedPosition>
  readonly #defaults: SlotDefaults
  readonly #wallets = new Map<string, Wallet>()
  readonly #slots = new Map<Contract, ContractSlot>()
  #transactionCount = 0

  constructor({ uid, mayTrade = true, defaults, keptRecords }: FuturesAccountSetup) {
    this.uid = uid
    this.mayTrade = mayTrade
    this.#defaults = defaults
    this.records = new OrderHistory(keptRecords)
    this.transactions = new BoundedList(keptRecords)
    this.closedPositions = new BoundedList(keptRecords)
  }

  /** All of it. */
  dump(): FuturesAccountState {
    return {
      records: this.records.dump(),
      transactions: [...this.transactions.oldestFirst()],
      closedPositions: [...this.closedPositions.oldestFirst()],
      wallets: this.#wallets,
      slots: this.#slots,
      transactionCount: this.#transactionCount,
    }
  }

  /** Restores the dump of another account; only into an unused one. */
  restore(state: FuturesAccountState): void {
    this.records.restore(state.records)
    this.transactions.restore(state.transactions)
    this.closedPositions.restore(state.closedPositions)
    for (const [coin, wallet] of state.wallets) this.#wallets.set(coin, { ...wallet })
    for (const [contract, slot] of state.slots) this.#slots.set(contract, slot)
    this.#transactionCount = state.transactionCount
  }

  /** Every wallet by its coin. */
  get wallets(): ReadonlyMap<string, Readonly<Wallet>> {
    return this.#wallets
  }

  wallet(coin: string): Wallet {
    const known = this.#wallets.get(coin)
    if (known !== undefined) return known
    const opened = { normal: ZERO, locked: ZERO, isolated: ZERO }
    this.#wallets.set(coin, opened)
    return opened
  }

  /** Settings and positions of a contract. */
  slot(contract: Contract): ContractSlot {
    const known = this.#slots.get(contract)
    if (known !== undefined) return known
    const opened = emptySlot(contract, this.#defaults)
    this.#slots.set(contract, opened)
    return opened
  }

  /** Open positions, those of one margin coin if it is given. */
  positions(coin?: string): SimulatedPosition[] {
    const slots = [...this.#slots.values()].filter(
      ({ contract }) => coin === undefined || contract.quote === coin,
    )
    return slots.flatMap(({ long, short }) => [long, short].filter(position => position !== undefined))
  }

  /** Adds to the balance (takes from it if negative) and writes it down. */
  book(type: TransactionType, amount: Amount, change: Pick<Transaction, 'coin' | 'contract' | 'time'>): void {
    if (amount === ZERO) return
    const wallet = this.wallet(change.coin)
    wallet.normal = add(wallet.normal, amount)
    const afterBalance = totalOf(wallet)
    this.transactions.push({ ...change, id: ++this.#transactionCount, type, amount, afterBalance })
  }

  /** Moves money from the balance into an isolated position, or back if negative. */
  addMargin(position: SimulatedPosition, amount: Amount): void {
    const wallet = this.wallet(position.contract.quote)
    wallet.normal = subtract(wallet.normal, amount)
    wallet.isolated = add(wallet.isolated, amount)
    position.margin = add(position.margin, amount)
  }

  /** Freezes money of the balance for contracts of an order, or frees it if negative. */
  freeze(order: SimulatedFuturesOrder, contracts: number): void {
    const wallet = this.wallet(order.contract.quote)
    const amount = (order.frozenPerContract * BigInt(contracts)) as Amount // whole contracts
    wallet.normal = subtract(wallet.normal, amount)
    wallet.locked = add(wallet.locked, amount)
    if (wallet.locked < ZERO) {
      throw new InvariantError(`Account ${this.uid} would have ${wallet.locked} frozen by its orders.`)
    }
  }

  /** Frees the reserves of an order's contracts. */
  unfreeze(order: SimulatedFuturesOrder, volume: Steps): void {
    this.freeze(order, -volume)
  }
}

/** All money of a wallet, free, locked and isolated. */
export function totalOf({ normal, locked, isolated }: Readonly<Wallet>): Amount {
  return add(add(normal, locked), isolated)
}
