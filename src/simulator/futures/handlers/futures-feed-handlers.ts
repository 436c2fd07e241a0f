import { amountToText, type Rate, times, ZERO } from '../../../domain/numbers/amount.ts'
import { NO_STEPS, priceAmount, priceText, steps, ticks } from '../../../domain/numbers/grid.ts'
import type { Side } from '../../../domain/orders/side.ts'
import type { EndpointHandler } from '../../incoming-call.ts'
import type { JsonValue } from '../../protocol/json-text.ts'
import { quantityAt } from '../../spot/order-book.ts'
import { baseOf, contractsWorth } from '../contract.ts'
import type { FuturesExchange } from '../futures-exchange.ts'
import type { ListedContract } from '../listed-contract.ts'

/** GET /pub/contracts: every contract, or the one of `ticker_id`. */
export const contractsFeed: EndpointHandler = ({ futures, parameters, now }) => {
  const id = parameters.text('ticker_id')
  const listed = id === undefined ? futures.awakeContracts() : [futures.contractOf(id)]
  return success({ contracts: listed.map(contract => feedEntry(futures, contract, now)) })
}

/** GET /pub/orderbook: both names of the amount, in base: the field table and the sample have one each. */
export const orderBookFeed: EndpointHandler = ({ futures, parameters, now }) => {
  const { contract, market } = futures.contractOf(parameters.text('ticker_id'))
  const side = (of: Side) =>
    market.book
      .levels(of)
      .take(100)
      .map(level => {
        const amount = amountToText(baseOf(contract, quantityAt(level)))
        return { price: priceText(contract, level.price), amount, size: amount }
      })
      .toArray()
  const orderbook = { bids: side('buy'), asks: side('sell') }
  return success({ orderbook, ticker_id: contract.name, timestamp: now })
}

function success(data: JsonValue): JsonValue {
  return { code: '0', msg: 'success', data }
}

function feedEntry(futures: FuturesExchange, listed: ListedContract, now: number) {
  const { contract, market, mark } = listed
  const day = listed.lastDay(now)
  const price = (value = ticks(0)) => priceText(contract, value)
  // The tape counts a contract as one unit of base.
  const turnover = amountToText(times(day?.amount ?? ZERO, contract.multiplier as bigint as Rate))
  const openInterest = openInterestOf(futures, listed)
  const openWorth = amountToText(contractsWorth(contract, mark, openInterest))
  return {
    ticker_id: contract.name,
    base_currency: contract.base,
    quote_currency: contract.quote,
    last_price: price(day?.last),
    base_volume: amountToText(baseOf(contract, day?.volume ?? NO_STEPS)),
    quote_volume: turnover,
    volume_usd: turnover,
    bid: price(market.book.best('buy')?.price),
    ask: price(market.book.best('sell')?.price),
    high: price(day?.high),
    low: price(day?.low),
    product_type: 'Perpetual',
    open_interest: amountToText(baseOf(contract, openInterest)),
    open_interest_usd: openWorth,
    index_price: amountToText(listed.index),
    contract_type: 'Vanilla',
    contract_price: amountToText(priceAmount(contract, mark)),
    contract_price_currency: contract.quote,
    creation_timestamp: 0,
    expiry_timestamp: 0,
    funding_rate: amountToText(listed.lastFundingRate),
    next_funding_rate: amountToText(listed.fundingRate),
    next_funding_rate_timestamp: listed.nextFundingAt,
    open_maker_fee: amountToText(contract.fees.open.maker),
    open_taker_fee: amountToText(contract.fees.open.taker),
    close_maker_fee: amountToText(contract.fees.close.maker),
    close_taker_fee: amountToText(contract.fees.close.taker),
    timestamp: now,
  }
}

/** Open interest: contracts held long, equal to those held short; the exchange's own account counts too. */
function openInterestOf({ accounts, clearing }: FuturesExchange, { contract }: ListedContract) {
  const holders = [...accounts, clearing.house]
  return steps(holders.reduce((total, holder) => total + (holder.slot(contract).long?.volume ?? 0), 0))
}
