import type { Instrument } from '../../src/domain/instrument.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { roundToTicks, type Steps, stepsPerBase, type Ticks } from '../../src/domain/numbers/grid.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { takerLoss } from '../models/taker-loss.ts'
import type { ExecutionPrice } from './execution-price.ts'
import type { ModelFill } from './model-fill.ts'
import { NO_LOSS, type Taking, takenPrice } from './taken-price.ts'

/** Price of an execution on a kline, with and without its loss to the market. */
export type FillPrices = (
  order: Taking,
  execution: ExecutionPrice,
  quantity: Steps,
  kline: Kline,
) => Pick<ModelFill, 'price' | 'priceBeforeSlippage'>

/**
 * Prices on the grid of an instrument. A maker trades at the price of its order; a taker's price is worse by
 * the loss of the settings.
 */
export function fillPrices(instrument: Instrument, settings: FillSettings): FillPrices {
  const lossOf = takerLoss(settings, stepsPerBase(instrument))
  return (order, { price, liquidity }, quantity, kline) => {
    if (liquidity === 'maker') {
      const own: Ticks = roundToTicks(instrument, price, 'nearest')
      return { price: own, priceBeforeSlippage: own }
    }
    const loss = lossOf(quantity, kline)
    return {
      price: takenPrice(instrument, order, price, loss),
      priceBeforeSlippage: takenPrice(instrument, order, price, NO_LOSS),
    }
  }
}
