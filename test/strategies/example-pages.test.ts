import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configOfBot } from '../../src/config/load-bot-config.ts'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const PAGES = readdirSync(join(ROOT, 'docs/examples'))
  .filter(file => file !== 'README.md')
  .map(file => file.slice(0, -'.md'.length))
const TABLE = textOf('docs/examples/README.md')

/** Lines that hold more than a comment. */
function linesOfCode(text: string): number {
  return text.split('\n').filter(line => !/^\s*(\/\/.*|\/?\*.*)?$/.test(line)).length
}

describe.each(PAGES)('the example %s', name => {
  const page = () => textOf(`docs/examples/${name}.md`)

  it('is in the table, with its lines of code', () => {
    const row = TABLE.split('\n').find(line => line.startsWith(`| [${name}](${name}.md) |`))
    const [, , , lines] = row?.split('|').map(cell => cell.trim()) ?? []
    expect(lines).toBe(String(linesOfCode(textOf(`strategies/${name}.ts`))))
  })

  it('has a page whose commands name files that exist', () => {
    const files = page().match(/(strategies|config|test)\/[\w/-]+\.(ts|yaml)/g) ?? []
    expect(files).toContain(`config/examples/${name}.yaml`)
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true)
  })

  it('has a configuration that a bot can use', () => {
    expect(configOfBot(join(ROOT, `config/examples/${name}.yaml`)).bot).toBe(name)
  })
})
