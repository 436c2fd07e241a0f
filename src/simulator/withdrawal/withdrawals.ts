import { type Amount, ZERO } from '../../domain/numbers/amount.ts'
import { Account, type AssetHolding } from '../account.ts'
import { BoundedList } from '../bounded-list.ts'
import { ApiError } from '../protocol/api-error.ts'
import {
  durationOf,
  lockedBy,
  nextState,
  type SimulatedWithdrawal,
  type SimulatedWithdrawalOrder,
  type WithdrawalState,
} from './withdrawal.ts'
import type { WithdrawalSettings } from './withdrawal-settings.ts'

const FIRST_ID = 700_000
const OUTSIDE_UID = 3

/** All withdrawals, as plain data but for their accounts. */
export interface WithdrawalsState {
  readonly outside: ReadonlyMap<string, AssetHolding>
  /** By user, oldest first. */
  readonly records: ReadonlyMap<number, readonly SimulatedWithdrawal[]>
  readonly pending: ReadonlySet<SimulatedWithdrawal>
  readonly count: number
}

/** Withdraws money from accounts, in the steps and durations of the settings. */
export class Withdrawals {
  readonly settings: WithdrawalSettings
  /** Receives completed withdrawals. */
  readonly outside = new Account(OUTSIDE_UID)
  readonly #fees: Account
  readonly #keptRecords: number
  readonly #records = new Map<number, BoundedList<SimulatedWithdrawal>>()
  readonly #pending = new Set<SimulatedWithdrawal>()
  #count = 0

  /** Fees go to `fees`; of each user the newest `keptRecords` withdrawals are remembered. */
  constructor(settings: WithdrawalSettings, { fees, keptRecords }: { fees: Account; keptRecords: number }) {
    this.settings = settings
    this.#fees = fees
    this.#keptRecords = keptRecords
  }

  /** All of it. */
  dump(): WithdrawalsState {
    const records = new Map([...this.#records].map(([uid, list]) => [uid, [...list.oldestFirst()]]))
    return { outside: this.outside.holdings, records, pending: this.#pending, count: this.#count }
  }

  /** Restores a dump; only before the first withdrawal. */
  restore({ outside, records, pending, count }: WithdrawalsState): void {
    this.outside.restore(outside)
    for (const [uid, withdrawals] of records) {
      const list = new BoundedList<SimulatedWithdrawal>(this.#keptRecords)
      list.restore(withdrawals)
      this.#records.set(uid, list)
    }
    for (const withdrawal of pending) this.#pending.add(withdrawal)
    this.#count = count
  }

  /** The withdrawals of a user, newest first. */
  of(uid: number): Iterable<SimulatedWithdrawal> {
    return this.#records.get(uid)?.newestFirst() ?? []
  }

  /** Fee of a withdrawal, in the asset. */
  feeOf(asset: string): Amount {
    return this.settings.fees[asset] ?? ZERO
  }

  /** Takes a withdrawal on at `time` (ms UTC) and locks its money; throws `ApiError` if there is not as much, or the id was used. */
  apply(account: Account, order: SimulatedWithdrawalOrder, time: number): SimulatedWithdrawal {
    const records = this.#records.get(account.uid) ?? new BoundedList<SimulatedWithdrawal>(this.#keptRecords)
    for (const { orderId } of records.newestFirst()) {
      if (orderId === order.orderId)
        throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'withdrawOrderId')
    }
    if (!account.canLock(order.asset, lockedBy(order))) throw new ApiError('BALANCE_NOT_ENOUGH')
    account.lock(order.asset, lockedBy(order))
    const id = FIRST_ID + ++this.#count
    const exception = this.settings.exceptions.find(candidate => appliesTo(candidate, order))
    const open = { status: 'unapproved', paidAt: undefined, dueAt: time, info: '' } as const
    const withdrawal: SimulatedWithdrawal = { ...order, id, account, time, exception, ...open }
    this.#enter(withdrawal, 'unapproved', time)
    this.#records.set(account.uid, records)
    records.push(withdrawal)
    return withdrawal
  }

  /** Advances withdrawals to `to`, ms UTC. */
  advance(to: number): void {
    for (const withdrawal of this.#pending) {
      while (withdrawal.dueAt !== undefined && withdrawal.dueAt <= to) {
        const next = nextState(withdrawal)
        if (next === undefined) break
        this.#enter(withdrawal, next, withdrawal.dueAt)
      }
    }
  }

  #enter(withdrawal: SimulatedWithdrawal, state: WithdrawalState, time: number): void {
    const duration = durationOf(state, this.settings)
    withdrawal.status = state
    withdrawal.dueAt = duration === undefined ? undefined : time + duration
    if (state === 'payment') withdrawal.paidAt = time
    if (duration !== undefined) this.#pending.add(withdrawal)
    else this.#end(withdrawal)
  }

  #end(withdrawal: SimulatedWithdrawal): void {
    const { account, asset, amount, fee, exception, status } = withdrawal
    this.#pending.delete(withdrawal)
    if (status !== 'completed') {
      withdrawal.info = exception?.info ?? ''
      account.unlock(asset, lockedBy(withdrawal))
      return
    }
    account.spend(asset, lockedBy(withdrawal))
    this.outside.deposit(asset, amount)
    this.#fees.deposit(asset, fee)
  }
}

function appliesTo(
  { asset, address, above }: WithdrawalSettings['exceptions'][number],
  order: SimulatedWithdrawalOrder,
): boolean {
  if (asset !== undefined && asset !== order.asset) return false
  if (address !== undefined && address !== order.address) return false
  return above === undefined || order.amount > above
}
