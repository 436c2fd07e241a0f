import type { FundingPayment } from '../../src/domain/events/funding-payment.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { type Amount, add, amountFromNumber, subtract, ZERO } from '../../src/domain/numbers/amount.ts'
import { baseAmount, notionalOf } from '../../src/domain/numbers/grid.ts'
import type { Position } from '../../src/domain/position.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import type { OpeningBalances } from '../../src/ledger/account-balances.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PlayedMarket } from '../fills/played-market.ts'
import type { SimulatedFill } from '../fills/simulated-fill.ts'
import { baseFeeDust } from './base-fee-dust.ts'
import { type StartingHoldings, startingHoldings } from './start-equity.ts'

/**
 * Sources of the change of equity: exact amounts of quote. The start and all sources add up to the end, to
 * the last digit.
 */
export interface ProfitSources {
  /** Quote, and each base at the first open of its instrument. */
  readonly startEquity: Amount
  /** Profit of all round trips, after fees. */
  readonly roundTrips: Amount
  /** Profit of open positions at the last prices, after the fees of their entries. */
  readonly openPositions: Amount
  /** Net funding received; negative if more was paid. */
  readonly funding: Amount
  /** Change in value of the accounts' opening base. */
  readonly startingBase: Amount
  /**
   * Value at the last price of base below one step left by fees in base, less its cost; also the fees of
   * fills of which fees left no whole step, and rounding below 10^-18.
   */
  readonly dust: Amount
  /** Losses that the exchange bore, because they were more than the money behind positions. */
  readonly borneLoss: Amount
  /** Debt of a ruined account beyond its funds; the equity of such a run ends at zero. */
  readonly writtenOff: Amount
  /** The unexplained remainder; zero, unless the books of the backtest are wrong. */
  readonly unexplained: Amount
  readonly endEquity: Amount
}

/** Input of the sources of profit, once a run has ended. */
export interface EndedRun {
  readonly opening: OpeningBalances
  readonly ledger: Ledger
  readonly quote: string
  /** Every market that was traded. */
  readonly traded: readonly PlayedMarket[]
  /** The latest price of an instrument, by which its base and its contracts count; `NaN` before its first kline. */
  readonly priceOf: (symbol: string) => number
  /** Equity fell to zero. */
  readonly ruined: boolean
  readonly fills: readonly SimulatedFill[]
  readonly roundTrips: readonly RoundTrip[]
  readonly openPositions: readonly Position[]
  readonly funding: readonly FundingPayment[]
}

/** Base times price, both of 10^-18: sums are made here, and rounded once. */
const UNIT = 10n ** 18n

/**
 * Computes the sources of the change of equity. Each source is computed independently, and none as a
 * remainder.
 */
export function profitSourcesOf(run: EndedRun): ProfitSources {
  const { ledger, quote, ruined } = run
  const held = startingHoldings(run.opening, run.traded)
  const priceOf = pricesOf(run, held)
  const exact = {
    startEquity: worthOfStart(held, ({ price }) => amountFromNumber(price)),
    roundTrips: run.roundTrips.reduce((sum, { pnl }) => sum + pnl, 0n) * UNIT,
    openPositions: openProfit(run, priceOf),
    funding: -run.funding.reduce((sum, { amount }) => sum + amount, 0n) * UNIT,
    dust: dustProfit(run, priceOf),
    borneLoss: ledger.contracts.borneLoss(quote) * UNIT,
  }
  const startingBase = worthOfStart(held, ({ symbol }) => priceOf(symbol)) - exact.startEquity
  const left = equityAtEnd(run, priceOf)
  const writtenOff = ruined ? -left : 0n
  const end = left + writtenOff
  const { startEquity, roundTrips, openPositions, funding, dust, borneLoss } = exact
  const explained =
    startEquity + roundTrips + openPositions + funding + startingBase + dust + borneLoss + writtenOff
  const rounded = {
    startEquity: amountFrom(startEquity),
    roundTrips: amountFrom(roundTrips),
    openPositions: amountFrom(openPositions),
    funding: amountFrom(funding),
    startingBase: amountFrom(startingBase),
    borneLoss: amountFrom(borneLoss),
    writtenOff: amountFrom(writtenOff),
    unexplained: amountFrom(end - explained),
  }
  const endEquity = amountFrom(end)
  // Each source was rounded by itself: the error of their sum, some units of 10^-18, counts as dust.
  const others = Object.values(rounded).reduce(add, ZERO)
  return { ...rounded, dust: subtract(endEquity, others), endEquity }
}

function amountFrom(exact: bigint): Amount {
  return (exact / UNIT) as Amount
}

/** Prices at the end; an instrument without a kline by then counts at its first open. */
function pricesOf({ priceOf }: EndedRun, { bases }: StartingHoldings): (symbol: string) => Amount {
  const opens = new Map(bases.map(({ symbol, price }) => [symbol, price]))
  return symbol => {
    const price = priceOf(symbol)
    return amountFromNumber(Number.isNaN(price) ? (opens.get(symbol) ?? 0) : price)
  }
}

function worthOfStart(
  { quote, bases }: StartingHoldings,
  priceOf: (base: StartingHoldings['bases'][number]) => Amount,
): bigint {
  return bases.reduce((sum, base) => sum + base.amount * priceOf(base), quote * UNIT)
}

/** Value of balances and contracts, in quote. */
function equityAtEnd({ ledger, quote }: EndedRun, priceOf: (symbol: string) => Amount): bigint {
  let equity = ledger.balances.of(quote) * UNIT
  for (const instrument of ledger.instruments)
    equity += ledger.balances.baseOf(instrument) * priceOf(instrument.symbol)
  for (const { instrument, position } of ledger.contracts.held) {
    const worth = baseAmount(instrument, position.quantity) * priceOf(instrument.symbol)
    const cost = position.cost * UNIT
    equity += position.direction === 'long' ? worth - cost : cost - worth
  }
  return equity
}

function openProfit({ openPositions, ledger }: EndedRun, priceOf: (symbol: string) => Amount): bigint {
  let profit = 0n
  for (const { symbol, direction, lots } of openPositions) {
    const instrument = ledger.instrument(symbol)
    for (const { quantity, price, fee } of lots) {
      const gain =
        baseAmount(instrument, quantity) * priceOf(symbol) - notionalOf(instrument, price, quantity) * UNIT
      profit += (direction === 'long' ? gain : -gain) - fee * UNIT
    }
  }
  return profit
}

function dustProfit({ fills, ledger }: EndedRun, priceOf: (symbol: string) => Amount): bigint {
  let profit = 0n
  const instrumentOf = (symbol: string): Instrument => ledger.instrument(symbol)
  for (const { symbol, base, cost } of baseFeeDust(fills, instrumentOf))
    profit += base * priceOf(symbol) - cost * UNIT
  for (const { holding } of ledger.snapshot().books) profit -= (holding.dustFee ?? ZERO) * UNIT
  return profit
}
