import type { Figures } from '../../metrics/metrics.ts'
import { figureText, type MoneyFormat } from '../text/figure-text.ts'
import { type DescribedMetric, METRIC_GROUPS } from '../text/metric-group.ts'
import { html, type Markup } from './markup.ts'

/** Every metric in cards by group; the meaning of each shows where its name is pointed at or focused. */
export function metricCards(figures: Figures, money: MoneyFormat): Markup {
  const cards = METRIC_GROUPS.map(
    ({ title, metrics }) => html`
<section class="card metrics"><h3>${title}</h3><dl>${metrics.map(metric => row(metric, figures, money))}</dl></section>`,
  )
  return html`<div class="cards">${cards}</div>`
}

function row({ key, label, unit, meaning }: DescribedMetric, figures: Figures, money: MoneyFormat): Markup {
  const figure = figures[key]
  const id = `meaning-${key}`
  return html`
<div class="figure"><dt><span class="term" tabindex="0" aria-describedby="${id}">${label}</span><span class="meaning" role="tooltip" id="${id}">${meaning}</span></dt>
<dd>${figureText(figure, unit, money)}${'notAvailable' in figure && html`<small>${figure.notAvailable}</small>`}</dd></div>`
}
