import { z } from 'zod'
import type { Instrument } from '../../domain/instrument.ts'
import { amountOf, rateOf } from '../../domain/numbers/amount.ts'
import { Decimal } from '../../domain/numbers/decimal.ts'
import { steps, ticks, UNLIMITED_QUANTITY } from '../../domain/numbers/grid.ts'
import { partialListField } from '../wire/list-field.ts'
import { listedOf } from '../wire/listed-of.ts'
import { decimalIfGiven, integerIfGiven, optionalTextField, textField } from '../wire/wire-field.ts'

/** A listed spot pair; what the exchange omits is `undefined`. */
export interface SpotSymbol {
  /** `BASE/QUOTE`, upper case. */
  readonly symbol: string
  /** The exchange's concatenated spelling, as used in its answers. */
  readonly wireSymbol: string
  readonly base: string
  readonly quote: string
  readonly displayName: string | undefined
  readonly pricePrecision: number | undefined
  readonly quantityPrecision: number | undefined
  readonly minPrice: Decimal | undefined
  /** Base units. */
  readonly minQuantity: Decimal | undefined
  /** Base units. */
  readonly maxQuantity: Decimal | undefined
  /** Smallest notional (price × quantity), in quote. */
  readonly minNotional: Decimal | undefined
  /** Smallest amount of a market buy, in quote. */
  readonly marketBuyMin: Decimal | undefined
  /** Smallest quantity of a market sell, in base. */
  readonly marketSellMin: Decimal | undefined
  /** Fractions: 0.002 is 0.2%. */
  readonly makerFeeRate: Decimal | undefined
  readonly takerFeeRate: Decimal | undefined
}

const precision = integerIfGiven(0, 18)

const spotSymbol = z
  .object({
    symbol: textField,
    baseAsset: textField,
    quoteAsset: textField,
    SymbolName: optionalTextField,
    pricePrecision: precision,
    quantityPrecision: precision,
    limitPriceMin: decimalIfGiven,
    limitVolumeMin: decimalIfGiven,
    limitVolumeMax: decimalIfGiven,
    limitAmountMin: decimalIfGiven,
    /** Name of limitAmountMin on a sibling host. */
    limitMoneyMin: decimalIfGiven,
    marketBuyMin: decimalIfGiven,
    marketSellMin: decimalIfGiven,
    feeRateMaker: decimalIfGiven,
    feeRateTaker: decimalIfGiven,
  })
  .transform((wire): SpotSymbol => {
    const base = wire.baseAsset.toUpperCase()
    const quote = wire.quoteAsset.toUpperCase()
    return {
      symbol: `${base}/${quote}`,
      wireSymbol: wire.symbol,
      base,
      quote,
      displayName: wire.SymbolName,
      pricePrecision: wire.pricePrecision,
      quantityPrecision: wire.quantityPrecision,
      minPrice: wire.limitPriceMin,
      minQuantity: wire.limitVolumeMin,
      maxQuantity: wire.limitVolumeMax,
      minNotional: wire.limitAmountMin ?? wire.limitMoneyMin,
      marketBuyMin: wire.marketBuyMin,
      marketSellMin: wire.marketSellMin,
      makerFeeRate: wire.feeRateMaker,
      takerFeeRate: wire.feeRateTaker,
    }
  })

/** Answer of the symbols endpoint. */
export const spotSymbolsResponse = partialListField(spotSymbol, 'symbol', 'symbols')

/**
 * Instrument of a spot pair. Minima round up to the grid, to at least one tick and one step; without a
 * maximum the quantity is bounded by the largest safe number of steps. Throws `UsageError` if the exchange
 * omits a rule without which the pair cannot be traded.
 */
export function instrumentOf(pair: SpotSymbol): Instrument {
  const needed = <Value>(value: Value | undefined, rule: string) => listedOf(pair.symbol, value, rule)
  const pricePrecision = needed(pair.pricePrecision, 'pricePrecision')
  const quantityPrecision = needed(pair.quantityPrecision, 'quantityPrecision')
  return {
    symbol: pair.symbol,
    base: pair.base,
    quote: pair.quote,
    pricePrecision,
    quantityPrecision,
    minPrice: ticks(gridPoints(pair.minPrice, pricePrecision, 'up', 1)),
    minQuantity: steps(gridPoints(pair.minQuantity, quantityPrecision, 'up', 1)),
    maxQuantity: steps(gridPoints(pair.maxQuantity, quantityPrecision, 'down', UNLIMITED_QUANTITY)),
    minNotional: amountOf(needed(pair.minNotional, 'minNotional')),
    leverage: { min: 1, max: 1 },
    accountType: 'spot',
    fees: {
      maker: rateOf(needed(pair.makerFeeRate, 'makerFeeRate')),
      taker: rateOf(needed(pair.takerFeeRate, 'takerFeeRate')),
      paidIn: 'received',
    },
  }
}

/** A limit in grid steps, rounded in the given direction; `absent` if it is missing or zero. */
function gridPoints(
  limit: Decimal | undefined,
  precision: number,
  rounding: 'up' | 'down',
  absent: number,
): number {
  if (limit === undefined || limit.isZero()) return absent
  const mode = rounding === 'up' ? Decimal.ROUND_UP : Decimal.ROUND_DOWN
  const points = limit.times(new Decimal(10).pow(precision)).toDecimalPlaces(0, mode)
  return Decimal.min(points, Number.MAX_SAFE_INTEGER).toNumber()
}
