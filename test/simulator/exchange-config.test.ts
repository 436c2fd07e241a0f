import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readExchangeInput } from '../../src/cli/exchange/exchange-input.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { simulatorConfigOf, simulatorConfigSchema } from '../../src/simulator/simulator-config.ts'
import { fileWith } from '../cli/sluice-process.ts'

const FILE = readFileSync('config/exchange.yaml', 'utf8')
const LINES = FILE.split('\n')
/** A comment without a space after its mark is an example. */
const MARK = /^(\s*)#(?=[^\s#])/
const EXAMPLES = LINES.flatMap((line, index) => (MARK.test(line) ? [{ index, line: line.trim() }] : []))

const DATA = {
  'data/eth-usdt-1m.csv.gz': 'idx,open,high,low,close,vol\n1704067200000,1,3,1,2,5\n',
  'data/eth-usdt-trades.csv': 'local_ns,exch_ms,trade_id,price,qty,buyer_is_maker\n1,1704067200000,3,5,6,1\n',
  'data/eth-usdt-quotes.csv':
    'local_ns,exch_ms,update_id,bid,bid_qty,ask,ask_qty\n1,1704067200000,3,4,1,6,2\n',
}

/** The file with one of its examples in force; the data it names is there. */
function fileWithExample(example: number): string {
  const lines = LINES.map((line, index) => (index === example ? line.replace(MARK, '$1') : line))
  const text = Object.entries(DATA).reduce((whole, [name, content]) => {
    const path = fileWith(name.replace('data/', '').replace('.gz', ''), content)
    return whole.replaceAll(name, path)
  }, lines.join('\n'))
  return fileWith('exchange.yaml', text)
}

interface Schema {
  readonly def: {
    readonly type: string
    readonly shape?: Readonly<Record<string, Schema>>
    readonly innerType?: Schema
    readonly in?: Schema
    readonly element?: Schema
    readonly options?: readonly Schema[]
    readonly valueType?: Schema
  }
}

/** The names of all keys anywhere in a schema. */
function keysOf({ def }: Schema): string[] {
  const inner = [def.innerType, def.in, def.element, def.valueType, ...(def.options ?? [])]
  const own = Object.entries(def.shape ?? {}).flatMap(([key, schema]) => [key, ...keysOf(schema)])
  return [...own, ...inner.flatMap(schema => (schema === undefined ? [] : keysOf(schema)))]
}

/** What can only be handed over by a program: the file has the paths of files instead. */
const NOT_WRITTEN = ['klines', 'trades', 'quotes']

describe('config/exchange.yaml', () => {
  it('has an example that differs from the default for every line without a space after its #', () => {
    expect(EXAMPLES.length).toBeGreaterThan(30)
  })

  it.each(EXAMPLES)('can be used with the example $line', async ({ index }) => {
    const config = simulatorConfigOf(await readExchangeInput(fileWithExample(index)))
    expect(config).not.toEqual(simulatorConfigOf({}))
  })

  it('shows every key there is', () => {
    const keys = new Set(keysOf(simulatorConfigSchema as unknown as Schema)) // what every schema of zod has
    expect(keys.size).toBeGreaterThan(100)
    const isShown = (key: string) => new RegExp(`(^|[\\s{#])${key}:`, 'm').test(FILE)
    expect([...keys].filter(key => !isShown(key) && !NOT_WRITTEN.includes(key))).toEqual([])
  })
})

describe('a configuration that cannot be used', () => {
  const problemOf = async (text: string): Promise<string> => {
    const path = fileWith('exchange.yaml', text)
    try {
      await readExchangeInput(path)
    } catch (error) {
      if (error instanceof UsageError) return error.message.replaceAll(`${path}:`, '')
      throw error
    }
    return 'none'
  }

  it.each([
    ['lisitngs: []', '1:1: The key "lisitngs" is unknown. Did you mean "listings"?'],
    ['seed: abc', '1:7: seed must be a whole number of at least 0, but it is the text "abc".'],
    [
      'listings: [{ symbol: BTC/USDT, pricePrecison: 3 }]',
      '1:32: The key "pricePrecison" is unknown. Did you mean "pricePrecision"?',
    ],
    [
      'listings: [{ symbol: BTC/USDT, minPrice: 0 }]',
      '1:12: listings[0] cannot be used. The minPrice must be above 0.',
    ],
    [
      'listings: [{ symbol: BTC/USDT, makerFeeRate: 2 }]',
      '1:46: listings[0].makerFeeRate must be a rate above -1 and below 1 (0.001 is 0.1%), with at most 18 decimals, but it is 2.',
    ],
    [
      'listings: [{ symbol: BTC/USDT, priceBandRate: -1 }]',
      '1:47: listings[0].priceBandRate must be a rate above 0 (0.1 is 10%), with at most 18 decimals, but it is -1.',
    ],
    [
      'listings: [{ symbol: BTC/USDT }, { symbol: BTC/USDT }]',
      '1:44: listings[1].symbol is listed twice; give each its own.',
    ],
    [
      'listings: [{ symbol: A/B, market: { type: file, file: none.csv } }]',
      '1:55: The kline file none.csv does not exist; give the path of a',
    ],
    [
      'accounts:\n  - { apiKey: a, apiSecret: b, balances: {} }\n  - { apiKey: a, apiSecret: c, balances: {} }',
      '3:15: accounts[1].apiKey is the key of another account already; give each its own.',
    ],
    [
      'accounts: [{ apiKey: a, apiSecret: b, balances: { USDT: -5 } }]',
      '1:57: accounts[0].balances.USDT must be an amount of at least 0, but it is -5.',
    ],
    [
      'accounts: [{ apiKey: a, apiSecret: b, balances: { usdt: 5 } }]',
      '1:51: The key "usdt" of accounts[0].balances must be the name of an asset in capitals, such as USDT.',
    ],
    [
      'faults:\n  - { fault: changedPrecision, symbol: XYZ/USDT, pricePrecision: 1 }',
      '2:40: faults[0].symbol is XYZ/USDT, which is not listed.',
    ],
    [
      'faults: [{ fault: delay, delayMs: 5, from: +2h, until: +1h }]',
      '1:56: faults[0].until must be after from.',
    ],
    [
      'futures:\n  contracts:\n    - { symbol: E-XYZ-USDT }',
      '3:7: futures.contracts[0] follows the spot pair XYZ/USDT, which is not listed; list it, or give the contract a market of its own.',
    ],
    [
      'futures: { contracts: [{ symbol: E-BTC-USDT }, { symbol: E-BTC-USDT }] }',
      '1:58: futures.contracts[1].symbol is listed twice; give each its own.',
    ],
    [
      'limits: { firstBanMs: 500, longestBanMs: 100 }',
      '1:42: limits.longestBanMs must be at least as long as firstBanMs, 500.',
    ],
    [
      'margin: { maxLeverage: 10, liquidationRatio: 1.2 }',
      '1:46: margin.liquidationRatio must be below 10 / (10 - 1), about 1.1111: that is the ratio of an account that has borrowed all that its maxLeverage allows.',
    ],
    [
      'margin: { maxLeverage: 0.5 }',
      '1:24: margin.maxLeverage must be a number of at least 1, but it is 0.5.',
    ],
    [
      'transfers: { failures: [{ form: EXCHANGE }] }',
      '1:27: The key "form" is unknown. Did you mean "from"?',
    ],
    [
      'correlation: { symbols: [ETH/USDT], matrix: [[1]] }',
      '1:25: correlation.symbols have ETH/USDT, which is no listing with a generated market.',
    ],
    ['seed: 1\nseed: 2', '2:1: The key "seed" is given twice; remove one.'],
  ])('is refused with its place and one sentence: %s', async (text, problem) => {
    const [first = '', ...others] = (await problemOf(text)).split('\n')
    expect(first).toContain(problem)
    expect(others).toEqual([])
  })
})
