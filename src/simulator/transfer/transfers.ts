import { createHash } from 'node:crypto'
import type { Amount } from '../../domain/numbers/amount.ts'
import { type SeededRandom, seededRandom } from '../../domain/numbers/seeded-random.ts'
import { Account, type AssetHolding } from '../account.ts'
import { BoundedList } from '../bounded-list.ts'
import { ApiError } from '../protocol/api-error.ts'
import type { FuturesWallet } from './futures-wallet.ts'
import type { SimulatedTransferAccount } from './transfer-account.ts'
import type { TransferSettings } from './transfer-settings.ts'

/** Money to move. */
export interface SimulatedTransferOrder {
  readonly from: SimulatedTransferAccount
  readonly to: SimulatedTransferAccount
  readonly coin: string
  readonly amount: Amount
}

/** A pending or finished transfer. */
export interface SimulatedTransfer extends SimulatedTransferOrder {
  readonly id: string
  readonly account: Account
  /** ms UTC. */
  readonly time: number
  /** Time of arrival, or of return, ms UTC. */
  readonly dueAt: number
  readonly fails: boolean
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
}

export interface TransferTerms {
  readonly settings: TransferSettings
  readonly seed: number
  /** Records kept per user. */
  readonly keptRecords: number
}

const TRANSIT_UID = 5

/** All transfers, as plain data but for their accounts. */
export interface TransfersState {
  readonly transit: ReadonlyMap<string, AssetHolding>
  /** By user, oldest first. */
  readonly records: ReadonlyMap<number, readonly SimulatedTransfer[]>
  readonly underWay: readonly SimulatedTransfer[]
  readonly count: number
  /** Number of random draws. */
  readonly draws: number
}

/** Moves money between the spot and the futures account of a user, and remembers it. */
export class Transfers {
  /** Holds money that has left one account and not arrived in the other. */
  readonly transit = new Account(TRANSIT_UID)
  readonly #wallet: FuturesWallet
  readonly #terms: TransferTerms
  readonly #random: SeededRandom
  readonly #records = new Map<number, BoundedList<SimulatedTransfer>>()
  /** In order of arrival, which is that of departure. */
  readonly #underWay = new BoundedList<SimulatedTransfer>(Number.POSITIVE_INFINITY)
  #count = 0
  #draws = 0

  /** The ids and failures follow from the seed. */
  constructor(wallet: FuturesWallet, terms: TransferTerms) {
    this.#wallet = wallet
    this.#terms = terms
    this.#random = seededRandom(`${terms.seed}/transfers`)
  }

  /** All of it. */
  dump(): TransfersState {
    const records = new Map([...this.#records].map(([uid, list]) => [uid, [...list.oldestFirst()]]))
    return {
      transit: this.transit.holdings,
      records,
      underWay: [...this.#underWay.oldestFirst()],
      count: this.#count,
      draws: this.#draws,
    }
  }

  /** Restores a dump; only before the first transfer. */
  restore({ transit, records, underWay, count, draws }: TransfersState): void {
    this.transit.restore(transit)
    for (const [uid, transfers] of records) {
      const list = new BoundedList<SimulatedTransfer>(this.#terms.keptRecords)
      list.restore(transfers)
      this.#records.set(uid, list)
    }
    this.#underWay.restore(underWay)
    this.#count = count
    while (this.#draws < draws) this.#draw()
  }

  /** Due time of the next pending transfer, ms UTC. */
  get nextAt(): number | undefined {
    return this.#underWay.oldest?.dueAt
  }

  /** True if a coin can be transferred. */
  accepts(coin: string): boolean {
    return this.#wallet.accepts(coin)
  }

  /** The transfers of a user, newest first. */
  of(uid: number): Iterable<SimulatedTransfer> {
    return this.#records.get(uid)?.newestFirst() ?? []
  }

  /** Sends money of a user off at `time`, ms UTC; throws `ApiError` if there is not as much. */
  move(account: Account, order: SimulatedTransferOrder, time: number): SimulatedTransfer {
    const { settings, keptRecords } = this.#terms
    if (this.#available(account, order) < order.amount) throw new ApiError('BALANCE_NOT_ENOUGH')
    const dueAt = time + settings.arrivalMs
    const id = this.#nextId()
    const transfer: SimulatedTransfer = {
      ...{ ...order, id, account, time, dueAt, fails: this.#fails(order) },
      status: 'PENDING',
    }
    const records = this.#records.get(account.uid) ?? new BoundedList<SimulatedTransfer>(keptRecords)
    this.#records.set(account.uid, records)
    records.push(transfer)
    this.#take(transfer, order.from)
    if (settings.arrivalMs === 0) this.#arrive(transfer)
    else this.#underWay.push(transfer)
    return transfer
  }

  /** Completes or returns the transfers due by `to`, ms UTC. */
  advance(to: number): void {
    for (let next = this.#underWay.oldest; next !== undefined && next.dueAt <= to; ) {
      this.#underWay.dropOldest()
      this.#arrive(next)
      next = this.#underWay.oldest
    }
  }

  #available(account: Account, { from, coin }: SimulatedTransferOrder): Amount {
    return from === 'EXCHANGE' ? account.holding(coin).free : this.#wallet.transferable(account.uid, coin)
  }

  #take({ account, coin, amount }: SimulatedTransfer, from: SimulatedTransferAccount): void {
    if (from === 'EXCHANGE') account.withdraw(coin, amount)
    else this.#wallet.withdraw(account.uid, coin, amount)
    this.transit.deposit(coin, amount)
  }

  #arrive(transfer: SimulatedTransfer): void {
    const { account, coin, amount, fails, from, to } = transfer
    this.transit.withdraw(coin, amount)
    if ((fails ? from : to) === 'EXCHANGE') account.deposit(coin, amount)
    else this.#wallet.deposit(account.uid, coin, amount)
    transfer.status = fails ? 'FAILED' : 'SUCCESS'
  }

  #fails(order: SimulatedTransferOrder): boolean {
    const rules = this.#terms.settings.failures.filter(
      ({ coin = order.coin, from = order.from, above }) =>
        coin === order.coin && from === order.from && (above === undefined || order.amount > above),
    )
    return rules.some(({ probability }) => probability === 1 || this.#draw() < probability)
  }

  #draw(): number {
    this.#draws++
    return this.#random.uniform()
  }

  /** In the form of a UUID of version 8 (RFC 9562): digits of a hash. */
  #nextId(): string {
    const digits = createHash('sha256')
      .update(`${this.#terms.seed}/transfer/${++this.#count}`)
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
