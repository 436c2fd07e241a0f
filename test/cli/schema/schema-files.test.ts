import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { childrenOf, type JsonSchema } from '../../../src/cli/schema/json-schema.ts'
import { schemaFiles } from '../../../src/cli/schema/schema-files.ts'
import { readYamlFile } from '../../../src/config/yaml-file.ts'
import { defineStrategy } from '../../../src/strategy/define-strategy.ts'
import { integer } from '../../../src/strategy/parameters.ts'
import { SHIPPED } from '../../shipped-files.ts'
import { loadShipped } from '../../strategies/strategy-files.ts'
import { fileWith, ROOT } from '../sluice-process.ts'

const PARTS = { backtest: 'backtest', bot: 'paper', exchange: 'exchange' } as const
const shipped = await Promise.all(
  SHIPPED.map(async name => ({ file: `strategies/${name}.ts`, strategy: await loadShipped(name) })),
)
const emitted = schemaFiles(ROOT, shipped)

function schemaOf(name: string, files = emitted): JsonSchema {
  const file = files.find(({ path }) => path === `config/schema/${name}.json`)
  return JSON.parse(file?.text ?? '{}')
}

/** Whether a file with this text is taken by the schema; without the parts that only some strategies have, which zod cannot read. */
function isTaken(name: string, yaml: string): boolean {
  const schema = z.fromJSONSchema(withoutStrategies(schemaOf(name)) as never)
  const { value } = readYamlFile(fileWith('a.yaml', yaml))
  // As an editor sees it: a key without a value has the value null.
  return schema.safeParse(JSON.parse(JSON.stringify(value, (_, part) => part ?? null))).success
}

/** Without the strategies of a project, which are its user's. */
const withoutStrategies = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, part) => (key === 'allOf' || key === 'examples' ? undefined : part)),
  )

describe.each(Object.keys(PARTS) as (keyof typeof PARTS)[])('config/schema/%s.json', name => {
  const onDisk: JsonSchema = JSON.parse(readFileSync(join(ROOT, `config/schema/${name}.json`), 'utf8'))

  it('is current; `npm run schema` makes it so', () => {
    expect(withoutStrategies(onDisk)).toEqual(withoutStrategies(schemaOf(name)))
    const known = onDisk.properties?.strategies?.items?.allOf ?? []
    expect(known).toEqual(expect.arrayContaining(schemaOf(name).properties?.strategies?.items?.allOf ?? []))
  })

  it('describes every key', () => {
    expect(undescribed(onDisk)).toEqual([])
  })

  it('takes the configuration that comes with Sluice, which names it', () => {
    const text = readFileSync(join(ROOT, `config/${PARTS[name]}.yaml`), 'utf8')
    expect(text.split('\n')[0]).toBe(`# yaml-language-server: $schema=schema/${name}.json`)
    expect(isTaken(name, text)).toBe(true)
  })
})

describe('what the schemas take', () => {
  it.each([
    ['backtest', 'size: { quote: 100 }', 'size: { quote: 100, base: 1 }'],
    [
      'backtest',
      'size: { riskFraction: 0.01, maxEquityFraction: 0.95 }',
      'size: { equityFraction: 0.5, maxEquityFraction: 0.95 }',
    ],
    ['backtest', 'size: { riskFraction: 0.01 }', 'size: { maxEquityFraction: 0.95 }'],
    ['backtest', 'fills: { path: ohlc }', 'fills: { pth: ohlc }'],
    ['backtest', 'fills: { slippageRate: "0.001" }', 'fills: { slippageTicks: "1" }'],
    ['backtest', 'account: { balance: { USDT: 5 } }', 'account: { type: cash }'],
    [
      'backtest',
      'instruments: { BTC/USDT: { pricePrecision: 3 } }',
      'instruments: { BTC/USDT: { price: 3 } }',
    ],
    ['exchange', 'faults:', 'faults: 3'],
    [
      'exchange',
      'listings: [{ symbol: A/B, market: { type: file, file: a.csv } }]',
      'listings: [{ symbol: A/B, market: { type: klines, klines: [] } }]',
    ],
    [
      'exchange',
      'listings: [{ symbol: A/B, market: { type: tickFile, file: a.csv } }]',
      'listings: [{ symbol: A/B, market: { type: ticks, trades: [] } }]',
    ],
  ])('%s: %s, and not %s', (name, right, wrong) => {
    expect([isTaken(name, right), isTaken(name, wrong)]).toEqual([true, false])
  })

  it('knows the parameters of each strategy', () => {
    const strategy = defineStrategy({
      name: 'dip',
      parameters: { depth: integer({ default: 3, min: 1, max: 9, description: 'How deep.' }) },
    })
    const files = schemaFiles(ROOT, [{ file: 'strategies/dip.ts', strategy }])
    const { allOf, properties } = schemaOf('bot', files).properties?.strategies?.items ?? {}
    expect(properties?.file?.examples).toEqual(['strategies/dip.ts'])
    expect(allOf).toEqual([
      {
        if: { properties: { file: { const: 'strategies/dip.ts' } }, required: ['file'] },
        // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name.
        then: {
          properties: {
            parameters: {
              type: ['object', 'null'],
              description: 'Parameters of dip.',
              properties: {
                depth: { type: 'integer', minimum: 1, maximum: 9, default: 3, description: 'How deep.' },
              },
              additionalProperties: false,
            },
          },
        },
      },
    ])
  })
})

function undescribed(schema: JsonSchema, path = ''): readonly string[] {
  return childrenOf(schema).flatMap(([step, child]) => {
    const isKey = step !== '[]' && step !== '*' && child.const === undefined
    const own = isKey && child.description === undefined ? [`${path}.${step}`] : []
    return [...own, ...undescribed(child, `${path}.${step}`)]
  })
}
