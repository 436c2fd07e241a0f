import { amountToNumber } from '../../src/domain/numbers/amount.ts'
import { stepsPerBase } from '../../src/domain/numbers/grid.ts'
import type { LossModel } from '../models/loss-model.ts'
import { takerLoss } from '../models/taker-loss.ts'
import type { BacktestReport } from './backtest-report.ts'

/** Slippage and spread that a run paid, and the part of it that comes from rounding prices to whole ticks; quote. */
export interface SlippageRounding {
  readonly slippage: number
  readonly rounding: number
  /** Symbol of the market whose rounding cost most; `undefined` without any. */
  readonly worst: string | undefined
}

/**
 * Compares the slippage of each fill with what the settings ask for before it is rounded. A fill whose kline the report does
 * not have counts as one on a kline without volume.
 */
export function slippageRounding({ fills, markets, fillSettings }: BacktestReport): SlippageRounding {
  const roundings = new Map<string, number>()
  const models = new Map<string, LossModel>()
  const volumes = new Map<string, ReadonlyMap<number, number>>()
  if (fillSettings !== undefined)
    for (const { instrument, klines } of markets) {
      models.set(instrument.symbol, takerLoss(fillSettings, stepsPerBase(instrument)))
      const volumeAt = Array.from(klines.openTime, (time, row) => [time, klines.volume[row] ?? 0] as const)
      if (fillSettings.volumeImpact > 0) volumes.set(instrument.symbol, new Map(volumeAt))
    }
  let slippage = 0
  for (const { symbol, price, priceBeforeSlippage, quantity, klineOpenTime, ...fill } of fills) {
    const lost = Math.abs(price - priceBeforeSlippage)
    if (lost === 0) continue
    const paid = amountToNumber(fill.slippage)
    slippage += paid
    const volume = volumes.get(symbol)?.get(klineOpenTime) ?? 0
    const loss = models.get(symbol)?.(quantity, { volume })
    if (loss === undefined) continue
    const asked = priceBeforeSlippage * loss.rate + loss.ticks
    const rounding = Math.max(0, 1 - asked / lost) * paid
    roundings.set(symbol, (roundings.get(symbol) ?? 0) + rounding)
  }
  const [worst] = [...roundings].sort(([, one], [, other]) => other - one)
  return {
    slippage,
    rounding: [...roundings.values()].reduce((sum, part) => sum + part, 0),
    worst: worst?.[0],
  }
}
