import { html, type Markup } from './markup.ts'

interface Column {
  /** Sort key for the script. */
  readonly key: string
  readonly label: string
  /** True if a phone hides the column. */
  readonly isWide?: boolean
}

/** The columns of the list, as the script fills them. */
const COLUMNS: readonly Column[] = [
  { key: 'number', label: '#' },
  { key: 'direction', label: 'Side' },
  { key: 'entryTime', label: 'Entry' },
  { key: 'entryPrice', label: 'Price in', isWide: true },
  { key: 'exitTime', label: 'Exit', isWide: true },
  { key: 'exitPrice', label: 'Price out', isWide: true },
  { key: 'quantity', label: 'Quantity', isWide: true },
  { key: 'returns', label: 'Return' },
  { key: 'pnl', label: 'Profit' },
  { key: 'fees', label: 'Fees', isWide: true },
  { key: 'duration', label: 'Duration', isWide: true },
  { key: 'adverse', label: 'MAE', isWide: true },
  { key: 'favorable', label: 'MFE', isWide: true },
  { key: 'exitReason', label: 'Exit by', isWide: true },
  { key: 'tag', label: 'Tag', isWide: true },
  { key: 'ambiguous', label: 'Path', isWide: true },
]

/** The list of round trips, empty: the script fills, sorts and pages it. `hasPaths` says that some may depend on the path inside klines. */
export function tripTable(hasPaths: boolean): Markup {
  const heads = COLUMNS.filter(({ key }) => hasPaths || key !== 'ambiguous').map(
    ({ key, label, isWide }) =>
      html`<th scope="col" class="${isWide === true ? 'wide' : ''}" aria-sort="none"><button type="button" data-sort="${key}">${label}</button></th>`,
  )
  return html`
<div class="toolbar">
<label>Show <select id="trips-shown"><option value="all">all</option><option value="wins">wins</option><option value="losses">losses</option>${hasPaths && html`<option value="ambiguous">ambiguous</option>`}</select></label>
<span class="pager"><button type="button" data-page="first" aria-label="First page">«</button><button type="button" data-page="before" aria-label="Page before">‹</button>
<output id="trips-page"></output><button type="button" data-page="next" aria-label="Next page">›</button><button type="button" data-page="last" aria-label="Last page">»</button></span>
</div>
<div class="scroll" tabindex="0" role="region" aria-label="Round trips"><table id="trips"><thead><tr>${heads}</tr></thead><tbody></tbody></table></div>`
}
