import { type Amount, absolute, times } from '../../domain/numbers/amount.ts'
import { priceAmount, type Ticks, ticks } from '../../domain/numbers/grid.ts'
import { oppositeOf } from '../../domain/orders/side.ts'
import { ApiError } from '../protocol/api-error.ts'
import type { Trader } from '../trader.ts'
import type { ListedMarket } from './listed-market.ts'
import { payingAsset, reserveOf, type SpotOrderDraft } from './spot-order.ts'

/** Rules for orders of every account. */
export interface TraderRules {
  /** Open orders an account may have. */
  readonly maxOpenOrders: number
  /** Refuse a client order id that the account has used before. */
  readonly uniqueClientOrderIds: boolean
}

/** Throws `ApiError` where a market does not take an order now. */
export function checkTrading(listed: ListedMarket, draft: SpotOrderDraft): void {
  const { isTrading, allowsMarketOrders } = listed.rules
  const { type, side } = draft
  if (!isTrading) throw new ApiError('EXCHANGE_LOCK')
  const isMarket = type === 'MARKET' || type === 'STOP_MARKET'
  if (isMarket && !allowsMarketOrders) throw new ApiError('ORDER_NOT_SUPPORT_MARKET')
  checkBand(listed, draft)
  if (type === 'MARKET' && listed.market.book.best(oppositeOf(side)) === undefined) {
    throw new ApiError('NO_DEPTH')
  }
}

/** Throws `ApiError` where an account may not place an order, or cannot pay for it. */
export function checkTrader(trader: Trader, draft: SpotOrderDraft, rules: TraderRules): void {
  const { account, history, credit, mayTrade } = trader
  if (!mayTrade) throw new ApiError('PLACEMENT_PROHIBITED')
  const { clientOrderId } = draft
  if (rules.uniqueClientOrderIds && clientOrderId !== undefined && history.byClientId(clientOrderId)) {
    throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'newClientOrderId')
  }
  const [asset, reserve] = [payingAsset(draft), reserveOf(draft)]
  const canPay = credit === undefined ? account.canLock(asset, reserve) : credit.canCover(asset, reserve)
  if (!canPay) throw new ApiError('BALANCE_NOT_ENOUGH')
  if (history.openCount >= rules.maxOpenOrders) throw new ApiError('TOO_MANY_ORDERS')
}

/** Trigger prices stay in the band around the reference price, the limit of a stop in that around its trigger. */
function checkBand({ instrument, reference, rules }: ListedMarket, draft: SpotOrderDraft): void {
  const { price, triggerPrice } = draft
  const { priceBandRate } = rules
  if (priceBandRate === undefined) return
  const isWithin = (checked: Ticks | undefined, centre: Ticks | undefined) => {
    if (checked === undefined || centre === undefined) return true
    const distance: Amount = absolute(priceAmount(instrument, ticks(checked - centre)))
    return distance <= times(priceAmount(instrument, centre), priceBandRate)
  }
  if (!isWithin(triggerPrice, reference) || !isWithin(price, triggerPrice ?? reference)) {
    throw new ApiError('ORDER_PRICE_WAVE_EXCEED')
  }
}
