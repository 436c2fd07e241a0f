import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pageText } from './guide-pages.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The rows of the tables below a heading of a page, up to the next heading, each as its cells. */
export function rowsOf(page: string, heading: string): readonly (readonly string[])[] {
  const lines = pageText(page).split('\n')
  const start = lines.findIndex(line => line.replace(/^#+ /, '') === heading && line.startsWith('#'))
  if (start < 0) throw new Error(`${page} has no heading "${heading}".`)
  const length = lines.slice(start + 1).findIndex(line => line.startsWith('#'))
  const section = length < 0 ? lines.slice(start + 1) : lines.slice(start + 1, start + 1 + length)
  return section
    .filter(line => line.startsWith('| `'))
    .map(line =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map(cell => cell.trim()),
    )
}

/** What the rows below a heading are about: the first code of each. */
export function namesOf(page: string, heading: string): readonly string[] {
  return rowsOf(page, heading).map(([cell = '']) => /`([^`]*)`/.exec(cell)?.[1] ?? '')
}

/** The members of interfaces and types of a source file, without those of what they extend. */
export function membersOf(file: string, ...types: readonly string[]): readonly string[] {
  return types.flatMap(type => {
    const text = declarationOf(file, type)
    const isInterface = text.startsWith('interface')
    const members = text.matchAll(isInterface ? /^ {2}(?:readonly )?(\w+)\??[(:]/gm : /readonly (\w+)\??:/g)
    return [...new Set([...members].map(([, name = '']) => name))]
  })
}

/** The texts that a type of a source file allows: `'buy'` and `'sell'`. */
export function textsOf(file: string, type: string): readonly string[] {
  return [...declarationOf(file, type).matchAll(/'\w+'/g)].map(([text]) => text)
}

/** The text of a type or an interface, up to its end. */
function declarationOf(file: string, type: string): string {
  const source = `${readFileSync(join(ROOT, file), 'utf8')}\n`
  const declared = new RegExp(`^(?:export )?((?:interface|type) ${type}\\b[\\s\\S]*?)(?:\\n\\n|\\n}\\n)`, 'm')
  const found = declared.exec(source)?.[1]
  if (found === undefined) throw new Error(`${file} has no interface or type ${type}.`)
  return found
}
