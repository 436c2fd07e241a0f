import type { Instrument } from '../../src/domain/instrument.ts'
import { type Amount, add, amountToNumber, ZERO } from '../../src/domain/numbers/amount.ts'
import { priceOf, quantityOf } from '../../src/domain/numbers/grid.ts'
import type { Position } from '../../src/domain/position.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import { meanOf } from '../../src/research/statistics/sample/moments.ts'
import { exposureOf } from './exposure.ts'
import type { ReplayedMarket } from './market.ts'
import { type Metric, metric, metricOfAtLeast, notAvailable } from './metric.ts'
import type { DailySeries } from './returns/daily-series.ts'
import { type EquityCurve, endOf } from './returns/equity-curve.ts'
import type { CostedFill } from './round-trips/costed-fill.ts'
import type { RoundTripColumns } from './round-trips/round-trip-columns.ts'
import type { RoundTripTotals } from './round-trips/round-trip-totals.ts'

/** Volume and costs of trading. Money in quote, rates as fractions. */
export interface TradingMetrics {
  /** Fraction of the time in which a position was open. */
  readonly exposure: Metric
  readonly fills: Metric
  /** Price × quantity of all fills. */
  readonly volume: Metric
  /** Volume ÷ mean daily equity: how often the account was turned over. */
  readonly turnover: Metric
  /** Fees of all round trips and of open positions; a fee in base counts at its fill's price. */
  readonly fees: Metric
  /** Net funding paid; negative if more was received. */
  readonly funding: Metric
  /** Loss of fills against the price without slippage. */
  readonly slippage: Metric
  /**
   * The fee rate at which the round trips would have earned nothing, all else equal: their profit before fees
   * ÷ the notional of their entries and exits. Below 0 if they lose even without fees.
   */
  readonly breakEvenFee: Metric
  /**
   * The extra slippage per entry and exit, as a fraction of the price, at which nothing would have been
   * earned: profit after fees ÷ the notional of entries and exits. Below 0 if nothing was earned anyway.
   */
  readonly breakEvenSlippage: Metric
}

export interface TradingInput {
  readonly curve: EquityCurve
  readonly series: DailySeries
  readonly markets: readonly ReplayedMarket[]
  readonly roundTrips: readonly RoundTrip[]
  readonly totals: RoundTripTotals
  readonly columns: RoundTripColumns
  readonly fills: readonly CostedFill[]
  /** Positions still open at the end. */
  readonly openPositions: readonly Position[]
  /** Net funding paid, in quote; `undefined` if the run does not report it. */
  readonly funding: Amount | undefined
}

/** Trading metrics of a run. */
export function tradingMetrics(input: TradingInput): TradingMetrics {
  const { series, markets, totals, columns, fills, openPositions } = input
  const volume = volumeOf(fills, markets)
  const openFees = openPositions.flatMap(({ lots }) => lots.map(({ fee }) => fee))
  const perVolume = (money: number) =>
    metricOfAtLeast(1, 'round trip', totals.count, () => money / (meanOf(columns.volume) * totals.count))
  return {
    exposure: metric(exposureOver(input)),
    fills: metric(fills.length),
    volume: metric(volume),
    turnover: metricOfAtLeast(1, 'day', series.values.length, () => volume / meanOf(series.values)),
    fees: metric(amountToNumber(openFees.reduce(add, totals.fees))),
    funding: fundingOf(input),
    slippage: slippageOf(fills),
    breakEvenFee: perVolume(totals.grossProfit),
    breakEvenSlippage: perVolume(totals.netProfit),
  }
}

function exposureOver({ curve, roundTrips, openPositions }: TradingInput): number {
  const end = endOf(curve).time
  const open = openPositions.flatMap(({ lots }) =>
    lots.map(({ time }) => ({ entryTime: time, exitTime: end })),
  )
  return exposureOf(open.length === 0 ? roundTrips : [...roundTrips, ...open], curve.startTime, end)
}

/** Price × quantity of all fills; `NaN` where a market is missing. */
function volumeOf(fills: readonly CostedFill[], markets: readonly ReplayedMarket[]): number {
  let volume = 0
  let instrument: Instrument | undefined
  for (let row = 0; row < fills.length; row++) {
    const { symbol, price, quantity } = fills[row] as CostedFill // inside the bounds
    if (instrument?.symbol !== symbol) {
      instrument = markets.find(market => market.instrument.symbol === symbol)?.instrument
    }
    if (instrument === undefined) return Number.NaN
    volume += priceOf(instrument, price) * quantityOf(instrument, quantity)
  }
  return volume
}

function fundingOf({ funding, markets }: TradingInput): Metric {
  if (funding !== undefined) return metric(amountToNumber(funding))
  const isSpot = markets.every(({ instrument }) => instrument.accountType === 'spot')
  return notAvailable(isSpot ? 'a spot account pays no funding' : 'the run does not charge funding')
}

function slippageOf(fills: readonly CostedFill[]): Metric {
  let sum = ZERO
  for (const { slippage } of fills) {
    if (slippage === undefined) return notAvailable('the fills do not tell what they lost to slippage')
    sum = add(sum, slippage)
  }
  return metric(amountToNumber(sum))
}
