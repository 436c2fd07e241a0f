import { rulesOf } from '../../../src/domain/account-rules.ts'
import { amountToNumber, ZERO } from '../../../src/domain/numbers/amount.ts'
import type { BacktestReport } from '../backtest-report.ts'
import { fixed, moneyFigure } from './figure-text.ts'
import type { ContractReport, MarginReport } from './margin-report.ts'

const MARKS: Readonly<Record<MarginReport['mark'], string>> = {
  markKlines: 'the mark price came from klines of its own',
  tradedKlines: 'the mark price came from the klines that were traded on, for want of its own',
  recordedMarks: 'the mark price was recorded with the ticks',
  recordedTicks:
    'the mark price came from the ticks that were traded on (the last trade, or else the middle of the order book), for want of its own',
  various: 'the mark price was its own where there is one, otherwise that of what was traded on',
}

const RATES: Readonly<Record<MarginReport['funding'], string>> = {
  none: 'at no rate',
  constant: 'at a constant rate',
  list: 'at the rates of a list',
  various: 'at rates that differ by contract',
}

const NO_INTEREST =
  'Margin: no interest was charged on what was borrowed, because the exchange publishes no rates of it.'

/**
 * Rules, leverage and margin use of a futures account in sentences, and what a margin account was not charged.
 * Liquidations are among the warnings.
 */
export function marginNotes({ margin, markets, quote, funding = [] }: BacktestReport): string[] {
  const borrowed = markets.some(({ instrument }) => rulesOf(instrument).boundBy === 'leverage')
    ? [NO_INTEREST]
    : []
  if (margin === undefined) return borrowed
  const { leverage, marginMode, positionMode, highestLeverage, highestUse, borneLoss } = margin
  const { contracts = [] } = margin
  return [
    ...borrowed,
    `Futures: leverage ${leverage}, ${marginMode} margin, ${positionMode === 'oneWay' ? 'one-way' : 'two-way'} positions; ${MARKS[margin.mark]}.`,
    `Most ever held: ${fixed(highestLeverage, 2)} × equity; at most ${fixed(highestUse * 100, 1)}% of equity was margin.`,
    margin.funding === 'none'
      ? 'Funding was not charged: no rates were given.'
      : `Funding was settled ${funding.length} × ${RATES[margin.funding]}${marginMode === 'isolated' ? ', from the margin of each position' : ''}.`,
    ...contracts.map(contract => contractText(contract, margin, quote)),
    ...(borneLoss === ZERO
      ? []
      : [
          `The exchange bore losses of ${moneyFigure(amountToNumber(borneLoss), quote)} ${quote} beyond the money behind positions.`,
        ]),
  ]
}

/** `BTC/USDT: funding was settled 12 × and cost 3.21 USDT.` */
function contractText(
  { symbol, mark, funding, settlements, paid }: ContractReport,
  all: MarginReport,
  quote: string,
) {
  const own = all.mark === 'various' ? `; ${MARKS[mark]}` : ''
  if (funding === 'none') return `${symbol}: no funding, for want of rates${own}.`
  const cost = amountToNumber(paid)
  const done = cost < 0 ? 'brought' : 'cost'
  return `${symbol}: funding was settled ${settlements} × ${RATES[funding]} and ${done} ${moneyFigure(Math.abs(cost), quote)} ${quote}${own}.`
}
