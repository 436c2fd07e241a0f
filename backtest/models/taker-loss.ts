import type { FillSettings } from './fill-settings.ts'
import { fixedLoss } from './fixed-loss.ts'
import { halfSpread } from './half-spread.ts'
import type { LossModel } from './loss-model.ts'
import { volumeShareSlippage } from './volume-share-slippage.ts'

/** Loss of a taking fill by the settings: slippage plus half the spread. `stepsPerBase`: steps in one unit of volume. */
export function takerLoss(settings: FillSettings, stepsPerBase: number): LossModel {
  const { slippageRate, slippageTicks, spreadRate, spreadTicks, volumeImpact } = settings
  const fixed = fixedLoss(slippageRate, slippageTicks)
  const models = [
    ...(spreadRate > 0 || spreadTicks > 0 ? [halfSpread(spreadRate, spreadTicks)] : []),
    ...(volumeImpact > 0 ? [volumeShareSlippage(volumeImpact, stepsPerBase)] : []),
  ]
  return models.length === 0 ? fixed : sumOf([fixed, ...models])
}

function sumOf(models: readonly LossModel[]): LossModel {
  return (quantity, kline) => {
    let [rate, ticks] = [0, 0]
    for (const model of models) {
      const loss = model(quantity, kline)
      rate += loss.rate
      ticks += loss.ticks
    }
    return { rate, ticks }
  }
}
