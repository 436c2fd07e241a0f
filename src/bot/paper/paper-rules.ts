import type { Instrument } from '../../domain/instrument.ts'
import { amountToText, ZERO } from '../../domain/numbers/amount.ts'
import { priceText, quantityText, UNLIMITED_QUANTITY } from '../../domain/numbers/grid.ts'
import type { SpotSymbol } from '../../exchange/spot/spot-symbol.ts'
import { LARGEST_LEVERAGE } from '../../simulator/futures/futures-settings.ts'
import type { ToldRules } from '../../simulator/live/market-observation.ts'
import type { SimulatorConfigInput } from '../../simulator/simulator-config.ts'

/** A pair of the paper exchange with the rules that the bot trades it by. */
export function paperListing(instrument: Instrument): NonNullable<SimulatorConfigInput['listings']>[number] {
  const { symbol, pricePrecision, quantityPrecision, minPrice, minQuantity, maxQuantity } = instrument
  return {
    ...{ symbol, pricePrecision, quantityPrecision, market: { type: 'live' } },
    minPrice: priceText(instrument, minPrice),
    minVolume: quantityText(instrument, minQuantity),
    ...(maxQuantity < UNLIMITED_QUANTITY && { maxVolume: quantityText(instrument, maxQuantity) }),
    minNotional: amountToText(instrument.minNotional),
    makerFeeRate: amountToText(instrument.fees.maker),
    takerFeeRate: amountToText(instrument.fees.taker),
  }
}

const RULES = ['minPrice', 'minQuantity', 'minNotional', 'makerFeeRate', 'takerFeeRate'] as const

/** Changes between two lists of a pair; `undefined` now: it is halted. */
export function pairRules(before: SpotSymbol, now: SpotSymbol | undefined): ToldRules {
  const { pricePrecision, quantityPrecision } = now ?? before
  const changed = RULES.flatMap(rule => {
    const is = now?.[rule]?.toString()
    return is === undefined || is === before[rule]?.toString() ? [] : [[rule, is] as const]
  })
  return {
    isTrading: now !== undefined,
    ...(pricePrecision !== undefined && pricePrecision !== before.pricePrecision && { pricePrecision }),
    ...(quantityPrecision !== undefined &&
      quantityPrecision !== before.quantityPrecision && { quantityPrecision }),
    ...Object.fromEntries(changed),
  }
}

/** The rules of a market as they are now; an account that goes on has those of its last moment. */
export function presentRules(market: 'spot' | 'futures', instrument: Instrument): ToldRules {
  if (market === 'futures') return { isTrading: true }
  const { pricePrecision, quantityPrecision, minPrice, minQuantity, minNotional, fees } = instrument
  return {
    ...{ isTrading: true, pricePrecision, quantityPrecision },
    minPrice: priceText(instrument, minPrice),
    minQuantity: quantityText(instrument, minQuantity),
    minNotional: amountToText(minNotional),
    makerFeeRate: amountToText(fees.maker),
    takerFeeRate: amountToText(fees.taker),
  }
}

type ContractInput = NonNullable<NonNullable<SimulatorConfigInput['futures']>['contracts']>[number]

/** A contract of the paper exchange, by its name at the host, with the rules that the bot trades it by. */
export function paperContract(name: string, instrument: Instrument): ContractInput {
  const { pricePrecision, contractSize, minQuantity, maxQuantity, minNotional, leverage, fees } = instrument
  const [maker, taker] = [amountToText(fees.maker), amountToText(fees.taker)]
  return {
    ...{ symbol: name, pricePrecision, market: { type: 'live' } },
    multiplier: amountToText(contractSize ?? ZERO),
    minOrderVolume: minQuantity,
    minOrderMoney: amountToText(minNotional),
    maxMarketVolume: maxQuantity,
    maxLimitVolume: maxQuantity,
    // A host may list no bounds; its own refusal is not known here.
    minLever: Math.max(1, leverage.min),
    maxLever: Math.min(LARGEST_LEVERAGE, leverage.max),
    ...{ openTakerFee: taker, openMakerFee: maker, closeTakerFee: taker, closeMakerFee: maker },
    ...maintenanceOf(instrument),
  }
}

/** The configured tiers; without them those of the simulated exchange. */
function maintenanceOf({ futures }: Instrument): Pick<ContractInput, 'maintenance'> {
  if (futures === undefined || futures.maintenance.length === 0) return {}
  const tiers = futures.maintenance.map(({ upTo, rate }) => ({
    ...(upTo !== undefined && { upTo: amountToText(upTo) }),
    keepRate: amountToText(rate),
  }))
  return { maintenance: tiers }
}
