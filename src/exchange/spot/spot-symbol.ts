import { z } from 'zod'
import type { Instrument } from '../../domain/instrument.ts'
import { amountOf, rateOf } from '../../domain/numbers/amount.ts'
import { Decimal } from '../../domain/numbers/decimal.ts'
import { steps, ticks } from '../../domain/numbers/grid.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { decimalField, integerField, listField } from '../wire/wire-field.ts'

/** A listed spot pair; a limit or rate that the exchange omits is `undefined`. */
export interface SpotSymbol {
  /** `BASE/QUOTE`, upper case. */
  readonly symbol: string
  /** The exchange's concatenated spelling, as used in its answers. */
  readonly wireSymbol: string
  readonly base: string
  readonly quote: string
  readonly displayName: string | undefined
  readonly pricePrecision: number
  readonly quantityPrecision: number
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

const precision = integerField(0, 18)
const optionalDecimal = decimalField.nullish()

const spotSymbol = z
  .object({
    symbol: z.string(),
    baseAsset: z.string(),
    quoteAsset: z.string(),
    SymbolName: z.string().nullish(),
    pricePrecision: precision,
    quantityPrecision: precision,
    limitPriceMin: optionalDecimal,
    limitVolumeMin: optionalDecimal,
    limitVolumeMax: optionalDecimal,
    limitAmountMin: optionalDecimal,
    /** Name of limitAmountMin on a sibling host. */
    limitMoneyMin: optionalDecimal,
    marketBuyMin: optionalDecimal,
    marketSellMin: optionalDecimal,
    feeRateMaker: optionalDecimal,
    feeRateTaker: optionalDecimal,
  })
  .transform((wire): SpotSymbol => {
    const base = wire.baseAsset.toUpperCase()
    const quote = wire.quoteAsset.toUpperCase()
    return {
      symbol: `${base}/${quote}`,
      wireSymbol: wire.symbol,
      base,
      quote,
      displayName: wire.SymbolName ?? undefined,
      pricePrecision: wire.pricePrecision,
      quantityPrecision: wire.quantityPrecision,
      minPrice: wire.limitPriceMin ?? undefined,
      minQuantity: wire.limitVolumeMin ?? undefined,
      maxQuantity: wire.limitVolumeMax ?? undefined,
      minNotional: wire.limitAmountMin ?? wire.limitMoneyMin ?? undefined,
      marketBuyMin: wire.marketBuyMin ?? undefined,
      marketSellMin: wire.marketSellMin ?? undefined,
      makerFeeRate: wire.feeRateMaker ?? undefined,
      takerFeeRate: wire.feeRateTaker ?? undefined,
    }
  })

/** Answer of the symbols endpoint. */
export const spotSymbolsResponse = z.object({ symbols: listField(spotSymbol) })

/** Fee rates for hosts that do not list them; fractions. */
export interface FallbackFeeRates {
  readonly maker: Decimal
  readonly taker: Decimal
}

/**
 * Instrument of a spot pair. Minima round up to the grid, to at least one tick and one step; without a
 * maximum the quantity is bounded by the largest safe number of steps. Throws `UsageError` if the pair lists
 * no fee rates and no fallback is given.
 */
export function instrumentOf(pair: SpotSymbol, fallback?: FallbackFeeRates): Instrument {
  const maker = pair.makerFeeRate ?? fallback?.maker
  const taker = pair.takerFeeRate ?? fallback?.taker
  if (maker === undefined || taker === undefined) {
    throw new UsageError(
      `The exchange lists no fee rates for ${pair.symbol}; give the maker and the taker rate.`,
    )
  }
  return {
    symbol: pair.symbol,
    base: pair.base,
    quote: pair.quote,
    pricePrecision: pair.pricePrecision,
    quantityPrecision: pair.quantityPrecision,
    minPrice: ticks(gridPoints(pair.minPrice, pair.pricePrecision, 'up', 1)),
    minQuantity: steps(gridPoints(pair.minQuantity, pair.quantityPrecision, 'up', 1)),
    maxQuantity: steps(gridPoints(pair.maxQuantity, pair.quantityPrecision, 'down', Number.MAX_SAFE_INTEGER)),
    minNotional: amountOf(pair.minNotional ?? '0'),
    leverage: { min: 1, max: 1 },
    accountType: 'spot',
    fees: { maker: rateOf(maker), taker: rateOf(taker), paidIn: 'received' },
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
