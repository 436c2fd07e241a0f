import { amountToText, ZERO } from '../domain/amount.ts'
import { utcText } from '../domain/civil-date.ts'
import { Decimal } from '../domain/decimal.ts'
import { priceOf, quantityText, ticks } from '../domain/grid.ts'
import type { Order } from '../domain/order.ts'
import { scopeText, type TradingHold, type TradingMode } from '../domain/trading-hold.ts'
import type { Engine } from '../engine/engine.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RiskScope } from '../risk/risk-scope.ts'
import { positionTexts } from './bot-summary.ts'
import { UNVERIFIABLE } from './declared-margin.ts'
import { unknownMaintenance } from './unknown-maintenance.ts'

/** What may be sent in one scope, and why not everything. */
export interface ScopeStatus {
  /** `account`, an instrument, or a strategy on one. */
  readonly scope: string
  readonly mode: TradingMode
  readonly holds: readonly HoldStatus[]
  /** The protections that watch. */
  readonly protections: readonly string[]
}

/** A hold with its times as text. */
export type HoldStatus = Omit<TradingHold, 'since' | 'until'> & {
  readonly since: string
  readonly until?: string
}

/** A running bot at a glance; money and quantities are exact text, times UTC. */
export interface BotStatus {
  readonly bot: string
  readonly time: string
  readonly trading: readonly ScopeStatus[]
  /** By book; negative is short. */
  readonly positions: Readonly<Record<string, string>>
  /** Of contracts that are held, by book: the mark price at which the exchange takes them over, as text. */
  readonly liquidationPrices: Readonly<Record<string, string>>
  readonly orders: readonly OrderStatusLine[]
  readonly equity: Readonly<Record<string, string>>
  readonly balances: Readonly<Record<string, string>>
  /** What of this nobody can verify, in sentences. */
  readonly unverified: readonly string[]
}

/** An order that works. */
export interface OrderStatusLine {
  readonly clientOrderId: string
  readonly symbol: string
  readonly side: string
  readonly purpose: string
  readonly type: string
  readonly status: string
  readonly quantity: string
  readonly filled: string
  readonly prices: readonly number[]
}

/** The status of a bot at a time, ms UTC. */
export function botStatus(bot: string, { ledger, desks, risk }: Engine, time: number): BotStatus {
  const quotes = [...new Set(ledger.instruments.map(({ quote }) => quote))]
  return {
    bot,
    time: utcText(time),
    trading: risk.scopes.map(scopeStatus),
    positions: positionTexts({ ledger, desks }),
    liquidationPrices: liquidationTexts(ledger),
    orders: ledger.orders.working.map(order => orderLine(ledger, order)),
    equity: Object.fromEntries(quotes.map(quote => [quote, amountToText(ledger.equity(quote))])),
    balances: Object.fromEntries(
      [...ledger.balances.entries()].map(([asset, amount]) => [asset, amountToText(amount)]),
    ),
    unverified: [
      ...(ledger.instruments.some(({ accountType }) => accountType === 'margin') ? [UNVERIFIABLE] : []),
      ...ledger.instruments.flatMap(instrument => unknownMaintenance(instrument) ?? []),
    ],
  }
}

/** Nothing for what no price liquidates. */
function liquidationTexts(ledger: Ledger): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...ledger.contracts.held].flatMap(({ book, instrument }) => {
      const price = ledger.liquidations.priceOf(book) ?? ZERO
      const rounded = new Decimal(amountToText(price)).toFixed(instrument.pricePrecision)
      return price <= ZERO ? [] : [[book, rounded] as const]
    }),
  )
}

function scopeStatus({ scope, state, protections }: RiskScope): ScopeStatus {
  return {
    scope: scopeText(scope),
    mode: state.mode,
    holds: state.holds.map(holdStatus),
    protections: protections.map(({ name }) => name),
  }
}

/** A hold with its times as text. */
export function holdStatus({ since, until, ...hold }: TradingHold): HoldStatus {
  return { ...hold, since: utcText(since), ...(until !== undefined && { until: utcText(until) }) }
}

function orderLine(ledger: Ledger, { request, status, filledQuantity }: Order): OrderStatusLine {
  const { clientOrderId, symbol, side, purpose, spec, quantity } = request
  const instrument = ledger.instrument(symbol)
  return {
    clientOrderId,
    symbol,
    side,
    purpose,
    type: spec.type,
    status,
    quantity: quantityText(instrument, quantity),
    filled: quantityText(instrument, filledQuantity),
    prices: Object.values(spec)
      .filter(value => typeof value === 'number')
      .map(price => priceOf(instrument, ticks(price))),
  }
}
