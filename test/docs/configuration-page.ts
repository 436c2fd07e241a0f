import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { type JsonSchema, variantsOf } from '../../src/cli/schema/json-schema.ts'
import { schemaFiles } from '../../src/cli/schema/schema-files.ts'
import { type ConfigurationKey, configurationKeys } from './configuration-keys.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The configurations that have a page of reference. */
export const CONFIGURATION_NAMES = ['backtest', 'bot', 'exchange'] as const

/** One of them. */
export type ConfigurationName = (typeof CONFIGURATION_NAMES)[number]

/** The sentence that each page begins with. */
const INTRODUCTIONS = {
  backtest:
    'What `npm run backtest -- --config FILE` reads; `config/backtest.yaml` is an example with every default.',
  bot: 'What `npm start -- --config FILE` and `npm run doctor -- FILE` read; `config/paper.yaml` is an example.',
  exchange:
    'What `npm run exchange -- --config FILE` reads; `config/exchange.yaml` is an example with every default.',
} as const

const TITLES = {
  backtest: 'Configuration of a backtest',
  bot: 'Configuration of a bot',
  exchange: 'Configuration of the simulated exchange',
} as const

/** A default longer than this is told by the example alone. */
const LONGEST_DEFAULT = 60

/** The sentence of a schema that says which numbers an exact number may be. */
const EXPECTATION = /^An? (amount|rate|fraction|decimal|whole|number)/

/** What the examples leave to the neighbors of a key, by the end of its path. */
const MEANINGS: readonly (readonly [end: string, meaning: string])[] = [
  ['.minQuantity', 'Smallest quantity of one order, in base; in contracts on a futures account.'],
  ['.maxQuantity', 'Largest quantity of one order, in base; in contracts on a futures account.'],
  ['.minNotional', 'Smallest notional of one order, in quote.'],
  ['.makerFeeRate', 'Fee of an order that rests, as a fraction of its notional.'],
  ['.contractSize', 'Base of one contract.'],
  ['.takerFeeRate', 'Fee of an order that takes, as a fraction of its notional.'],
  ['.maintenanceMarginRate', 'Maintenance margin as a fraction of the notional.'],
  ['.maintenanceTiers[].upTo', 'Largest notional of the tier, in quote.'],
  ['.maintenanceTiers[].rate', 'Maintenance margin as a fraction of the notional.'],
  ['.maxPosition.quote', 'In quote, at the prices of the moment.'],
  ['.maxPosition.base', 'In base.'],
  ['.dailyLoss.rate', "Fraction of the equity at the day's start."],
  ['.drawdown.rate', 'Fraction of the highest equity.'],
  ['.spread.maxRate', 'Fraction of the price.'],
  ['venue.type', 'The simulated exchange in the process of the bot, or a real one.'],
  ['.minPrice', 'Smallest price of an order, in quote.'],
  ['.minVolume', 'Smallest volume of an order, in base.'],
  ['listings[].market', 'Where its prices come from.'],
  ['.minOrderMoney', 'Smallest notional of one order, in quote.'],
  ['.maxMarketMoney', 'Largest notional of one market order, in quote.'],
  ['.maxLimitMoney', 'Largest notional of one limit order, in quote.'],
  ['.openTakerFee', 'Fee of an order that opens and takes, as a fraction of its notional.'],
  ['.openMakerFee', 'Fee of an order that opens and rests, as a fraction of its notional.'],
  ['.closeTakerFee', 'Fee of an order that closes and takes, as a fraction of its notional.'],
  ['.closeMakerFee', 'Fee of an order that closes and rests, as a fraction of its notional.'],
  ['.maintenance[].upTo', 'Largest notional of the tier, in quote.'],
  ['.maintenance[].keepRate', 'Maintenance margin as a fraction of the notional.'],
  ['.interestRate', 'Interest rate in the funding rate of a settlement.'],
  ['.market.type', 'Where its prices come from.'],
  ['faults[].fault', 'What goes wrong; `config/exchange.yaml` has a line for each.'],
  ['.above', 'Only amounts above this, in the asset that is moved.'],
]

/** The file of a page, from the root of the project on. */
export function configurationFile(name: ConfigurationName): string {
  return `docs/reference-${name}-configuration.md`
}

/** The JSON Schema that a page is made of, without what the strategies of a project add. */
export function configurationSchema(name: ConfigurationName): JsonSchema {
  const file = schemaFiles(ROOT, []).find(({ path }) => path === join('config/schema', `${name}.json`))
  return JSON.parse(file?.text ?? '{}')
}

/** The page of reference of a configuration, as Markdown. */
export function configurationPage(name: ConfigurationName): string {
  const keys = configurationKeys(configurationSchema(name))
  const sections = [...new Set(keys.map(({ path }) => sectionOf(path)))]
  const plain = sections.filter(
    section => keys.filter(({ path }) => sectionOf(path) === section).length === 1,
  )
  return [
    `# ${TITLES[name]}`,
    INTRODUCTIONS[name],
    'In a key, `[]` stands for an entry of a list, and `*` for a name of your own: a symbol, a role, a feed or an asset. Money and rates may be written with or without quotes; both are kept exactly. `npm run docs` makes this page from the schema that the command checks the file with.',
    ...sectionLines(
      'Keys without a section',
      undefined,
      keys.filter(({ path }) => plain.includes(path)),
      keys,
    ),
    ...sections
      .filter(section => !plain.includes(section))
      .flatMap(section => {
        const [first, ...own] = keys.filter(({ path }) => sectionOf(path) === section)
        return sectionLines(`\`${section}\``, first, own, keys)
      }),
  ]
    .join('\n\n')
    .concat('\n')
}

function sectionOf(path: string): string {
  return path.split(/[.[]/)[0] ?? path
}

function sectionLines(
  title: string,
  section: ConfigurationKey | undefined,
  keys: readonly ConfigurationKey[],
  all: readonly ConfigurationKey[],
): readonly string[] {
  if (keys.length === 0) return []
  const rows = keys.map(key => rowOf(key, all))
  const table = ['| key | value | default | meaning |', '|---|---|---|---|', ...rows].join('\n')
  const meaning = section === undefined ? '' : meaningOf(section, all)
  return [`## ${title}`, ...(meaning === '' ? [] : [meaning]), table]
}

function rowOf(key: ConfigurationKey, all: readonly ConfigurationKey[]): string {
  const cells = [`\`${key.path}\``, valuesOf(key), defaultOf(key), meaningOf(key, all)]
  const row = cells.map(cell => cell.replaceAll('|', '\\|').trim()).join(' | ')
  return `| ${row} |`.replaceAll('  ', ' ')
}

/** The value that a key takes, in words. */
function valuesOf({ schemas }: ConfigurationKey): string {
  const texts = schemas.flatMap(schema =>
    schema.anyOf === undefined && schema.oneOf === undefined
      ? [typeOf(schema)]
      : variantsOf(schema)
          .filter(variant => variant.type !== undefined || variant.const !== undefined)
          .map(typeOf),
  )
  return [...new Set(texts)].join(texts.every(text => text.startsWith('`')) ? ', ' : ' or ')
}

function typeOf(schema: JsonSchema): string {
  const { type, const: only, enum: choices } = schema
  if (only !== undefined) return `\`${only}\``
  if (choices !== undefined) return choices.map(choice => `\`${choice}\``).join(', ')
  const types = (Array.isArray(type) ? type : [type]).filter(name => name !== 'null')
  if (types.includes('boolean') && types.length > 1) return 'number, text, `true` or `false`'
  if (types.includes('number') && types.includes('string')) return expectationOf(schema) ?? 'exact number'
  const [name = ''] = types
  if (name === 'integer' || name === 'number')
    return [name === 'integer' ? 'whole number' : 'number', boundsOf(schema)]
      .filter(text => text !== '')
      .join(' ')
  return WORDS[name] ?? ''
}

const WORDS: Readonly<Record<string, string>> = {
  boolean: '`true` or `false`',
  string: 'text',
  object: 'section',
  array: 'list',
}

/** Bounds of a number, in words. */
function boundsOf(schema: JsonSchema & { exclusiveMinimum?: number; exclusiveMaximum?: number }): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const largest = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  const smallest = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum
  return [
    smallest === undefined ? '' : `from ${smallest}`,
    exclusiveMinimum === undefined ? '' : `above ${exclusiveMinimum}`,
    largest === undefined ? '' : `to ${largest}`,
    exclusiveMaximum === undefined ? '' : `below ${exclusiveMaximum}`,
  ]
    .filter(text => text !== '')
    .join(' ')
}

function expectationOf({ type, description = '' }: JsonSchema): string | undefined {
  const isExact = Array.isArray(type) && type.includes('number') && type.includes('string')
  if (!isExact) return undefined
  const last = description.split('\n').at(-1) ?? ''
  return EXPECTATION.test(last) ? tidy(last.replace(/^An? /, '').replace(/\.$/, '')) : undefined
}

function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function defaultOf({ schemas, isRequired }: ConfigurationKey): string {
  if (isRequired) return 'required'
  const value = schemas.map(schema => schema.default).find(given => given !== undefined)
  if (value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)) return ''
  const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim()
  return text.length > LONGEST_DEFAULT ? 'see example' : `\`${text}\``
}

function meaningOf(
  { path, schemas, types, sameAs }: ConfigurationKey,
  all: readonly ConfigurationKey[],
): string {
  const where = types.length === 0 ? '' : `With ${types.map(type => `\`${type}\``).join(', ')}: `
  const said = [...new Set(schemas.map(descriptionOf).filter(text => text !== ''))].join(' ')
  // Keys of one strategy are explained where they are said for the whole account.
  const home = all.find(key => path === `strategies[].${key.path}`)
  const own = said === '' ? MEANINGS.find(([end]) => path.endsWith(end))?.[1] : said
  const text = own ?? (home === undefined ? '' : meaningOf(home, all))
  return `${where}${text}${sameAs === undefined ? '' : ` Keys below as those of \`${sameAs}\`.`}`.trim()
}

/** A description without the numbers that are possible, which the column of values has. */
function descriptionOf(schema: JsonSchema): string {
  const [first = '', ...more] = (schema.description ?? '').split('\n')
  if (more.length === 0 && expectationOf(schema) !== undefined) return ''
  return sentenceOf(tidy(first))
}

/** A comment of an example as a sentence that needs no example. */
function sentenceOf(comment: string): string {
  if (comment === 'A section with a type.') return ''
  const text = comment
    // The example lists the keys of a size behind these words; here each has a row.
    .replace(/Exactly one of: .*/, 'Exactly one of these, and `maxEquityFraction` with `riskFraction` only.')
    // It ends with what the next key says.
    .replace(/[;,][^;,]*:$/, '')
  if (text === '') return ''
  // A word with a colon behind it is a value of the key.
  const start = /^\w+( \([^)]*\))?:/.test(text) ? text.charAt(0) : text.charAt(0).toUpperCase()
  return `${start}${text.slice(1)}${/[.}]$/.test(text) ? '' : '.'}`
}
