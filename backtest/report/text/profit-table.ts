import { type Amount, amountOf, amountToNumber, ZERO } from '../../../src/domain/numbers/amount.ts'
import { moneyDecimals } from '../../../src/domain/numbers/money-decimals.ts'
import type { ProfitSources } from '../../results/profit-sources.ts'
import { exactNumber } from '../export/exact-number.ts'
import { type MoneyFormat, moneyFigure } from './figure-text.ts'
import type { Breakdown } from './report-section.ts'

type Source = Exclude<keyof ProfitSources, 'startEquity' | 'endEquity'>

/** Every source, in the order of reports. */
const LABELS: Readonly<Record<Source, string>> = {
  roundTrips: 'Round trips, after fees',
  openPositions: 'Open positions, after fees',
  funding: 'Funding, received less paid',
  startingBase: 'Base held at the start',
  dust: 'Base below a step, left by fees in base',
  borneLoss: 'Losses that the exchange bore',
  writtenOff: 'Debt beyond all equity, written off',
  unexplained: 'Unexplained: an error in the books of this backtest',
}
const SOURCES = Object.keys(LABELS) as readonly Source[] // the keys of the literal

/** From start to final equity: every non-zero source. */
export function profitTable(profit: ProfitSources, money: MoneyFormat): Breakdown {
  const sources = SOURCES.filter(source => source === 'roundTrips' || profit[source] !== ZERO)
  return sourcesTable(
    [
      ['Start equity', profit.startEquity],
      ...sources.map(source => [LABELS[source], profit[source]] as const),
    ],
    profit.endEquity,
    money,
  )
}

/**
 * From start to final equity. Each line is rounded by itself, so that their sum may differ from the final equity in its last
 * digit; an extra line then shows the difference.
 */
export function sourcesTable(
  lines: readonly (readonly [label: string, amount: Amount])[],
  endEquity: Amount,
  { asset }: MoneyFormat,
): Breakdown {
  const shown = (amount: Amount) => {
    const value = amountToNumber(amount)
    return value.toFixed(moneyDecimals(value, asset))
  }
  // The digits that are printed, added exactly.
  const printed = lines.reduce((sum, [, amount]) => sum + amountOf(shown(amount)), 0n)
  const rest = (amountOf(shown(endEquity)) - printed) as Amount
  const all = [...lines, ...(rest === ZERO ? [] : [['Rounding of these lines', rest] as const])]
  return {
    title: 'From start to final equity',
    head: ['Source', asset],
    rows: [...all, ['Final equity', endEquity] as const].map(([label, amount]) => [
      label,
      moneyFigure(amountToNumber(amount), asset),
    ]),
  }
}

/** The sources of profit for JSON, with all their digits. */
export function profitJson(profit: ProfitSources): object {
  const { startEquity, endEquity } = profit
  const sources = SOURCES.map(source => [source, exactNumber(profit[source])])
  return {
    startEquity: exactNumber(startEquity),
    ...Object.fromEntries(sources),
    endEquity: exactNumber(endEquity),
  }
}
