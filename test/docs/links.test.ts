import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })

describe.each(DOCUMENTS)('the links of %s', document => {
  const text = readFileSync(join(ROOT, document), 'utf8')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)

  it('lead to files and headings', () => {
    const inside = links.filter(link => !/^https?:/.test(link))
    expect(inside.filter(link => !leadsSomewhere(document, link))).toEqual([])
  })
})

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const file = path === '' ? document : join(dirname(document), path)
  if (!existsSync(join(ROOT, file))) return false
  return heading === undefined || headingsOf(readFileSync(join(ROOT, file), 'utf8')).includes(heading)
}

/** The names of the headings of a page, as GitHub makes them. */
function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
