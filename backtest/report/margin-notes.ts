import { amountToNumber, ZERO } from '../../src/domain/amount.ts'
import type { BacktestReport } from './backtest-report.ts'
import { fixed } from './figure-text.ts'

/** What a reader must know of a futures account, in sentences: its rules, how far it went, and what was liquidated. */
export function marginNotes({ margin, quote, funding = [] }: BacktestReport): string[] {
  if (margin === undefined) return []
  const { leverage, marginMode, positionMode, highestLeverage, highestUse, liquidations, borneLoss } = margin
  const mark =
    margin.mark === 'markKlines' ? 'klines of its own' : 'the klines that were traded on, for want of its own'
  return [
    `Futures: leverage ${leverage}, ${marginMode} margin, ${positionMode === 'oneWay' ? 'one-way' : 'two-way'} positions; the mark price came from ${mark}.`,
    `Most ever held: ${fixed(highestLeverage, 2)} × equity; at most ${fixed(highestUse * 100, 1)} % of equity was margin.`,
    ...(margin.funding === 'none'
      ? ['Funding was not charged: no rates were given.']
      : [
          `Funding was settled ${funding.length} × ${margin.funding === 'constant' ? 'at a constant rate' : 'at the rates of a list'}.`,
        ]),
    ...(liquidations.length === 0
      ? []
      : [
          `Liquidated: ${liquidations.length} × the exchange took a position over, with all the money behind it.`,
        ]),
    ...(borneLoss === ZERO
      ? []
      : [
          `The exchange bore losses of ${fixed(amountToNumber(borneLoss), 2)} ${quote} beyond the money behind positions.`,
        ]),
  ]
}
