import { priceText } from '../../../src/domain/numbers/grid.ts'
import type { SimulatedFill } from '../../fills/simulated-fill.ts'
import type { BacktestReport } from '../backtest-report.ts'
import { slippageRounding } from '../slippage-rounding.ts'
import { fixed, minuteText, moneyFigure } from './figure-text.ts'

/** Notes on fills that a real market would hardly have given so: without volume, and with slippage that is a whole coarse tick. */
export function fillNotes(report: BacktestReport): string[] {
  return [...volumeNotes(report), ...tickNotes(report)]
}

/** Fills on klines in which nobody traded; none where finer klines, trades, or klines without any volume were played. */
function volumeNotes({ fills, markets, manifest }: BacktestReport): string[] {
  if (manifest.detail !== undefined || manifest.markets?.some(({ detail }) => detail !== undefined)) return []
  const idle = new Map(markets.map(market => [market.instrument.symbol, idleTimes(market.klines)]))
  const quiet = fills.filter(
    ({ symbol, klineOpenTime, evidence }) => evidence === undefined && idle.get(symbol)?.has(klineOpenTime),
  )
  const [first] = quiet
  if (first === undefined) return []
  return [
    `Filled on klines without volume ${quiet.length} of ${fills.length} ×, first at ${minuteText(first.time)} UTC: nobody traded in them. fills.maxVolumeShare bounds what trades by the volume.`,
  ]
}

/** Open times of the klines without volume, if others have some. */
function idleTimes({ openTime, volume }: BacktestReport['markets'][number]['klines']): ReadonlySet<number> {
  const times = openTime.filter((_time, row) => volume[row] === 0)
  return new Set(times.length < openTime.length ? times : [])
}

/** Ticks of a price below which one tick is more than 0.5% of it. */
const FEW_TICKS = 200

/** Part of the starting equity above which the rounding of slippage is told. */
const MUCH = 0.01

/** Slippage that is due to whole ticks: where one is far more than a market has, and where their rounding cost much. */
function tickNotes(report: BacktestReport): string[] {
  const sentences = [...coarseTicks(report), ...roundingCost(report)]
  return sentences.length === 0 ? [] : [[...sentences, ADVICE].join(' ')]
}

const ADVICE =
  'Slippage is rounded to whole ticks, against you: where the market has finer prices, give it a larger pricePrecision; where it has not, limit orders pay none, and markets whose price has more ticks pay less.'

/** Note on the part of the slippage that was rounding to ticks; none unless that is most of it and much of the equity. */
function roundingCost(report: BacktestReport): string[] {
  const { slippage, rounding, worst } = slippageRounding(report)
  const { quote, equity } = report
  if (worst === undefined || rounding <= equity.startEquity * MUCH || rounding <= slippage / 2) return []
  const [part, whole] = [rounding, slippage].map(amount => moneyFigure(amount, quote))
  return [
    `Rounding to whole ticks cost ${part} of ${whole} ${quote} of slippage (${fixed((rounding / slippage) * 100, 1)}%), most of it in ${worst}.`,
  ]
}

/** Fills whose slippage was rounded to one tick, and is far more than a market has. */
function coarseTicks({ fills, markets }: BacktestReport): string[] {
  const coarse = fills.filter(isOneCoarseTick)
  const [first] = coarse
  const instrument = markets.find(market => market.instrument.symbol === first?.symbol)?.instrument
  if (first === undefined || instrument === undefined) return []
  const [before, after] = [first.priceBeforeSlippage, first.price].map(price => priceText(instrument, price))
  return [
    `Slippage was one tick of the price ${coarse.length} ×, and a tick more than 0.5% of it; first at ${minuteText(first.time)} UTC, ${before} became ${after} in ${first.symbol}.`,
  ]
}

function isOneCoarseTick({ price, priceBeforeSlippage }: SimulatedFill): boolean {
  return Math.abs(price - priceBeforeSlippage) === 1 && priceBeforeSlippage < FEW_TICKS
}
