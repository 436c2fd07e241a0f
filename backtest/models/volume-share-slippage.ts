import type { LossModel } from './loss-model.ts'

/**
 * Slippage that grows with the square of a fill's share of its kline's volume: `impact × share²` of the
 * price, with a share of at most 1 (and of 1 on a kline without volume). The formula of `VolumeShareSlippage`
 * in zipline, whose default `price_impact` is 0.1. `stepsPerBase`: steps in one unit of volume.
 */
export function volumeShareSlippage(impact: number, stepsPerBase: number): LossModel {
  return (quantity, { volume }) => {
    const klineVolume = volume * stepsPerBase
    const share = quantity < klineVolume ? quantity / klineVolume : 1
    return { rate: impact * share * share, ticks: 0 }
  }
}
