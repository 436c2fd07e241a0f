import { steps, ticks } from '../../../domain/numbers/grid.ts'
import { ApiError } from '../../protocol/api-error.ts'
import type { Contract } from '../contract.ts'
import { isFlat } from '../contract-slot.ts'
import type { FuturesMarket } from '../futures-market.ts'
import type { FuturesSettings } from '../futures-setup.ts'
import { availableOf, type MarkOf } from '../positions/equity.ts'
import type { FuturesAccount, FuturesOrder } from '../positions/futures-account.ts'
import { newFuturesOrder, openVolumeOf } from './futures-order.ts'
import type { FuturesOrderDraft } from './futures-order-draft.ts'
import {
  bandLimit,
  checkBand,
  checkClosable,
  checkLimits,
  closableVolume,
  reservePerContract,
} from './order-check.ts'

/** What orders are held against. */
export interface AdmissionRules extends Pick<FuturesSettings, 'priceBand'> {
  /** Refuse a client order id that the account has used before. */
  readonly uniqueClientOrderIds: boolean
}

/** The markets that orders come to. */
export interface Markets {
  readonly markOf: MarkOf
  /** Throws `ApiError` for a contract that is not listed. */
  readonly marketOf: (contract: Contract) => FuturesMarket
}

/** Decides which orders are taken, and what they reserve. */
export class Admission {
  readonly #rules: AdmissionRules
  readonly #markets: Markets

  constructor(rules: AdmissionRules, markets: Markets) {
    this.#rules = rules
    this.#markets = markets
  }

  /** The order of a draft that account and contract allow, whatever it costs; throws `ApiError` otherwise. */
  orderOf(
    account: FuturesAccount,
    draft: FuturesOrderDraft,
    identity: Pick<FuturesOrder, 'id' | 'time'>,
  ): FuturesOrder {
    const { contract, leverage, marginMode, ...rest } = draft
    const slot = account.slot(contract)
    const mark = this.#markets.markOf(contract)
    this.#checkAccount(account, draft)
    if (!contract.isTrading) throw new ApiError('EXCHANGE_LOCK')
    if (mark === 0) throw new ApiError('NO_DEPTH')
    if (leverage !== undefined && leverage !== slot.leverage) throw new ApiError('LEVERAGE_MISMATCH')
    if (marginMode !== undefined && marginMode !== slot.marginMode && isBusy(account, contract)) {
      throw new ApiError('LEVERAGE_MISMATCH')
    }
    checkLimits(draft, draft.trigger?.price ?? mark)
    const waiting = account.records.openOrders.filter(order => order.contract === contract)
    if (waiting.length >= contract.maxValidOrder) throw new ApiError('TOO_MANY_ORDERS')
    return newFuturesOrder({
      ...{ ...rest, ...identity, contract, account, leverage: slot.leverage },
      marginMode: marginMode ?? slot.marginMode,
      limit: bandLimit(draft.side, mark, this.#rules.priceBand),
    })
  }

  /** Checks an order that goes to the book and finds what it reserves; throws `ApiError`. */
  admit(order: FuturesOrder): void {
    const { account, contract, side, price, action } = order
    order.limit = bandLimit(side, this.#markets.markOf(contract), this.#rules.priceBand)
    if (price !== undefined) {
      checkBand(side, price, order.limit)
      order.limit = price
    }
    const volume = openVolumeOf(order)
    const market = this.#markets.marketOf(contract)
    const last = market.lastPriceFor(side, volume, order.limit)
    if (price === undefined && last === undefined) throw new ApiError('NO_DEPTH')
    if (action === 'CLOSE') {
      checkClosable(account.slot(contract), side, volume, othersThan(order))
      return
    }
    // A sell may trade above its limit, up to the best bid.
    const bestBid = side === 'sell' ? market.book.best('buy')?.price : undefined
    const worst = ticks(Math.max(price ?? 0, last ?? 0, bestBid ?? 0))
    const reserve = reservePerContract(contract, worst, order.leverage)
    const needed = reserve * BigInt(volume)
    if (needed > availableOf(account, contract.quote, this.#markets.markOf)) {
      throw new ApiError('BALANCE_NOT_ENOUGH')
    }
    order.frozenPerContract = reserve
  }

  #checkAccount({ mayTrade, records }: FuturesAccount, { clientOrderId }: FuturesOrderDraft): void {
    if (!mayTrade) throw new ApiError('PLACEMENT_PROHIBITED')
    const isUsed = clientOrderId !== undefined && records.byClientId(clientOrderId) !== undefined
    if (isUsed && this.#rules.uniqueClientOrderIds) {
      throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'clientOrderId')
    }
  }
}

/** Whether an account holds something of a contract, or has orders on it that wait: then its settings are fixed. */
export function isBusy(account: FuturesAccount, contract: Contract): boolean {
  return (
    !isFlat(account.slot(contract)) || account.records.openOrders.some(order => order.contract === contract)
  )
}

/** A condition that closes does so with what is left of the position it was meant for. */
export function fitToPosition(order: FuturesOrder): void {
  if (order.action !== 'CLOSE') return
  const { account, contract, side, size } = order
  const closable = closableVolume(account.slot(contract), side, othersThan(order))
  const quantity = steps(Math.max(0, Math.min(size.quantity, closable)))
  if (quantity > 0) order.size = { unit: 'base', quantity }
}

/** An order that has been taken but has not met the book yet does not stand in its own way. */
function othersThan(order: FuturesOrder): readonly FuturesOrder[] {
  return order.account.records.openOrders.filter(other => other !== order)
}
