import type { BotConfig } from '../../config/bot-config.ts'
import type { MarketOf } from '../../config/configured-market.ts'
import type { AccountType } from '../../domain/instrument.ts'
import { weightOf } from '../../exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../exchange/endpoints.ts'
import { DOCUMENT_PROFILE } from '../../exchange/profiles/document-profile.ts'
import type { ExchangeProfile } from '../../exchange/profiles/exchange-profile.ts'

const MINUTE = 60_000
/** A list that begins with an already seen entry is read until it brings no new ones. */
const READS_OF_LISTS = 2

/** Share of the weight left to orders that account reads may use. */
const SHARE_OF_ORDERS = 0.5

/** Interval and weight of the account's comparison with the books. */
export interface AccountPoll {
  readonly everyMs: number
  readonly weightPerMinute: number
}

/**
 * Interval of comparing orders, own trades, balances and positions with the books: `balancesMs`, or longer if
 * that would use too much of the weight left to orders.
 */
export function accountPoll(
  symbols: readonly string[],
  marketOf: MarketOf,
  { balancesMs, weightPerMinute, orderShare }: BotConfig['polling'],
  profile: ExchangeProfile = DOCUMENT_PROFILE,
): AccountPoll {
  const look = weightOfLook(symbols, marketOf, profile)
  const most = weightPerMinute * orderShare * SHARE_OF_ORDERS
  const everyMs = most > 0 ? Math.max(balancesMs, Math.ceil((look * MINUTE) / most)) : balancesMs
  return { everyMs, weightPerMinute: (look * MINUTE) / everyMs }
}

function weightOfLook(symbols: readonly string[], marketOf: MarketOf, profile: ExchangeProfile): number {
  const lists = [...new Set(symbols)].map(symbol => {
    const [orders, trades] = LISTS[marketOf(symbol).account]
    return weightOf(orders, { symbol }) + weightOf(trades, {}) * READS_OF_LISTS
  })
  const accounts = Array.from(new Set(symbols.map(symbol => marketOf(symbol).account)), account =>
    weightOfAccount(account, profile),
  )
  return [...lists, ...accounts].reduce((total, weight) => total + weight, 0)
}

/** Open orders and own trades. */
const LISTS = {
  spot: [ENDPOINTS.spotOpenOrders, ENDPOINTS.spotMyTradesV2],
  margin: [ENDPOINTS.marginOpenOrders, ENDPOINTS.marginMyTrades],
  futures: [ENDPOINTS.futuresOpenOrders, ENDPOINTS.futuresMyTrades],
} as const

/** Only the lists of a margin account are readable. */
function weightOfAccount(account: AccountType, { futures }: ExchangeProfile): number {
  if (account === 'margin') return 0
  if (account === 'spot') return weightOf(ENDPOINTS.spotAccount, {})
  const transactions = futures.lacks.includes('futuresTransactions')
    ? 0
    : weightOf(ENDPOINTS.futuresTransactions, {}) * READS_OF_LISTS
  return weightOf(ENDPOINTS.futuresAccount, {}) + transactions
}
