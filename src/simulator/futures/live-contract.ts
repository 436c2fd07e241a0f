import { type Amount, amountOf, type Rate, rateOf, ZERO } from '../../domain/numbers/amount.ts'
import {
  NO_STEPS,
  quantityText,
  roundedDown,
  roundToTicks,
  steps,
  type Ticks,
} from '../../domain/numbers/grid.ts'
import type { BookSnapshot } from '../../matching/observation.ts'
import { snapshotOf } from '../../matching/told-market.ts'
import type { MatchingKind, ObservedFill } from '../../matching/working-order.ts'
import { type LiveOrderBooking, LiveOrders } from '../live/live-orders.ts'
import type { LiveRules } from '../live/live-rules.ts'
import type { MarketObservation, ToldDay } from '../live/market-observation.ts'
import type { TapeSummary } from '../prices/day-window.ts'
import type { Contract } from './contract.ts'
import type { FuturesMarket } from './futures-market.ts'
import { isLive, openVolumeOf } from './orders/futures-order.ts'
import type { FuturesOrderType } from './orders/futures-order-draft.ts'
import type { SimulatedFuturesOrder } from './positions/futures-account.ts'

/** Prices of a contract as the host reports them. */
export interface ToldPrices {
  readonly mark: Ticks
  /** Quote per base. */
  readonly index: Amount
  readonly fundingRate: Rate
}

/** Reports of a host about a contract, as plain data. */
export interface LiveContractState {
  readonly prices: ToldPrices | undefined
  readonly shown?: BookSnapshot | undefined
  readonly day?: ToldDay | undefined
  readonly isTrading?: boolean
}

const KIND_OF: Readonly<Record<FuturesOrderType, MatchingKind>> = {
  LIMIT: 'limit',
  POST_ONLY: 'postOnly',
  FOK: 'fillOrKill',
  IOC: 'immediate',
  MARKET: 'immediate',
}

/** Reports of a host about a contract, and the orders of users on it. */
export class LiveContract {
  readonly orders: LiveOrders<SimulatedFuturesOrder>
  /** The latest book. */
  shown: BookSnapshot | undefined
  /** The latest mark price, index price and funding rate. */
  prices: ToldPrices | undefined
  readonly #contract: Contract
  #day: ToldDay | undefined

  constructor(contract: Contract, rules: LiveRules, booking: LiveOrderBooking<SimulatedFuturesOrder>) {
    this.#contract = contract
    this.orders = new LiveOrders(contract.name, contract, rules, booking)
  }

  /** The host's 24 hours; `undefined` before it told them. */
  get day(): TapeSummary | undefined {
    if (this.#day === undefined) return undefined
    const { time, open, high, low, last, volume } = this.#day
    const price = (text: string) => roundToTicks(this.#contract, Number(text), 'nearest')
    return {
      ...{ time, open: price(open), high: price(high), low: price(low), last: price(last) },
      volume: steps(roundedDown(Number(volume))),
      amount: ZERO,
    }
  }

  /** The reports, but not the orders. */
  dump(): LiveContractState {
    const { shown, prices } = this
    return { shown, prices, day: this.#day, isTrading: this.#contract.isTrading }
  }

  /** Restores a dump of the same contract. */
  restore({ shown, prices, day, isTrading = this.#contract.isTrading }: LiveContractState): void {
    this.shown = shown
    this.prices = prices
    this.#day = day
    Object.assign(this.#contract, { isTrading })
  }

  /** Takes an observation, known at `now` (ms UTC). */
  observe(observation: MarketObservation, now: number): void {
    if (observation.kind === 'book') this.shown = snapshotOf(this.#contract, observation.book)
    if (observation.kind === 'day') this.#day = observation.day
    if (observation.kind === 'index') {
      const { mark, index, fundingRate } = observation
      this.prices = {
        mark: roundToTicks(this.#contract, Number(mark), 'nearest'),
        index: amountOf(index),
        fundingRate: rateOf(fundingRate),
      }
    }
    // The contract keeps its identity, by which positions belong to it.
    if (observation.kind === 'rules')
      Object.assign(this.#contract, { isTrading: observation.rules.isTrading })
    this.orders.observe(observation, now)
  }
}

/** Books fills on an observed contract; `counterparty` makes the exchange's own order for each. */
export function futuresBooking(
  market: FuturesMarket,
  counterparty: (fill: ObservedFill<SimulatedFuturesOrder>) => SimulatedFuturesOrder,
): LiveOrderBooking<SimulatedFuturesOrder> {
  return {
    termsOf: ({ side, type, limit }) => ({ side, kind: KIND_OF[type], limit }),
    described: ({ id, clientOrderId, contract, size }) => ({
      order: id.toString(),
      clientOrderId,
      quantity: quantityText(contract, size.quantity),
      amount: undefined,
    }),
    openAt: order => (isLive(order) ? openVolumeOf(order) : NO_STEPS),
    book: fill => market.trade(fill, counterparty(fill)),
    end: order => market.end(order),
  }
}
