import { momentsOf } from '../../../src/research/statistics/sample/moments.ts'
import { DAY_MS, DAYS_PER_YEAR } from '../../metrics/convention.ts'
import { dailySeriesOf, returnsOf } from '../../metrics/returns/daily-series.ts'
import type { EquityCurve } from '../../metrics/returns/equity-curve.ts'
import { fixed, minuteText } from '../text/figure-text.ts'
import { html, type Markup } from './markup.ts'

/** Days of a window. */
const WINDOW = 30
const [WIDTH, HEIGHT] = [400, 160]
/** Points that are drawn at most. */
const MOST = 1000

/** The Sharpe ratio of the last 30 days and the deepest drawdown within them, day by day. */
export function rollingSharpe(curve: EquityCurve): Markup {
  const series = dailySeriesOf(curve)
  const windows = rollingWindows(returnsOf(series))
  const known = windows.filter(({ sharpe }) => Number.isFinite(sharpe))
  if (known.length < 2)
    return html`<p class="empty">This needs at least ${WINDOW + 1} days on which equity changes.</p>`
  const stride = Math.ceil(windows.length / MOST)
  const drawn = windows.filter((_, place) => place % stride === 0)
  const last = windows.at(-1)
  const [low, high] = [
    Math.min(0, ...known.map(({ sharpe }) => sharpe)),
    Math.max(0, ...known.map(({ sharpe }) => sharpe)),
  ]
  const deepest = Math.min(-1e-6, ...windows.map(({ drawdown }) => drawdown))
  const x = (place: number) => fixed((place / Math.max(1, drawn.length - 1)) * WIDTH, 2)
  const y = (sharpe: number) => fixed(HEIGHT - ((sharpe - low) / (high - low || 1)) * HEIGHT, 2)
  const lines = drawn.map(({ sharpe }, place) => (Number.isFinite(sharpe) ? `${x(place)},${y(sharpe)}` : ''))
  const falls = drawn.map(({ drawdown }, place) => `${x(place)},${fixed((drawdown / deepest) * HEIGHT, 2)}`)
  const first = minuteText((series.firstDay + WINDOW) * DAY_MS).slice(0, 10)
  const end = minuteText((series.firstDay + windows.length - 1 + WINDOW) * DAY_MS).slice(0, 10)
  const now = last === undefined || !Number.isFinite(last.sharpe) ? 'n/a' : fixed(last.sharpe, 2)
  const summary = `Sharpe ratio of ${WINDOW} days (annual) from ${fixed(low, 2)} to ${fixed(high, 2)}, at the end ${now}; deepest drawdown within ${WINDOW} days ${fixed(deepest * 100, 2)}%`
  return html`<figure class="histogram rolling">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${summary}">
<polygon class="fall" points="0,0 ${falls.join(' ')} ${WIDTH},0"></polygon>
<line class="zero" x1="0" x2="${WIDTH}" y1="${y(0)}" y2="${y(0)}"></line>
<polyline points="${lines.filter(point => point !== '').join(' ')}"></polyline></svg>
<div class="axis" aria-hidden="true"><span>${first}</span><span>${end}</span></div>
<figcaption>${summary} (shaded, from the top).</figcaption></figure>`
}

/** Sharpe ratio (annual, without a risk-free rate) and deepest drawdown of a window of days that ends on each day. */
export interface RollingWindow {
  /** NaN where the returns do not vary. */
  readonly sharpe: number
  /** A fraction, at most 0. */
  readonly drawdown: number
}

/** Every window of 30 days of daily returns. */
export function rollingWindows(returns: Float64Array): RollingWindow[] {
  return Array.from({ length: Math.max(0, returns.length - WINDOW + 1) }, (_, start) => {
    const window = returns.subarray(start, start + WINDOW)
    const { mean, deviation } = momentsOf(window)
    let [worth, peak, drawdown] = [1, 1, 0]
    for (const value of window) {
      worth *= 1 + value
      peak = Math.max(peak, worth)
      drawdown = Math.min(drawdown, worth / peak - 1)
    }
    return { sharpe: deviation === 0 ? Number.NaN : (mean / deviation) * Math.sqrt(DAYS_PER_YEAR), drawdown }
  })
}
