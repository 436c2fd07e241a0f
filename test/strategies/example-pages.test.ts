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

/** The cells of the row that begins with a text. */
function cellsOf(text: string, begin: string): readonly string[] {
  const row = text.split('\n').find(line => line.startsWith(`| ${begin}`)) ?? ''
  return row
    .slice(1, -1)
    .split('|')
    .map(cell => cell.trim())
}

describe.each(PAGES)('the example %s', name => {
  const page = () => textOf(`docs/examples/${name}.md`)

  const inTable = () => cellsOf(TABLE, `[${name}](${name}.md)`)

  it('is in the table, with its lines of code', () => {
    const [, , lines] = inTable()
    expect(lines).toBe(String(linesOfCode(textOf(`strategies/${name}.ts`))))
  })

  it('has in the table the figures of its page', () => {
    const [, , , , roundTrips, ...others] = inTable()
    const figure = (row: string) => cellsOf(page(), row)[1]?.split(/[,;]? /, 1)[0]
    expect(roundTrips).toBe(figure('round trips'))
    const [, totalReturn] = /^\| [\d,]+ USDT became \|[^(]*\(([^,)]*)/m.exec(page()) ?? []
    const [, verdict = ''] = /^## Verdict\n[\s\S]*?^\*\*([\w ]+)/m.exec(page()) ?? []
    const said = [
      totalReturn,
      figure('buy and hold'),
      figure('drawdown'),
      figure('Sharpe ratio'),
      `[${verdict.toLowerCase()}](${name}.md#verdict)`,
    ]
    expect(others).toEqual(said.map((text, cell) => (others[cell] === 'see page' ? 'see page' : text)))
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
