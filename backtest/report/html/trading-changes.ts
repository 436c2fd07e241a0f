import { scopeText } from '../../../src/domain/events/trading-hold.ts'
import { fixed, minuteText } from '../text/figure-text.ts'
import type { TradingReport } from '../trading-report.ts'
import { html, type Markup } from './markup.ts'

/** Changes beyond these are counted, not listed, so that the page stays bounded. */
const LISTED = 200

/** Every change of the trading mode with time, scope and reason; empty if there was none. */
export function tradingChangeList({ tradingChanges = [] }: TradingReport): Markup | undefined {
  if (tradingChanges.length === 0) return undefined
  const rows = tradingChanges.slice(0, LISTED).map(({ time, scope, before, mode, holds }) => {
    const reasons = holds.map(({ reason }) => reason).join(' ')
    return html`
<tr><th scope="row">${minuteText(time)}</th><td>${scopeText(scope)}</td><td>${before} → ${mode}</td><td>${reasons}</td></tr>`
  })
  const more = tradingChanges.length - LISTED
  return html`<section class="card" id="held-back"><h2>What held trading back</h2>
<div class="scroll" tabindex="0" role="region" aria-label="What held trading back"><table class="changes"><thead><tr><th scope="col">Time</th><th scope="col">For</th><th scope="col">From → to</th><th scope="col">Because</th></tr></thead>
<tbody>${rows}</tbody></table></div>${more > 0 && html`<p class="hint">and ${fixed(more, 0)} more, all in the JSON report.</p>`}</section>`
}
