/** Escaped HTML, safe to insert into a page; made only by `html`. */
export interface Markup {
  readonly markup: string
}

/**
 * Values allowed in an `html` template: text and numbers are escaped, `undefined` and `false` are left out.
 */
type Insertable = Markup | string | number | undefined | false | readonly Insertable[]

/** Markup from a template: everything that is inserted and is not markup itself is escaped, also inside quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly Insertable[]): Markup {
  return { markup: strings.map((text, index) => text + inserted(values[index])).join('') }
}

/** Escapes the five special characters of HTML. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

function inserted(value: Insertable): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map(inserted).join('')
}
