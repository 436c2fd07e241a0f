import { steps, ticks } from '../../../domain/numbers/grid.ts'
import { ApiError } from '../../protocol/api-error.ts'
import type { Contract } from '../contract.ts'
import { isFlat } from '../contract-slot.ts'
import type { FuturesMarket } from '../futures-market.ts'
import type { FuturesSettings } from '../futures-setup.ts'
import { availableOf, type ContractMarkOf } from '../positions/equity.ts'
import type { FuturesAccount, SimulatedFuturesOrder } from '../positions/futures-account.ts'
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

export interface AdmissionRules extends Pick<FuturesSettings, 'priceBand'> {
  /** Refuse a client order id that the account has used before. */
  readonly uniqueClientOrderIds: boolean
}

/** Prices and books of the markets. */
export interface Markets {
  readonly markOf: ContractMarkOf
  /** Throws `ApiError` for a contract that is not listed. */
  readonly marketOf: (contract: Contract) => FuturesMarket
}

/** Accepts or refuses orders, and computes their reserves. */
export class Admission {
  readonly #rules: AdmissionRules
  readonly #markets: Markets

  constructor(rules: AdmissionRules, markets: Markets) {
    this.#rules = rules
    this.#markets = markets
  }

  /**
   * The order of a draft by the rules of account and contract, before any check of funds; throws `ApiError`
   * otherwise.
   */
  orderOf(
    account: FuturesAccount,
    draft: FuturesOrderDraft,
    identity: Pick<SimulatedFuturesOrder, 'id' | 'time'>,
  ): SimulatedFuturesOrder {
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

  /** Checks an order for the book and computes its reserve; throws `ApiError`. */
  admit(order: SimulatedFuturesOrder): void {
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

/** True if an account has a position or waiting orders on a contract: then its settings are fixed. */
export function isBusy(account: FuturesAccount, contract: Contract): boolean {
  return (
    !isFlat(account.slot(contract)) || account.records.openOrders.some(order => order.contract === contract)
  )
}

/** Shrinks a conditional close to the remainder of its position. */
export function fitToPosition(order: SimulatedFuturesOrder): void {
  if (order.action !== 'CLOSE') return
  const { account, contract, side, size } = order
  const closable = closableVolume(account.slot(contract), side, othersThan(order))
  const quantity = steps(Math.max(0, Math.min(size.quantity, closable)))
  if (quantity > 0) order.size = { unit: 'base', quantity }
}

/** All open orders except this one, which is already accepted but not yet on the book. */
function othersThan(order: SimulatedFuturesOrder): readonly SimulatedFuturesOrder[] {
  return order.account.records.openOrders.filter(other => other !== order)
}
