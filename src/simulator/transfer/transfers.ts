import { createHash } from 'node:crypto'
import type { Amount } from '../../domain/amount.ts'
import type { Account } from '../account.ts'
import { ApiError } from '../api-error.ts'
import { BoundedList } from '../bounded-list.ts'
import type { FuturesWallet } from './futures-wallet.ts'

/** Names of the accounts that money can be moved between: spot and futures. */
export const TRANSFER_ACCOUNTS = ['EXCHANGE', 'FUTURE'] as const

/** One of them. */
export type TransferAccount = (typeof TRANSFER_ACCOUNTS)[number]

/** Money to move. */
export interface TransferOrder {
  readonly from: TransferAccount
  readonly to: TransferAccount
  readonly coin: string
  readonly amount: Amount
}

/** Money that was moved; it arrives at once. */
export interface Transfer extends TransferOrder {
  readonly id: string
  /** ms UTC. */
  readonly time: number
}

/** Moves money between the spot and the futures account of a user, and remembers it. */
export class Transfers {
  readonly #wallet: FuturesWallet
  readonly #seed: number
  readonly #keptRecords: number
  readonly #records = new Map<number, BoundedList<Transfer>>()
  #count = 0

  /** The ids follow from `seed`; of each user the newest `keptRecords` transfers are remembered. */
  constructor(wallet: FuturesWallet, { seed, keptRecords }: { seed: number; keptRecords: number }) {
    this.#wallet = wallet
    this.#seed = seed
    this.#keptRecords = keptRecords
  }

  /** Whether a coin can be moved. */
  accepts(coin: string): boolean {
    return this.#wallet.accepts(coin)
  }

  /** The transfers of a user, newest first. */
  of(uid: number): Iterable<Transfer> {
    return this.#records.get(uid)?.newestFirst() ?? []
  }

  /** Moves money of a user at `time`, ms UTC; throws `ApiError` if there is not as much. */
  move(account: Account, order: TransferOrder, time: number): Transfer {
    const { coin, amount, from } = order
    if (from === 'EXCHANGE') this.#toFutures(account, coin, amount)
    else this.#toSpot(account, coin, amount)
    const transfer = { ...order, id: this.#nextId(), time }
    const records = this.#records.get(account.uid) ?? new BoundedList<Transfer>(this.#keptRecords)
    this.#records.set(account.uid, records)
    records.push(transfer)
    return transfer
  }

  #toFutures(account: Account, coin: string, amount: Amount): void {
    if (!account.canLock(coin, amount)) throw new ApiError('BALANCE_NOT_ENOUGH')
    account.withdraw(coin, amount)
    this.#wallet.deposit(account.uid, coin, amount)
  }

  #toSpot(account: Account, coin: string, amount: Amount): void {
    if (this.#wallet.transferable(account.uid, coin) < amount) throw new ApiError('BALANCE_NOT_ENOUGH')
    this.#wallet.withdraw(account.uid, coin, amount)
    account.deposit(coin, amount)
  }

  /** In the form of a UUID of version 8 (RFC 9562): digits of a hash. */
  #nextId(): string {
    const digits = createHash('sha256')
      .update(`${this.#seed}/transfer/${++this.#count}`)
      .digest('hex')
    const [first, second, third, fourth, last] = [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `8${digits.slice(12, 15)}`,
      `8${digits.slice(15, 18)}`,
      digits.slice(18, 30),
    ]
    return [first, second, third, fourth, last].join('-')
  }
}
