import { describe, expect, it } from 'vitest'
import { html } from '../../../backtest/report/html/markup.ts'
import { HOSTILE } from './wave-report.ts'

describe('html', () => {
  it('escapes text, also inside a quoted attribute', () => {
    expect(html`<p title="${'a "b" <c>'}">${"<i>&'"}</p>`.markup).toBe(
      '<p title="a &#34;b&#34; &#60;c&#62;">&#60;i&#62;&#38;&#39;</p>',
    )
  })

  it('leaves no tag of a hostile text', () => {
    expect(html`${HOSTILE}`.markup).not.toMatch(/[<>"']/)
  })

  it('inserts markup as it is, lists one after another, and nothing for what is absent', () => {
    const items = [1, 2].map(value => html`<li>${value}</li>`)
    expect(html`<ul>${items}${undefined}${false}${['&']}</ul>`.markup).toBe(
      '<ul><li>1</li><li>2</li>&#38;</ul>',
    )
  })
})
