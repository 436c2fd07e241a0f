import type { Instrument } from '../../src/domain/instrument.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { roundToTicks, type Steps, stepsPerBase, type Ticks } from '../../src/domain/numbers/grid.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { takerLoss } from '../models/taker-loss.ts'
import type { Execution } from './execution-price.ts'
import type { ModelFill } from './model-fill.ts'
import { NO_LOSS, type Taking, takenPrice } from './taken-price.ts'

/** What an execution of so much of an order costs on a kline, with what it loses to the market and without. */
export type FillPrices = (
  order: Taking,
  execution: Execution,
  quantity: Steps,
  kline: Kline,
) => Pick<ModelFill, 'price' | 'priceBeforeLoss'>

/** Prices on the grid of an instrument: a maker's are those of the order, a taker's are worse by what the settings say. */
export function fillPrices(instrument: Instrument, settings: FillSettings): FillPrices {
  const lossOf = takerLoss(settings)
  const inBase = stepsPerBase(instrument)
  return (order, { price, liquidity }, quantity, { volume }) => {
    if (liquidity === 'maker') {
      const own: Ticks = roundToTicks(instrument, price, 'nearest')
      return { price: own, priceBeforeLoss: own }
    }
    const loss = lossOf({ quantity, klineVolume: volume * inBase })
    return {
      price: takenPrice(instrument, order, price, loss),
      priceBeforeLoss: takenPrice(instrument, order, price, NO_LOSS),
    }
  }
}
