import { meanOf } from '../../../src/research/statistics/sample/moments.ts'
import { quantileOf } from '../../../src/research/statistics/sample/quantile.ts'
import { fixed } from '../text/figure-text.ts'
import { html, type Markup } from './markup.ts'

const BINS = 40
const [WIDTH, HEIGHT] = [400, 160]

/** One bar: round trips with returns from `from` (included) to `to`. */
interface Bin {
  readonly from: number
  readonly to: number
  count: number
}

/** The distribution of the returns of round trips as bars; those farther out are in the first and the last bar, and counted. */
export function returnHistogram(returns: Float64Array): Markup {
  const known = returns.filter(value => !Number.isNaN(value))
  if (known.length === 0) return html`<p class="empty">No position was closed.</p>`
  const ascending = known.toSorted()
  const bins = binsOf(ascending)
  const highest = Math.max(...bins.map(({ count }) => count))
  const [low, high] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0]
  const summary = `${known.length} round trips: mean ${percent(meanOf(known), 3)}, median ${percent(quantileOf(ascending, 0.5), 3)}, from ${percent(ascending[0] ?? 0)} to ${percent(ascending.at(-1) ?? 0)}`
  const [below, above] = [
    known.filter(value => value < low).length,
    known.filter(value => value >= high).length,
  ]
  const beyond = [
    ...(below > 0 ? [`the first bar has ${below} below ${percent(low)} as well`] : []),
    ...(above > 0 ? [`the last bar has ${above} from ${percent(high)} on as well`] : []),
  ]
  const zero = ((0 - low) / (high - low)) * WIDTH
  return html`<figure class="histogram">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Distribution of returns. ${summary}">
${bins.map((bin, index) => bar(bin, index, bins, highest))}
<line class="zero" x1="${zero}" x2="${zero}" y1="0" y2="${HEIGHT}"></line></svg>
<div class="axis" aria-hidden="true"><span>${below > 0 ? '≤ ' : ''}${percent(low)}</span><span class="at-zero" style="left:${(zero / WIDTH) * 100}%">0</span><span>${above > 0 ? '≥ ' : ''}${percent(high)}</span></div>
<figcaption>${[summary, ...beyond].join('; ')}</figcaption></figure>`
}

function bar({ from, to, count }: Bin, index: number, bins: readonly Bin[], highest: number): Markup {
  const width = WIDTH / bins.length
  const height = (count / highest) * (HEIGHT - 4)
  const range = `${index === 0 ? 'the smallest' : percent(from, 3)} to ${index === bins.length - 1 ? 'the largest' : percent(to, 3)}`
  return html`<rect class="${from < 0 ? 'down' : 'up'}" x="${fixed(index * width + 0.5, 2)}" y="${fixed(HEIGHT - height, 2)}" width="${fixed(width - 1, 2)}" height="${fixed(height, 2)}"><title>${range}: ${count}</title></rect>`
}

/** Equal bins around 0, which is the border of two, over all but the outermost hundredth on both sides. */
function binsOf(ascending: Float64Array): Bin[] {
  const [low, high] = [Math.min(0, quantileOf(ascending, 0.01)), Math.max(0, quantileOf(ascending, 0.99))]
  const width = Math.max(high - low, 1e-6) / (BINS - 1)
  const below = Math.ceil(-low / width)
  const count = Math.max(1, below + Math.ceil(high / width))
  const bins = Array.from({ length: count }, (_, index) => ({
    from: (index - below) * width,
    to: (index - below + 1) * width,
    count: 0,
  }))
  for (const value of ascending) {
    const index = Math.min(count - 1, Math.max(0, Math.floor(value / width) + below))
    const bin = bins[index]
    if (bin !== undefined) bin.count++
  }
  return bins
}

function percent(value: number, decimals = 2): string {
  return `${fixed(value * 100, decimals)}%`
}
