import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, negate } from '../../domain/numbers/amount.ts'
import type { Ticks } from '../../domain/numbers/grid.ts'
import { DelayedActions } from '../delayed-actions.ts'
import type { MarketObservation } from '../live/market-observation.ts'
import type { Print } from '../prices/print.ts'
import { ApiError } from '../protocol/api-error.ts'
import { isFlat } from './contract-slot.ts'
import { type FuturesSettings, type FuturesSetup, listContracts } from './futures-setup.ts'
import type { ListedContract, ListedContractState } from './listed-contract.ts'
import { FuturesOrders, type FuturesOrdersState } from './orders/futures-orders.ts'
import { Clearing } from './positions/clearing.ts'
import { availableOf } from './positions/equity.ts'
import { FuturesAccount, type FuturesAccountState } from './positions/futures-account.ts'

const HOUSE_UID = 1
const FEE_UID = 2

/** The futures side of an exchange, as plain data but for its orders, accounts and contracts. */
export interface FuturesState {
  /** ms UTC, as is `now`. */
  readonly openedAt: number
  readonly now: number
  readonly house: FuturesAccountState
  readonly fees: FuturesAccountState
  readonly positionCount: number
  /** Saved exchanges know the orders by this key. */
  readonly desk: FuturesOrdersState
  /** By uid. */
  readonly accounts: ReadonlyMap<number, FuturesAccountState>
  /** By name. */
  readonly contracts: ReadonlyMap<string, ListedContractState>
}

interface Event {
  readonly type: 'move' | 'funding'
  readonly time: number
  readonly listed: ListedContract
}

/** Contracts, accounts and orders of the simulated futures exchange, without any wire format. */
export class FuturesExchange {
  readonly settings: FuturesSettings
  /** All contracts; those with their own market sleep until first used (`contractOf`, `awakeContracts`). */
  readonly contracts: readonly ListedContract[]
  /** One for each user of the exchange. */
  readonly accounts: readonly FuturesAccount[]
  readonly clearing: Clearing
  readonly orders: FuturesOrders
  readonly #putOff = new DelayedActions()
  readonly #openingBalances: FuturesSetup['accounts']
  #openedAt = Number.NEGATIVE_INFINITY
  #now = Number.NEGATIVE_INFINITY

  constructor(setup: FuturesSetup) {
    const { settings } = setup
    const { positionMode, marginMode, leverage, keptRecords } = settings
    const defaults = { positionMode, marginMode, leverage }
    this.settings = settings
    this.clearing = new Clearing(institution(HOUSE_UID), institution(FEE_UID))
    this.accounts = setup.accounts.map(
      ({ uid, mayTrade }) => new FuturesAccount({ uid, mayTrade, defaults, keptRecords }),
    )
    this.#openingBalances = setup.accounts
    const { uniqueClientOrderIds } = setup
    this.orders = new FuturesOrders({
      clearing: this.clearing,
      rules: { ...settings, uniqueClientOrderIds },
      clock: this,
      putOff: this.#putOff,
    })
    this.contracts = listContracts(setup, this.clearing.house, this.orders.events)
    for (const listed of this.contracts) this.orders.list(listed)
  }

  /** The exchange's time, ms UTC. */
  get now(): number {
    return this.#now
  }

  /**
   * Time of the next event, ms UTC: a market's move, a delayed action, or a settlement while positions are
   * held.
   */
  get nextEventAt(): number | undefined {
    const isHeld = this.accounts.some(account => account.positions().length > 0)
    const never = Number.POSITIVE_INFINITY
    let earliest = this.#putOff.nextAt ?? never
    for (const { nextMoveAt = never, nextFundingAt } of this.#awake)
      earliest = Math.min(earliest, nextMoveAt, isHeld ? nextFundingAt : never)
    return Number.isFinite(earliest) ? earliest : undefined
  }

  /** The account of a user; throws `ApiError` if it has none. */
  accountOf(uid: number): FuturesAccount {
    const account = this.accounts.find(candidate => candidate.uid === uid)
    if (account === undefined) throw new ApiError('REJECTED_CH_KEY')
    return account
  }

  /** The contract of a name in either case (`E-BTC-USDT`, `e-btc-usdt`); throws `ApiError`. */
  contractOf(name: string | undefined): ListedContract {
    const wanted = name?.toUpperCase()
    const found = this.contracts.find(({ contract }) => contract.name === wanted)
    if (found === undefined) throw new ApiError('BAD_SYMBOL')
    this.#wake(found)
    return found
  }

  /** Every contract, with its market brought up to date. */
  awakeContracts(): readonly ListedContract[] {
    for (const listed of this.contracts) this.#wake(listed)
    return this.contracts
  }

  /** Its whole state; `undefined` before it opens, and while actions are pending. */
  dump(): FuturesState | undefined {
    if (!Number.isFinite(this.#now) || !this.#putOff.areNone) return undefined
    const states = this.contracts.map(listed => [listed.contract.name, listed.dump()] as const)
    return {
      openedAt: this.#openedAt,
      now: this.#now,
      house: this.clearing.house.dump(),
      fees: this.clearing.fees.dump(),
      positionCount: this.clearing.positionCount,
      desk: this.orders.dump(),
      accounts: new Map(this.accounts.map(account => [account.uid, account.dump()])),
      contracts: new Map(states.flatMap(([name, state]) => (state === undefined ? [] : [[name, state]]))),
    }
  }

  /**
   * Restores a dumped state into an exchange that has not opened. A contract missing there opens on its first
   * use.
   */
  restore(state: FuturesState): void {
    this.#openedAt = state.openedAt
    this.#now = state.now
    this.clearing.house.restore(state.house)
    this.clearing.fees.restore(state.fees)
    this.clearing.restore(state.positionCount)
    this.orders.restore(state.desk)
    for (const account of this.accounts) {
      const kept = state.accounts.get(account.uid)
      if (kept !== undefined) account.restore(kept)
    }
    for (const listed of this.contracts) {
      const kept = state.contracts.get(listed.contract.name)
      if (kept !== undefined) listed.restore(kept, state.now)
    }
  }

  /** Shared objects of orders, positions and trades, with unique names. */
  get names(): readonly (readonly [string, object])[] {
    const { house, fees } = this.clearing
    return [
      ['futures house', house],
      ['futures fees', fees],
      ...this.accounts.map(account => [`futures ${account.uid}`, account] as const),
      ...this.contracts.map(({ contract }) => [`contract ${contract.name}`, contract] as const),
    ]
  }

  /** Passes a print of a spot pair on to the contracts that follow it; they play it when they are advanced. */
  hear(instrument: Instrument, print: Print): void {
    for (const listed of this.contracts) {
      if (listed.follows?.symbol === instrument.symbol) listed.passOn(instrument, print)
    }
  }

  /** Plays prints of the present moment that arrived after the exchange had reached it. */
  catchUp(): void {
    this.#play(this.#awake, this.#now)
    for (const listed of this.#awake) listed.refreshQuotes()
  }

  /** Plays moves and settlements up to `to` (ms UTC), in order of time; a past time is ignored. */
  advance(to: number): void {
    if (to <= this.#now) return
    for (const { live } of this.contracts) live?.orders.pass(to)
    if (this.#now === Number.NEGATIVE_INFINITY) this.#open(to)
    this.#play(this.#awake, to)
    this.#now = to
    this.orders.expireConditions()
    for (const listed of this.#awake) listed.refreshQuotes()
  }

  /** Takes what a host tells of an observed contract at this moment; throws `ApiError` for an unknown one. */
  observe(observation: MarketObservation): void {
    const listed = this.contractOf(observation.symbol)
    listed.observe(observation, this.#now)
    this.orders.markMoved(listed, this.accounts)
    listed.refreshQuotes()
  }

  /** True if an observation of a contract may change an account. */
  isEngaged(name: string): boolean {
    const { contract, live } = this.contractOf(name)
    if (live?.orders.isEngaged === true) return true
    return this.accounts.some(
      account =>
        account.records.openOrders.some(order => order.contract === contract) ||
        !isFlat(account.slot(contract)),
    )
  }

  /** Moves the price of a contract with its own market, which continues from there. */
  shock(listed: ListedContract, price: Ticks): void {
    listed.shock(price, this.#now)
    this.orders.markMoved(listed, this.accounts)
    listed.refreshQuotes()
  }

  /** Brings money into an account. */
  deposit(account: FuturesAccount, coin: string, amount: Amount): void {
    account.book('transferIn', amount, { coin, contract: undefined, time: this.#now })
  }

  /** Takes money out of an account; throws `ApiError` if less is available. */
  withdraw(account: FuturesAccount, coin: string, amount: Amount): void {
    if (amount > this.availableOf(account, coin)) throw new ApiError('BALANCE_NOT_ENOUGH')
    account.book('transferOut', negate(amount), { coin, contract: undefined, time: this.#now })
  }

  /** Balance of an account available for new orders and withdrawals. */
  availableOf(account: FuturesAccount, coin: string): Amount {
    return availableOf(account, coin, this.orders.markOf)
  }

  get #awake(): readonly ListedContract[] {
    return this.contracts.filter(({ isOpen }) => isOpen)
  }

  #open(now: number): void {
    this.#openedAt = now
    for (const listed of this.contracts) if (listed.follows !== undefined) listed.open(now)
    for (const { uid, balances } of this.#openingBalances) {
      const change = { contract: undefined, time: now }
      const account = this.accountOf(uid)
      for (const [coin, amount] of Object.entries(balances))
        account.book('transferIn', amount, { ...change, coin })
    }
  }

  /**
   * A contract without orders or positions sleeps; it may catch up later, because no account depends on it.
   */
  #wake(listed: ListedContract): void {
    if (listed.isOpen || this.#now === Number.NEGATIVE_INFINITY) return
    listed.open(this.#openedAt)
    this.#play([listed], this.#now)
    listed.refreshQuotes()
  }

  #play(contracts: readonly ListedContract[], to: number): void {
    for (
      let next = firstEvent(contracts);
      next !== undefined && next.time <= to;
      next = firstEvent(contracts)
    ) {
      this.#actUntil(next.time)
      this.#now = Math.max(this.#now, next.time)
      this.orders.expireConditions()
      if (next.type === 'move') this.#playMove(next.listed)
      else this.#settleFunding(next.listed)
    }
    this.#actUntil(to)
  }

  /** Runs the actions due by `time`. */
  #actUntil(time: number): void {
    for (let next = this.#putOff.nextAt; next !== undefined && next <= time; next = this.#putOff.nextAt) {
      this.#now = Math.max(this.#now, next)
      this.#putOff.actNext()
    }
  }

  #playMove(listed: ListedContract): void {
    listed.playNext()
    this.orders.markMoved(listed, this.accounts)
  }

  #settleFunding(listed: ListedContract): void {
    const { contract, mark } = listed
    const rate = listed.takeFundingRate()
    this.clearing.settleFunding(this.accounts, contract, mark, rate, this.#now)
    for (const account of this.accounts) this.orders.moneyMoved(account, contract.quote)
  }
}

/**
 * The earliest event; at equal times a move comes before a settlement, then the order of the contracts
 * decides.
 */
function firstEvent(contracts: readonly ListedContract[]): Event | undefined {
  let first: ListedContract | undefined
  let type: Event['type'] = 'move'
  let time = Number.POSITIVE_INFINITY
  for (const listed of contracts) {
    const { nextMoveAt = Number.POSITIVE_INFINITY, nextFundingAt } = listed
    if (nextMoveAt < time || (nextMoveAt === time && type === 'funding')) {
      first = listed
      type = 'move'
      time = nextMoveAt
    }
    if (nextFundingAt < time) {
      first = listed
      type = 'funding'
      time = nextFundingAt
    }
  }
  return first && { type, time, listed: first }
}

/** An account of the exchange itself. */
function institution(uid: number): FuturesAccount {
  const defaults = { positionMode: 'net', marginMode: 'cross', leverage: 1 } as const
  return new FuturesAccount({ uid, defaults, keptRecords: 1 })
}
