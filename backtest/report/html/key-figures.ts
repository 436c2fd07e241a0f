import type { Metric } from '../../metrics/metric.ts'
import { figureText, fixed, type MoneyFormat } from '../text/figure-text.ts'
import type { TradingReport } from '../trading-report.ts'
import { html, type Markup } from './markup.ts'

/** The few most important figures. */
export function keyFigures({ metrics: { figures } }: TradingReport, money: MoneyFormat): Markup {
  const interval =
    'value' in figures.sharpeLow && 'value' in figures.sharpeHigh
      ? `95%: ${fixed(figures.sharpeLow.value, 2)} to ${fixed(figures.sharpeHigh.value, 2)}`
      : reasonOf(figures.sharpe)
  const bare = (figure: Metric) => figureText(figure, 'money', money).replace(` ${money.asset}`, '')
  const tiles = [
    tile('Total return', figureText(figures.totalReturn, 'percent', money), {
      note: `Buy and hold ${figureText(figures.buyAndHold, 'percent', money)}`,
      tone: toneOf(figures.totalReturn),
    }),
    tile(`End equity, ${money.asset}`, bare(figures.endEquity), {
      note: `from ${bare(figures.startEquity)}`,
    }),
    tile('Annual return', figureText(figures.cagr, 'percent', money), {
      note: reasonOf(figures.cagr) ?? `Volatility ${figureText(figures.volatility, 'percent', money)}`,
      tone: toneOf(figures.cagr),
    }),
    tile('Max drawdown', figureText(figures.maxDrawdown, 'percent', money), {
      note: `Longest ${figureText(figures.longestDrawdownMs, 'duration', money)}`,
    }),
    tile('Sharpe ratio', figureText(figures.sharpe, 'ratio', money), { note: interval }),
    tile('Profit factor', figureText(figures.profitFactor, 'ratio', money), {
      note: `Expectancy ${bare(figures.expectancy)}`,
    }),
    tile('Round trips', figureText(figures.roundTrips, 'count', money), {
      note: `Win rate ${figureText(figures.winRate, 'percent', money)}`,
    }),
    tile(`Fees, ${money.asset}`, bare(figures.fees), {
      note: `Break even ${figureText(figures.breakEvenFee, 'rate', money)}`,
    }),
  ]
  return html`<dl class="tiles">${tiles}</dl>`
}

interface TileDetails {
  readonly note?: string | undefined
  readonly tone?: string
}

function tile(label: string, value: string, { note, tone = '' }: TileDetails): Markup {
  return html`
<div class="tile"><dt>${label}</dt><dd class="${tone}">${value}</dd>${note && html`<dd class="note">${note}</dd>`}</div>`
}

function toneOf(figure: Metric): string {
  if (!('value' in figure) || figure.value === 0) return ''
  return figure.value > 0 ? 'gain' : 'loss'
}

function reasonOf(figure: Metric): string | undefined {
  return 'value' in figure ? undefined : figure.notAvailable
}
