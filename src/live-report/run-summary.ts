import { figureText, fixed, valueText } from '../../backtest/report/text/figure-text.ts'
import { momentText } from '../bot/text/figures.ts'
import { utcText } from '../domain/market-data/civil-date.ts'
import { type Amount, amountToNumber, ZERO } from '../domain/numbers/amount.ts'
import { flatToFlat } from './flat-to-flat.ts'
import type { RunReport } from './run-report.ts'

/**
 * The results of a bot in a line: `demo, 2026-01-01 00:00:00 to …: 10,000.00 USDT became 10,012.30 USDT (0.12%) in 12 round
 * trips (14 fills); 1 position is open.` Where money was moved, it says how much the account has with that.
 */
export function runSummary(
  report: Pick<
    RunReport,
    'run' | 'start' | 'metrics' | 'equity' | 'quote' | 'roundTrips' | 'openPositions' | 'fills'
  >,
): string {
  const { run, start, metrics, equity, quote, roundTrips, openPositions, fills } = report
  const money = { asset: quote }
  const amountText = (amount: Amount) => valueText(amountToNumber(amount), 'money', money)
  const { startEquity, endEquity, totalReturn } = metrics.figures
  const [before, after] = [startEquity, endEquity].map(figure => figureText(figure, 'money', money))
  const end = equity.time[equity.time.length - 1] ?? start.time
  const span = `${momentText(utcText(start.time))} to ${momentText(utcText(end))}`
  const trades = flatToFlat(roundTrips).length
  const trips = countText(roundTrips.length, 'round trip')
  const traded =
    trades === roundTrips.length ? trips : `${countText(trades, 'trade')} from flat to flat, ${trips}`
  const moved =
    run.moved === ZERO
      ? ''
      : ` without the ${amountText(run.moved)} that were moved in or out or traded there by others (the account has ${amountText(run.equity)})`
  const open = `${openPositions.length} ${openPositions.length === 1 ? 'position is' : 'positions are'} open`
  return `${run.sessions.at(-1)?.session.bot}, ${span}: ${before} became ${after} (${figureText(totalReturn, 'percent', money)})${moved} in ${traded} (${countText(fills.length, 'fill')}); ${open}.`
}

function countText(count: number, noun: string): string {
  return `${fixed(count, 0)} ${noun}${count === 1 ? '' : 's'}`
}
