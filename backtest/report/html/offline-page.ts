import { createHash } from 'node:crypto'
import { html, type Markup } from './markup.ts'

/** Parts of a page that is one file. */
export interface OfflinePage {
  readonly title: string
  /** Version of Sluice that made it. */
  readonly version: string
  readonly style: string
  readonly body: Markup
  /** Data that scripts read, by the id of their element; base64. */
  readonly data: Iterable<readonly [id: string, base64: string]>
  readonly scripts: readonly string[]
}

/**
 * A page of HTML that needs nothing else: it opens from a file, without a network, in light and dark. Its content policy allows
 * no request, and no script but those it brings.
 */
export function offlinePage({ title, version, style, body, data, scripts: given }: OfflinePage): string {
  const scripts = given.map(inlined)
  const head = html`<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Sluice ${version}">
<title>${title}</title>
`
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
    `<meta http-equiv="Content-Security-Policy" content="${contentPolicy(scripts)}">\n`,
    head.markup,
    `<style>\n${style}</style>\n</head>\n<body>\n`,
    body.markup,
    '\n',
    ...Array.from(
      data,
      ([id, base64]) => `<script type="application/octet-stream" id="${id}">${base64}</script>\n`,
    ),
    ...scripts.map(script => `<script>${script}</script>\n`),
    '</body>\n</html>\n',
  ].join('')
}

/** Code that is safe between script tags. */
function inlined(code: string): string {
  return code.replace(/<(?=\/script|!--)/gi, '\\x3c')
}

function contentPolicy(scripts: readonly string[]): string {
  const hashes = scripts.map(script => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  return `default-src 'none'; script-src ${hashes.join(' ')}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`
}
