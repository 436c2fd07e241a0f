import { describe, expect, it } from 'vitest'
import { sluiceHere } from '../backtest/in-process.ts'
import { fileWith } from '../sluice-process.ts'

/** A configuration of so many strategies on 1-minute klines. */
function configOf(strategies: number, polling = '{}'): string {
  const entries = Array.from(
    { length: strategies },
    (_, index) =>
      `  - { file: strategies/sma-cross.ts, symbol: C${index}/USDT, interval: 1m, size: { quote: 1 } }\n`,
  )
  return fileWith('bot.yaml', `strategies:\n${entries.join('')}polling: ${polling}\n`)
}

describe('start --plan', () => {
  it('shows what is polled, when, what it costs and how fresh it is, and starts nothing', async () => {
    const { exitCode, out, err } = await sluiceHere('start', '--plan', '--config', configOf(200))
    expect([exitCode, err]).toEqual([0, ''])
    const rows = out.split('\n').map(line =>
      line
        .split('│')
        .map(cell => cell.trim())
        .join('|'),
    )
    expect(rows).toEqual(
      expect.arrayContaining([
        '|what|when|weight|a minute|p50|p99|',
        '|1m klines of C0/USDT; 200 such calls|500 ms to 998 ms after the close|1|200|848 ms|1.1 s|',
        '|tickers of C0/USDT and 19 more; 10 such calls|every 1 s|5|3000|550 ms|1.04 s|',
        '|spot symbols|every 60 s|1|1|30.05 s|59.45 s|',
        // 200 + 3000 + 1, and half of the klines a second time. A look at the account takes 200 × 3 + 1, as often as half of what is
        // left to orders allows: every 24.04 s instead of 10 s.
        'Weight 3201 of 12000 a minute (26.7%), 3301 in the worst minute; 9000 are for market data, 1500 of the rest for comparing the account.',
      ]),
    )
  })

  it('shows the same as one JSON object, without asking for secrets', async () => {
    const config = fileWith(
      'bot.yaml',
      `strategies: [{ file: strategies/sma-cross.ts, symbol: A/B, interval: 5m, size: { quote: 1 } }]
venue: { type: exchange, spotUrl: https://api.example.com }
`,
    )
    const { exitCode, out } = await sluiceHere('start', '--plan', '--json', '--config', config)
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      polls: [
        { name: '5m klines of A/B', endpoint: 'spotKlines', weight: 1, weightPerMinute: 0.2, delayMs: 500 },
        { name: 'ticker of A/B', endpoint: 'spotTicker', timing: { everyMs: 1000, wantedMs: 1000 } },
        { name: 'spot symbols', endpoint: 'spotSymbols' },
      ],
      slowdown: 1,
      klineDelivery: { p50Ms: 600, p99Ms: 600, lastMs: 600 },
    })
  })

  it('shows what the market of a paper venue costs, symbol by symbol', async () => {
    const config = fileWith(
      'bot.yaml',
      `strategies: [{ file: strategies/sma-cross.ts, symbol: A/B, interval: 5m, size: { quote: 1 } }]
venue: { type: paper, spotUrl: https://api.example.com, readMs: 500 }
`,
    )
    const { exitCode, out } = await sluiceHere('start', '--plan', '--config', config)
    expect(exitCode).toBe(0)
    // A weight of 5 twice a second, for each.
    expect(out).toContain('A/B costs 1200 a minute (depth 600, trades 600).')
  })

  it('polls no klines that the host of a paper venue lacks, and says what follows', async () => {
    const planOf = async (profile: string) => {
      const config = fileWith(
        'bot.yaml',
        `account: { type: futures, leverage: 2 }
strategies: [{ file: strategies/sma-cross.ts, symbol: A/B, interval: 5m, size: { quote: 1 } }]
venue: { type: paper, profile: ${profile} }
`,
      )
      const { out, err } = await sluiceHere('start', '--plan', '--config', config)
      expect(err).toBe('')
      return out
    }
    const lacking = fileWith(
      'lacking.yaml',
      'exchange: Lacking\ndate: 2026-11\nsource: this test\nspot: { url: https://spot.example.com }\nfutures: { url: https://futures.example.com, lacksKlines: [1m] }\n',
    )
    const [without, complete] = [await planOf(lacking), await planOf('koinbay')]
    expect(complete).toMatch(/1m klines of E-A-B/)
    expect(complete).not.toContain('lacksKlines')
    expect(without).not.toMatch(/1m klines of E-A-B/)
    expect(without).toContain(
      'The host has no 1m klines of contracts (lacksKlines): what rests there fills only by quotes',
    )
  })

  it('says how much slower a tight budget makes the tickers', async () => {
    const config = configOf(20, '{ weightPerMinute: 300, tickerMs: 600 }')
    const { out } = await sluiceHere('start', '--plan', '--config', config)
    // 225 less 30 for klines; 500 for tickers and 1 for symbols become 195: 2.57 times as slow.
    expect(out).toContain('every 1.54 s (wanted: 600 ms)')
    expect(out).toContain('The budget makes periodic reads up to 2.57 times slower than wanted.')
  })

  it.each([['--plan'], ['--json']])(
    'is refused with the numbers and exit code 2 where it does not fit, as is the start itself (%s)',
    async option => {
      const config = configOf(200, '{ weightPerMinute: 300 }').replace(/a\.ts/g, 'strategies/sma-cross.ts')
      const { exitCode, out, err } = await sluiceHere('start', option, '--config', config)
      expect([exitCode, out]).toEqual([2, ''])
      if (option === '--plan') {
        expect(err).toBe(
          'Market data would need a weight of at least 601 a minute: 300 for klines (200 streams) and 301 for everything else at its slowest (11 polls). Only 225 of 300 are theirs, because 25% are left to orders; follow less, or change weightPerMinute or orderShare.\n',
        )
      }
    },
  )
})
