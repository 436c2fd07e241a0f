import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readExchangeInput } from '../../../src/cli/exchange/exchange-input.ts'
import { simulatorConfigOf } from '../../../src/simulator/simulator-config.ts'
import { fileWith } from '../sluice-process.ts'

/** The faults of the example file, each a comment. */
const EXAMPLES = readFileSync('config/exchange.yaml', 'utf8').matchAll(/^#(- \{ fault: .*\})/gm)

const problemsOf = async (text: string) => {
  const path = fileWith('exchange.yaml', text)
  try {
    await readExchangeInput(path)
    return []
  } catch (error) {
    return String(error instanceof Error ? error.message : error)
      .replaceAll(`${path}:`, '')
      .split('\n')
  }
}

describe('the configuration file of the exchange', () => {
  it('in config/exchange.yaml shows the defaults as they are', async () => {
    expect(simulatorConfigOf(await readExchangeInput('config/exchange.yaml'))).toEqual(simulatorConfigOf({}))
  })

  it('has its faults shown in a comment, and every one of them can be set', async () => {
    const shown = [...EXAMPLES].map(([, rule]) => rule ?? '')
    expect(shown.length).toBeGreaterThan(15)
    const { faults } = simulatorConfigOf(
      await readExchangeInput(fileWith('exchange.yaml', `faults:\n${shown.join('\n')}\n`)),
    )
    expect(new Set(faults.map(({ fault }) => fault)).size).toBe(shown.length)
  })

  it('takes the klines of a file in the place of a market of the type file', async () => {
    const csv = fileWith(
      'a.csv',
      'idx,open,high,low,close,vol\n1704067200000,1,3,1,2,5\n1704067260000,2,2,2,2,0\n',
    )
    const input = await readExchangeInput(
      fileWith('exchange.yaml', `listings: [{ symbol: A/B, market: { type: file, file: ${csv} } }]\n`),
    )
    expect(simulatorConfigOf(input).listings[0]?.market).toMatchObject({
      type: 'klines',
      interval: '1m',
      klines: [
        { openTime: 1_704_067_200_000, high: 3 },
        { close: 2, volume: 0 },
      ],
    })
  })

  it('takes the trades and best quotes of two files in the place of a market of the type tickFile', async () => {
    const trades = fileWith(
      'trades.csv',
      'local_ns,exch_ms,trade_id,price,qty,buyer_is_maker\n1,1704067200000,3,5,6,1\n',
    )
    const tops = fileWith(
      'tops.csv',
      'local_ns,exch_ms,update_id,bid,bid_qty,ask,ask_qty\n1,1704067200000,3,4,1,6,2\n',
    )
    const market = `{ type: tickFile, file: ${trades}, quotesFile: ${tops} }`
    const input = await readExchangeInput(
      fileWith('exchange.yaml', `listings: [{ symbol: A/B, market: ${market} }]\n`),
    )
    expect(simulatorConfigOf(input).listings[0]?.market).toEqual({
      type: 'ticks',
      trades: [{ time: 1_704_067_200_000, price: 5, quantity: 6, side: 'sell' }],
      quotes: [{ time: 1_704_067_200_000, bid: 4, bidQuantity: 1, ask: 6, askQuantity: 2 }],
    })
  })

  it('takes the files of contracts likewise, be their market their own or for where their pair is not listed', async () => {
    const klines = fileWith('a.csv', 'idx,open,high,low,close,vol\n1704067200000,1,3,1,2,5\n')
    const trades = fileWith(
      'trades.csv',
      'local_ns,exch_ms,trade_id,price,qty,buyer_is_maker\n1,1704067200000,3,5,6,1\n',
    )
    const contracts = [
      `{ symbol: E-A-B, market: { type: tickFile, file: ${trades} } }`,
      `{ symbol: E-C-B, market: { type: spot, ifUnlisted: { type: file, file: ${klines}, interval: 1h } } }`,
      '{ symbol: E-BTC-USDT }',
    ]
    const text = `futures: { contracts: [${contracts.join(', ')}] }\n`
    const { futures } = simulatorConfigOf(await readExchangeInput(fileWith('exchange.yaml', text)))
    expect(futures.contracts.map(({ market }) => market)).toEqual([
      { type: 'ticks', trades: [{ time: 1_704_067_200_000, price: 5, quantity: 6, side: 'sell' }] },
      {
        type: 'spot',
        ifUnlisted: { type: 'klines', interval: '1h', klines: [expect.objectContaining({ high: 3 })] },
      },
      { type: 'spot' },
    ])
  })

  it.each([
    [
      'futures: { contracts: [{ symbol: E-A-B, market: { type: tickFile, file: none.csv } }] }',
      '1:73: The trade file none.csv does not exist',
    ],
    [
      'futures: { contracts: [{ symbol: E-A-B, market: { type: spot, ifUnlisted: { type: file, file: no.csv } } }] }',
      '1:95: The kline file no.csv does not exist',
    ],
    [
      'listings: [{ symbol: A/B, market: { type: generated, startPrice: 0.5 } }]',
      '1:66: listings[0].market.startPrice is 0.5, which at a pricePrecision of 2 is 50 ticks;',
    ],
    [
      'futures: { contracts: [{ symbol: E-A-B, market: { type: generated, startPrice: 9.9 } }] }',
      '1:80: futures.contracts[0].market.startPrice is 9.9, which at a pricePrecision of 1 is 99 ticks;',
    ],
    [
      'listings: [{ symbol: A/B, market: { type: file, file: none.csv } }]',
      '1:55: The kline file none.csv does not exist',
    ],
    [
      'listings: [{ symbol: A/B, market: { type: file } }]',
      '1:35: A market of the type file needs the path of a kline file.',
    ],
    ['faults: [{ fault: dleay }]', '1:19: faults[0].fault must be one of delay, lateArrival,'],
    [
      'faults: [{ fault: delay }]',
      '1:10: faults[0].delayMs is missing; expected a whole number from 1 to 86400000.',
    ],
    [
      'faults:\n  - { fault: dropAfter, endpoint: spotNewOder }',
      '2:35: faults[0].endpoint must be a key of the endpoint table such as spotNewOrder, or a path such as "POST /sapi/*", but it is the text "spotNewOder".',
    ],
    ['admin: maybe', '1:8: admin must be true or false, but it is the text "maybe".'],
  ])('names line and column of what is wrong in %s', async (text, problem) => {
    const [first = '', ...others] = await problemsOf(text)
    expect(first).toContain(problem)
    expect(others).toEqual([])
  })
})
