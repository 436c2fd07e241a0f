import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { WMA } from 'trading-signals'
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../src/cli/schema/json-schema.ts'
import type { Indicator } from '../../src/indicators/indicator.ts'
import * as contract from '../../src/strategy/index.ts'
import * as streams from '../../src/streams/index.ts'
import { ROOT } from '../cli/sluice-process.ts'
import {
  CONFIGURATION_NAMES,
  configurationFile,
  configurationPage,
  configurationSchema,
} from './configuration-page.ts'
import { pageText } from './guide-pages.ts'
import { membersOf, namesOf, rowsOf, textsOf } from './page-tables.ts'

const SIGNALS = 'reference-signals.md'
const CONTEXT = 'reference-context.md'
const INDICATORS = 'reference-indicators.md'
const SIGNAL = 'src/domain/signal.ts'
const VIEW = 'src/strategy/strategy-view.ts'
const DEFINITION = 'src/strategy/strategy-definition.ts'

/** Headings of the page of signals, the types whose fields they list, and what the function itself fills in. */
const SIGNAL_TABLES: readonly (readonly [
  heading: string,
  types: readonly string[],
  filled: readonly string[],
])[] = [
  [
    '`enterLong(options)`, `enterShort(options)`',
    ['EnterSignal', 'Protection', 'OfMarket'],
    ['type', 'direction'],
  ],
  ['`exit(options)`', ['ExitSignal', 'OfMarket'], ['type']],
  ['`targetPosition(size, options)`', ['TargetSignal', 'Protection', 'OfMarket'], ['type']],
  ['`cancelEntries(options)`', ['CancelEntriesSignal', 'OfMarket'], ['type']],
  ['`protect(change)`', ['ProtectSignal', 'OfMarket'], ['type']],
  ['`keepQuotes(quotes, options)`', ['QuotesSignal', 'OfMarket'], ['type']],
  ['Quotes', ['QuoteWish'], []],
  ['Take-profit in parts', ['TakeProfitPart'], []],
  ['Trailing stops', ['TrailingDistance', 'TrailingStop'], []],
]

describe('the reference of signals', () => {
  it.each(SIGNAL_TABLES)('lists the fields of %s', (heading, types, filled) => {
    const fields = membersOf(SIGNAL, ...types).filter(field => !filled.includes(field))
    expect(namesOf(SIGNALS, heading).toSorted()).toEqual(fields.toSorted())
  })

  it('lists every kind of order with its fields', () => {
    const kinds = namesOf(SIGNALS, 'Orders').map(text => /type: ('\w+')/.exec(text)?.[1])
    const types = [...textsOf(SIGNAL, 'OrderWish'), ...textsOf(SIGNAL, 'LimitWish').slice(0, 1)]
    expect(kinds.toSorted()).toEqual(types.toSorted())
    const said = rowsOf(SIGNALS, 'Orders')
      .map(row => row.join(' '))
      .join(' ')
    const fields = membersOf(SIGNAL, 'OrderWish', 'LimitWish', 'MayTriggerAtOnce').filter(
      name => name !== 'type',
    )
    expect(fields.filter(field => !said.includes(`\`${field}\``))).toEqual([])
  })

  it('lists every size', () => {
    const sizes = namesOf(SIGNALS, 'Sizes').flatMap(text => text.match(/\w+/g) ?? [])
    expect([...new Set(sizes)].toSorted()).toEqual(membersOf(SIGNAL, 'Size').toSorted())
  })

  it('has a heading for every function that makes a signal', () => {
    const source = readFileSync(join(ROOT, 'src/strategy/signals.ts'), 'utf8')
    const made = new Set([...source.matchAll(/^export function (\w+)/gm)].map(([, name = '']) => name))
    expect(made.size).toBe(7)
    expect([...made].filter(name => !new RegExp(`^## .*\`${name}\\(`, 'm').test(pageText(SIGNALS)))).toEqual(
      [],
    )
  })
})

describe('the reference of the context', () => {
  it.each([
    ['What a strategy declares', DEFINITION, ['StrategyDeclarations', 'StrategyDefinition']],
    ['Market', VIEW, ['MarketView']],
    ['Position', VIEW, ['PositionView']],
    ['Lot', VIEW, ['LotView']],
    ['Order', VIEW, ['OrderView']],
    ['Fill', VIEW, ['FillView']],
    ['Kline', 'src/domain/market-data/kline.ts', ['Kline']],
    ['Ticker', 'src/domain/market-data/ticker.ts', ['Ticker']],
    ['Depth', 'src/domain/market-data/depth.ts', ['Depth']],
    ['Trade', 'src/domain/market-data/trade.ts', ['Trade']],
    ['Index price', 'src/domain/market-data/index-price.ts', ['IndexPrice']],
    ['Funding rate', 'src/domain/market-data/funding-rate.ts', ['FundingRate']],
    ['Instrument', 'src/domain/instrument.ts', ['Instrument']],
  ])('lists the members of %s', (heading, file, types) => {
    expect(namesOf(CONTEXT, heading).toSorted()).toEqual(membersOf(file, ...types).toSorted())
  })

  it('lists the members of the context', () => {
    const members = new Set([...membersOf(DEFINITION, 'Context'), ...membersOf(VIEW, 'StrategyView')])
    expect(namesOf(CONTEXT, 'Context').toSorted()).toEqual([...members].toSorted())
  })

  it('lists every feed with its options', () => {
    const feeds = namesOf(CONTEXT, 'Feeds').filter(text => text.includes('('))
    expect(feeds.flatMap(text => /^\w+/.exec(text) ?? []).toSorted()).toEqual(
      membersOf('src/strategy/feeds/feeds.ts', 'FeedData').toSorted(),
    )
    const options = feeds.flatMap(text => text.replace(/^\w+/, '').match(/\w+/g) ?? [])
    const kinds = ['KlineFeed', 'DepthFeed', 'Paced', 'OfMarket']
    const fields = membersOf('src/strategy/feeds/feeds.ts', ...kinds).filter(name => name !== 'type')
    expect([...new Set(options)].toSorted()).toEqual([...new Set(fields)].toSorted())
    expect(namesOf(CONTEXT, 'Feeds')).toEqual([...feeds, ...membersOf(DEFINITION, 'FeedView')])
  })

  it('lists what an order may be for, and where it may stand', () => {
    const orders = rowsOf(CONTEXT, 'Order')
    const cell = (name: string) => orders.find(([first]) => first === `\`${name}\``)?.[1]?.match(/'\w+'/g)
    expect(cell('purpose')).toEqual(textsOf('src/domain/orders/order-intent.ts', 'Purpose'))
    expect(cell('status')).toEqual(textsOf('src/domain/orders/order-status.ts', 'OrderStatus'))
  })
})

/** Indicators with arguments whose warm-ups differ wherever the formulas do. */
const MADE = {
  sma: [contract.sma(7), { period: 7 }],
  ema: [contract.ema(7), { period: 7 }],
  rsi: [contract.rsi(7), { period: 7 }],
  atr: [contract.atr(7), { period: 7 }],
  highest: [contract.highest(7), { period: 7 }],
  lowest: [contract.lowest(7), { period: 7 }],
  bollinger: [contract.bollinger(7), { period: 7 }],
  macd: [contract.macd(3, 10, 5), { fast: 3, slow: 10, signal: 5 }],
  adx: [contract.adx(7), { period: 7 }],
  stochastic: [contract.stochastic(11, 5, 3), { period: 11, smooth: 5, d: 3 }],
  volatility: [contract.volatility(7), { period: 7 }],
  plugIn: [contract.plugIn(new WMA(7), 'close'), { getRequiredInputs: () => new WMA(7).getRequiredInputs() }],
} as const satisfies Record<string, readonly [indicator: Indicator<unknown>, given: object]>

describe('the reference of indicators', () => {
  const rows = new Map(
    rowsOf(INDICATORS, 'Reference: indicators').map(row => [/^`(\w+)/.exec(row[0] ?? '')?.[1], row]),
  )

  it('lists every indicator, and every function beside them', () => {
    const source = readFileSync(join(ROOT, 'src/strategy/index.ts'), 'utf8')
    const imported = [...source.matchAll(/^export \{ (.*) \} from '\.\.\/indicators\//gm)]
      .flatMap(([, names = '']) => names.split(', '))
      .filter(name => !name.startsWith('crosses'))
    expect([...rows.keys()].toSorted()).toEqual(imported.toSorted())
    expect(Object.keys(MADE).toSorted()).toEqual(imported.toSorted())
  })

  it.each(Object.entries(MADE))(
    'says how %s is made, what it needs and what it shows',
    (name, [made, given]) => {
      const [call = '', output = '', , warmUp = ''] = rows.get(name) ?? []
      expect(call).toBe(`\`${signatureOf(name)}\``)
      const expression = warmUp.replaceAll('`', '')
      expect(runInNewContext(expression, { max: Math.max, ...given })).toBe(made.requiredKlines)
      const lines = Object.keys(made).filter(key => !['requiredKlines', 'value', 'previous'].includes(key))
      expect(lines.filter(line => !output.includes(`\`${line}\``))).toEqual([])
    },
  )
})

/** `sma(period, source = 'close')`, from the first signature in the source of an indicator. */
function signatureOf(name: string): string {
  const index = readFileSync(join(ROOT, 'src/strategy/index.ts'), 'utf8')
  const [, path = ''] = new RegExp(`^export \\{.*\\b${name}\\b.*\\} from '\\.(.*)'`, 'm').exec(index) ?? []
  const source = readFileSync(join(ROOT, 'src', path), 'utf8')
  const [, given = ''] =
    new RegExp(`^export function ${name}(?:<[^>]*>)?\\(([^)]*)\\)`, 'm').exec(source) ?? []
  const named = given
    .replaceAll(/: (?:[^,=<]|<[^>]*>)*?(?= =|,|$)/gm, '')
    .split(',')
    .map(text => text.trim())
    .filter(text => text !== '')
  return `${name}(${named.join(', ')})`
}

it('everything that strategies can import stands on a page', () => {
  const named = [SIGNALS, CONTEXT, INDICATORS, 'composition.md', 'concepts.md', 'streams.md']
  const pages = named.map(pageText).join('\n')
  const missing = Object.keys({ ...contract, ...streams }).filter(
    name => !new RegExp(`\`[^\`]*\\b${name}\\b`).test(pages),
  )
  expect(missing).toEqual([])
})

describe.each(CONFIGURATION_NAMES)('the reference of the configuration: %s', name => {
  const page = readFileSync(join(ROOT, configurationFile(name)), 'utf8')

  it('is current; `npm run docs` makes it so', () => {
    expect(page).toBe(configurationPage(name))
  })

  it('has every key of the schema, and a meaning for each', () => {
    const rows = page.split('\n').filter(line => line.startsWith('| `'))
    const keys = new Set(rows.map(row => /^\| `(?:[^`]*\.)?([^`.]+)`/.exec(row)?.[1]))
    const headings = [...page.matchAll(/^## `(\w+)`$/gm)].map(([, key]) => key)
    const missing = [...propertiesOf(configurationSchema(name))].filter(
      key => !keys.has(key) && !headings.includes(key),
    )
    expect(missing).toEqual([])
    expect(rows.filter(row => row.endsWith('| |'))).toEqual([])
  })
})

/** The names of all properties that a schema has anywhere. */
function propertiesOf(schema: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>()
  JSON.stringify(schema, (key, value) => {
    if (key === 'properties') for (const name of Object.keys(value)) names.add(name)
    return value
  })
  return names
}
