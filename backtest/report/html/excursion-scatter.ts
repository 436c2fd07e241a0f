import type { RoundTripColumns } from '../../metrics/round-trips/round-trip-columns.ts'
import { fixed } from '../text/figure-text.ts'
import { html, type Markup } from './markup.ts'

const [WIDTH, HEIGHT] = [400, 200]
/** More round trips than these are thinned out evenly, so that the page stays bounded. */
const MOST = 3000

/** Round trips as points: how far the price went against them (to the right) and for them (up), in the colour of the result. */
export function excursionScatter({ adverse, favorable, pnl }: RoundTripColumns): Markup {
  const known = Array.from(pnl, (_, row) => row).filter(
    row => !Number.isNaN(adverse[row]) && !Number.isNaN(favorable[row]),
  )
  if (known.length === 0) return html`<p class="empty">No position was closed.</p>`
  const at = (column: Float64Array, row: number) => Math.abs(column[row] as number) // rows are inside the bounds
  const worst = Math.max(1e-6, ...known.map(row => at(adverse, row)))
  const best = Math.max(1e-6, ...known.map(row => at(favorable, row)))
  const stride = Math.ceil(known.length / MOST)
  const points = known.filter((_, place) => place % stride === 0)
  const summary = `${fixed(known.length, 0)} round trips; largest adverse excursion ${percent(worst)}, largest favorable ${percent(best)}${stride === 1 ? '' : `; one in ${stride} is drawn`}`
  return html`<figure class="histogram scatter">
<svg viewBox="-4 -4 ${WIDTH + 8} ${HEIGHT + 8}" role="img" aria-label="Adverse and favorable excursion. ${summary}">
${points.map(row => point(row))}</svg>
<div class="axis" aria-hidden="true"><span>0%</span><span>adverse (MAE) → ${percent(worst)}</span></div>
<figcaption>Up: favorable (MFE), to ${percent(best)}. ${summary}.</figcaption></figure>`

  function point(row: number): Markup {
    const [x, y] = [(at(adverse, row) / worst) * WIDTH, HEIGHT - (at(favorable, row) / best) * HEIGHT]
    const title = `round trip ${row + 1}: adverse ${percent(at(adverse, row))}, favorable ${percent(at(favorable, row))}`
    return html`<circle class="${(pnl[row] as number) < 0 ? 'down' : 'up'}" cx="${fixed(x, 2)}" cy="${fixed(y, 2)}" r="2.5"><title>${title}</title></circle>`
  }
}

function percent(value: number): string {
  return `${fixed(value * 100, 2)}%`
}
