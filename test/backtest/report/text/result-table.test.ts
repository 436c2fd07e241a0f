import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { TimedLiquidation } from '../../../../backtest/futures/timed-liquidation.ts'
import type { Metrics } from '../../../../backtest/metrics/metrics.ts'
import { DEFAULT_FILL_SETTINGS, type FillSettings } from '../../../../backtest/models/fill-settings.ts'
import type { MarginReport } from '../../../../backtest/report/text/margin-report.ts'
import { resultTable } from '../../../../backtest/report/text/result-table.ts'
import { amountOf, ZERO } from '../../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../../src/domain/numbers/grid.ts'
import type { RoundTrip } from '../../../../src/domain/round-trip.ts'
import { dailyCurve } from '../../metrics/curve.ts'
import { EQUITY } from '../../metrics/reference-run.ts'
import { metricsFor } from '../../metrics/run.ts'
import { START, sampleReport } from '../sample-report.ts'

const WIDE = { columns: 200, styled: false }
const NARROW = { columns: 80, styled: false }

/** A futures account of these liquidations. */
function marginOf(liquidations: MarginReport['liquidations']): MarginReport {
  return {
    ...{ leverage: 10, marginMode: 'cross', positionMode: 'oneWay', mark: 'tradedKlines', funding: 'none' },
    ...{ highestLeverage: 2, highestUse: 0.5, borneLoss: ZERO, liquidations },
  }
}

/** Labels and values of the metrics of a table in one column. */
function rowsOf(table: string): Record<string, string> {
  const pairs = table.split('\n').flatMap(line => {
    const [, label, value] = /^ {2}(\S.*?) {2,}(\S.*)$/.exec(line) ?? []
    return label === undefined || value === undefined ? [] : [[label, value]]
  })
  return Object.fromEntries(pairs)
}

describe('resultTable', () => {
  it('says how many stops found no volume on the kline that reached them', () => {
    const report = sampleReport()
    const fills = report.fills.map(fill => ({ ...fill, rule: 'triggeredRest' as const }))
    const [late, none] = [{ ...report, fills }, report].map(each => resultTable(each, WIDE))
    expect(late).toContain('Stops filled late 1 ×, first at 2018-01-01 00:00 UTC: maxVolumeShare was used up')
    expect(none).not.toContain('Stops filled late')
  })

  it('says that a margin account paid no interest where it may borrow', () => {
    const report = sampleReport()
    const onMargin = (terms: object) =>
      report.markets.map(market => ({
        ...market,
        instrument: { ...market.instrument, accountType: 'margin' as const, ...terms },
      }))
    const charged = 'Margin: no interest was charged on what was borrowed, because the exchange publishes'
    expect(resultTable({ ...report, markets: onMargin({}) }, WIDE)).toContain(charged)
    expect(resultTable({ ...report, markets: onMargin({ ownFundsOnly: true }) }, WIDE)).not.toContain(
      'interest',
    )
    expect(resultTable(report, WIDE)).not.toContain('interest')
  })

  it('says what the market cut off, by cause', () => {
    const report = sampleReport() // quantities have 5 decimals
    const cut = { symbol: 'BTC/USDT', count: 2, ordered: steps(2_500_000), untraded: steps(1_500_000) }
    const cutOrders = [
      { ...cut, purpose: 'entry', cause: 'maxVolumeShare' },
      { ...cut, purpose: 'exit', cause: 'ioc' },
    ] as const
    const table = resultTable({ ...report, cutOrders }, WIDE)
    expect(table).toContain(
      'Entries cut by maxVolumeShare 2 ×: 15.00000 of 25.00000 BTC of BTC/USDT not traded.',
    )
    expect(table).toContain('Exits cut by IOC 2 ×: 15.00000 of 25.00000 BTC of BTC/USDT not traded.')
    expect(resultTable(report, WIDE)).not.toContain('cut by')
  })

  it('says that an entry took the place of an exit that had some left', () => {
    const exit = {
      type: 'exitReplaced',
      symbol: 'BTC/USDT',
      book: 'BTC/USDT',
      strategy: 'sma-cross',
    } as const
    const replaced = { ...exit, side: 'sell', quantity: steps(1_500_000), by: 'enter', time: START } as const
    expect(resultTable({ ...sampleReport(), replacedExits: [replaced] }, WIDE)).toContain(
      'Exits replaced before all had traded 1 ×, first at 2018-01-01 00:00 UTC: 15.00000 BTC of BTC/USDT had yet to be closed when a later entry took the place of the exit.',
    )
  })

  it('counts fills on klines without volume, unless no kline has any', () => {
    const report = sampleReport()
    const told = (volumes: readonly number[]) =>
      resultTable(
        {
          ...report,
          markets: report.markets.map(market => ({
            ...market,
            klines: { ...market.klines, volume: Float64Array.from(volumes) },
          })),
        },
        WIDE,
      )
    expect(told([0, 2])).toContain(
      'Filled on klines without volume 1 of 1 ×, first at 2018-01-01 00:00 UTC: nobody traded in them.',
    )
    expect(told([1, 0])).not.toContain('without volume')
    expect(told([0, 0])).not.toContain('without volume')
  })

  it('says where slippage was a whole tick because prices have few of them', () => {
    const report = sampleReport()
    const told = (price: number, before: number) =>
      resultTable(
        {
          ...report,
          fills: report.fills.map(fill => ({
            ...fill,
            price: ticks(price),
            priceBeforeSlippage: ticks(before),
          })),
        },
        WIDE,
      ).replaceAll(/\s+/g, ' ')
    expect(told(3, 2)).toContain(
      'Slippage was one tick of the price 1 ×, and a tick more than 0.5% of it; first at 2018-01-01 00:00 UTC, 0.02 became 0.03 in BTC/USDT. Slippage is rounded to whole ticks, against you:',
    )
    expect(told(200, 199)).toContain('Slippage was one tick')
    expect(told(201, 200)).not.toContain('Slippage was one tick')
    expect(told(2, 2)).not.toContain('Slippage was one tick')
  })

  it('says what rounding slippage to whole ticks cost, where that is most of it and more than a hundredth of the equity', () => {
    const report = sampleReport() // 10,000 USDT, a tick of 0.01
    const told = (base: number, settings: Partial<FillSettings>, volume = 1) =>
      resultTable(
        {
          ...report,
          markets: report.markets.map(market => ({
            ...market,
            klines: { ...market.klines, volume: Float64Array.of(volume, 2) },
          })),
          fillSettings: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0, ...settings },
          fills: report.fills.map(fill => ({
            ...fill,
            ...{ price: ticks(1001), priceBeforeSlippage: ticks(1000) },
            quantity: steps(base * 100_000),
            slippage: amountOf(`${base * 0.01}`),
          })),
        },
        WIDE,
      ).replaceAll(/\s+/g, ' ')
    // 0.02% of 1000 ticks are 0.2 of the one that was paid: 0.8 of 20,000 BTC × 0.01 are rounding.
    expect(told(20_000, { slippageRate: 0.0002 })).toContain(
      'Rounding to whole ticks cost 160.00 of 200.00 USDT of slippage (80.0%), most of it in BTC/USDT. Slippage is rounded to whole ticks, against you: where the market has finer prices, give it a larger pricePrecision; where it has not, limit orders pay none, and markets whose price has more ticks pay less.',
    )
    // A hundredth of the equity, half of the slippage, and ticks that were asked for.
    expect(told(12_500, { slippageRate: 0.0002 })).not.toContain('Rounding')
    expect(told(12_501, { slippageRate: 0.0002 })).toContain('Rounding to whole ticks cost 100.01 of 125.01')
    expect(told(40_000, { slippageRate: 0.0005 })).not.toContain('Rounding')
    expect(told(40_000, { slippageRate: 0.0004 })).toContain('cost 240.00 of 400.00 USDT of slippage (60.0%)')
    expect(told(40_000, { slippageTicks: 1 })).not.toContain('Rounding')
    // Half of a spread of 0.06% are 0.3 ticks.
    expect(told(40_000, { spreadRate: 0.0006 })).toContain('cost 280.00 of 400.00')
    // 0.04% of the price times the square of all of a kline's volume are 0.4 ticks, of half of it 0.1.
    expect(told(40_000, { volumeImpact: 0.0004 })).toContain('cost 240.00 of 400.00')
    expect(told(40_000, { volumeImpact: 0.0004 }, 80_000)).toContain('cost 360.00 of 400.00')
  })

  it('says where nothing traded that a step is worth a large part of the account', () => {
    const idle = { ...sampleReport(), fills: [], denials: new Map() }
    const markets = idle.markets.map(market => ({
      ...market,
      klines: { ...market.klines, close: market.klines.close.map(() => 1e9) },
    }))
    expect(resultTable({ ...idle, markets }, WIDE).replaceAll(/\s+/g, ' ')).toContain(
      'A step of 0.00001 BTC of BTC/USDT is worth 10,000.00 USDT (quantityPrecision makes it finer).',
    )
  })

  it('says how often a step kept a position from its target, and then not once more what a step is worth', () => {
    const idle = { ...sampleReport(), fills: [], denials: new Map() }
    const markets = idle.markets.map(market => ({
      ...market,
      klines: { ...market.klines, close: market.klines.close.map(() => 1e9) },
    }))
    const first = {
      type: 'targetMissed',
      ...{ symbol: 'BTC/USDT', book: 'BTC/USDT', strategy: 'sma-cross' },
      ...{ missing: amountOf('0.000004'), price: ticks(99_900_000_000), time: START },
    } as const // at 999,000,000
    const table = resultTable({ ...idle, markets, missedTargets: [{ count: 247, first }] }, WIDE)
    expect(table.replaceAll(/\s+/g, ' ')).toContain(
      'BTC/USDT stayed more than 5% of equity from its target 247 ×, first at 2018-01-01 00:00 UTC: a step of 0.00001 BTC was worth 9,990.00 USDT there, so that no order came nearer. More equity makes a step matter less, and quantityPrecision makes it finer.',
    )
    expect(table).not.toContain('A step of')
  })

  it('says that nothing traded as an exit without a position, but not of an order that was killed', () => {
    const idle = { ...sampleReport(), fills: [], denials: new Map() }
    const killed = {
      purpose: 'entry',
      cause: 'fok',
      count: 1,
      ordered: steps(1),
      untraded: steps(1),
    } as const
    expect(resultTable(idle, WIDE)).toContain('No order traded, whatever was signaled')
    expect(resultTable(idle, WIDE)).not.toContain('A step of')
    const table = resultTable({ ...idle, cutOrders: [{ symbol: 'BTC/USDT', ...killed }] }, WIDE)
    expect(table).toContain('Entries cut by FOK 1 ×: 0.00001 of 0.00001 BTC of BTC/USDT not traded.')
    expect(table).not.toContain('No order traded')
  })

  it('says how many round trips and open positions depend on the path inside a kline', () => {
    const report = sampleReport()
    const withOpen = (openPositions: readonly number[]) =>
      resultTable({ ...report, ambiguity: { ...report.ambiguity, openPositions } }, WIDE)
    const rest = 'may depend on the path inside a kline; the rule was pessimistic.'
    expect(withOpen([])).toContain(`Ambiguous: 1 of 2 round trips ${rest}`)
    expect(withOpen([0])).toContain(`Ambiguous: 1 of 2 round trips and 1 open position ${rest}`)
    expect(withOpen([0, 1])).toContain(`Ambiguous: 1 of 2 round trips and 2 open positions ${rest}`)
  })

  it('opens with what was run', () => {
    expect(resultTable(sampleReport()).split('\n').slice(0, 4)).toEqual([
      'sma-cross on BTC/USDT 1d',
      '  2018-01-01 00:00 to 2018-01-03 00:00 UTC, 2 klines',
      '  Parameters: fast 5, slow 20',
      '',
    ])
  })

  it('says what was done about absent klines', () => {
    const { manifest, ...report } = sampleReport()
    const gaps = { policy: 'skip' as const, count: 2, missing: 3 }
    expect(resultTable({ ...report, manifest: { ...manifest, gaps } })).toContain(
      '\n  Gaps: 2 skipped (3 klines)\n',
    )
  })

  it('shows a trader what the run came to', () => {
    expect(rowsOf(resultTable(sampleReport(), NARROW))).toMatchObject({
      'Start equity': '10,000.00 USDT',
      'End equity': '10,149.25 USDT',
      'Net profit': '149.25 USDT',
      'Total return': '1.49%',
      'Annual return (CAGR)': 'n/a',
      'Buy and hold': '10.00%',
      'Sharpe ratio': 'n/a',
      'Max drawdown': '1.00%',
      'Longest drawdown': '2d 0h',
      Exposure: '55.21%',
      'Round trips': '2',
      'Win rate': '50.00%',
      'Profit factor': '149,250.00',
      Expectancy: '74.62 USDT',
      Best: '149.25 USDT',
      Worst: '-0.001 USDT',
      'Average return': '0.4975%',
      'Average duration': '13h 17m',
      Fees: '30.20 USDT',
      Fills: '1',
      Signals: '5',
      'Denied orders': '3',
    })
  })

  it('has the same rows in two columns', () => {
    const wide = resultTable(sampleReport())
    for (const [label, value] of Object.entries(rowsOf(resultTable(sampleReport(), NARROW)))) {
      expect(wide).toMatch(
        new RegExp(`${label.replace(/[()>]/g, '\\$&')} +${value.replace(/[()]/g, '\\$&')}`),
      )
    }
  })

  it('stays within the width it is given', () => {
    const widest = (text: string) => Math.max(...text.split('\n').map(line => line.length))
    expect(widest(resultTable(sampleReport()))).toBeLessThanOrEqual(100)
    const [metrics = ''] = resultTable(sampleReport(), NARROW).split('\nDeepest')
    expect(widest(metrics)).toBeLessThanOrEqual(80)
  })

  it('says why figures are not available', () => {
    expect(resultTable(sampleReport())).toContain(
      'Not available (n/a)\n  needs at least 180 days, has 2: Annual return (CAGR), Calmar ratio\n',
    )
  })

  it('lists the deepest drawdowns and the round trips by exit reason', () => {
    const table = resultTable(sampleReport())
    expect(table).toMatch(
      /\nDeepest drawdowns\n.*\n +2018-01-01 00:00 +1\.00% +2018-01-02 00:00 +2018-01-03 00:00 +2d 0h\n/,
    )
    expect(table).toMatch(
      /\nBy exit reason\n.*\n +take-profit +2 +50\.00% +149\.25 USDT +0\.4975% +13h 17m\n/,
    )
  })

  it('has a table of months where there are several', () => {
    const report = sampleReport()
    expect(resultTable(report)).not.toContain('Returns by month')
    const metrics = metricsFor({ curve: dailyCurve(10_000, EQUITY, Date.UTC(2018, 0, 1)) })
    // By empyrical, see months.test.ts: 12.24%, 8.94%, 1.36% and -4.66%, together 18.16%.
    expect(resultTable({ ...report, metrics })).toMatch(
      /Returns by month in percent\n.*\n +2018 +12\.2 +8\.9 +1\.4 +-4\.7 +18\.2\n/,
    )
  })

  it('says by which convention', () => {
    expect(resultTable(sampleReport(), WIDE)).toContain('365 days a year, risk-free rate 0%, ddof 1.')
  })

  it('says at the end what is open and what was denied, with the first message of each rule', () => {
    expect(resultTable(sampleReport()).split('\n').slice(-3)).toEqual([
      'Open at the end: long 0.25000 BTC.',
      'Denied 2 × by minimum notional; the first: The order is worth 9 USDT.',
      'Denied 1 × by balance; the first: The order needs 2 BTC.',
    ])
  })

  it('says of open contracts how many there are of which', () => {
    const report = sampleReport()
    const [market] = report.markets
    const symbol = 'E-BTC-USDT'
    const contractSize = amountOf('0.0001')
    const instrument = { ...market?.instrument, symbol, contractSize, quantityPrecision: 0 }
    const held = { symbol, book: symbol, direction: 'long', quantity: steps(1124), lots: [] } as const
    const markets = [{ ...market, instrument }] as typeof report.markets
    expect(resultTable({ ...report, markets, openPositions: [held] })).toContain(
      'Open at the end: long 1,124 contracts of E-BTC-USDT.',
    )
  })

  it('says of several accounts what each held: money as money, and what was bought exactly', () => {
    const balances = [
      ['USDT', amountOf('7147.77817634164599')],
      ['BTC', amountOf('1250.12345')],
      ['ETH', ZERO],
    ] as const
    expect(resultTable({ ...sampleReport(), accounts: [{ account: 'futures', balances }] }, WIDE)).toContain(
      'The futures account held 7,147.78 USDT, 1,250.12345 BTC at the end.',
    )
  })

  it('says first that the account was ruined', () => {
    expect(
      resultTable({ ...sampleReport(), ruined: true }, WIDE)
        .split('\n')
        .slice(0, 3),
    ).toEqual([
      'Warning: Ruined: equity fell to zero by 2018-01-03 00:00 UTC, so everything was closed and trading stopped.',
      '',
      'sma-cross on BTC/USDT 1d',
    ])
  })

  it('says when equity first reached zero, not when the data ended', () => {
    const report = sampleReport()
    const equity = { ...report.equity, equity: [0, 0] }
    const from = new Date(Number(report.equity.time[0])).toISOString().slice(0, 16).replace('T', ' ')
    expect(from).toBe('2018-01-02 00:00')
    expect(resultTable({ ...report, equity, ruined: true }, WIDE)).toContain(`fell to zero by ${from} UTC`)
  })

  it('says first that almost everything was lost', () => {
    const report = sampleReport()
    const equity = { ...report.equity, equity: [9900, 999] }
    expect(resultTable({ ...report, equity }, WIDE)).toMatch(
      /^Warning: Almost everything was lost: 999\.00 of 10,000\.00 USDT are left\.\n/,
    )
  })

  it.each([
    ['a buy that is too large', 'spot', 'buy', false, 'A size that fits is not denied: give it a cap'],
    [
      'a short of a spot account',
      'spot',
      'sell',
      false,
      'No size makes that possible: leave out entries that',
    ],
    ['a short of a margin account, whose reason says what to do', 'margin', 'sell', false, ''],
    ['an exit', 'spot', 'sell', true, ''],
  ] as const)('advises by kind of denial: %s', (_kind, accountType, side, reduceOnly, advice) => {
    const report = sampleReport()
    const [market] = report.markets
    const instrument = { ...market?.instrument, accountType }
    const intent = { symbol: 'BTC/USDT', side, reduceOnly }
    const denials = new Map([['balance', { count: 6, first: 'Not covered.', intent }]])
    const table = resultTable(
      { ...report, denials, markets: [{ ...market, instrument }] } as typeof report,
      WIDE,
    )
    const [line = ''] = table.split('\n')
    const [, said] = line.split('first: Not covered.')
    expect(advice === '' ? said : said?.startsWith(` ${advice}`)).toBe(advice === '' ? '' : true)
  })

  it('says first which share of the orders was denied, where that is a large one, in red on a terminal', () => {
    const report = { ...sampleReport(), orders: 27 }
    const first = 'Most of them by the rule minimum notional, first: The order is worth 9 USDT.'
    const warning = `Warning: Denied 3 of 30 orders (10%): the figures are those of the others. ${first}`
    expect(resultTable(report, WIDE).split('\n')[0]).toBe(warning)
    const inRed = '\u001b[1m\u001b[31mWarning: Denied'
    expect(resultTable(report, { ...WIDE, styled: true }).slice(0, inRed.length)).toBe(inRed)
    // 3 of 31 are 9.7%.
    expect(resultTable({ ...report, orders: 28 }, WIDE)).not.toContain('Warning')
  })

  it('says first that positions were liquidated, and what that came to', () => {
    const report = sampleReport()
    const [trip] = report.roundTrips
    const liquidated = { ...(trip as RoundTrip), pnl: amountOf('-99.5'), exitReason: 'liquidation' } as const
    const liquidation: TimedLiquidation = {
      symbol: 'BTC/USDT',
      book: 'BTC/USDT',
      direction: 'long',
      time: START,
      quantity: steps(25_000),
      price: ticks(900_050),
      fee: amountOf('1'),
    }
    const margin = marginOf([liquidation, liquidation])
    expect(
      resultTable({ ...report, margin, roundTrips: [liquidated, liquidated] }, WIDE).split('\n')[0],
    ).toBe(
      'Warning: Liquidated 2 times, first long 0.25000 BTC of BTC/USDT at 9,000.50 on 2018-01-01 00:00 UTC: the round trips that ended so came to -199.00 USDT.',
    )
  })

  it('says what the path inside klines decides', () => {
    const report = sampleReport()
    const { metrics } = report
    const metricsWith = (value: number): Metrics => ({
      ...metrics,
      figures: { ...metrics.figures, totalReturn: { value }, winRate: { notAvailable: 'no round trip' } },
    })
    const table = resultTable(
      {
        ...report,
        bounds: { worst: metricsWith(2), best: metricsWith(-1), areAlike: false },
        parts: [
          {
            kind: 'market',
            name: 'a on A/B 1h',
            roundTrips: 2,
            netProfit: 149.249,
            fees: 30.2,
            exposure: 0.5,
          },
        ],
      },
      WIDE,
    )
    expect(table).toContain(
      'Ambiguous: 1 of 2 round trips may depend on the path inside a kline; the rule was pessimistic.',
    )
    // From the lower to the higher, whichever path gives it.
    expect(table).toMatch(/\n +Figure +From +To +This run\n/)
    expect(table).toMatch(/\n +Total return +-100\.00% +200\.00% +1\.49%\n/)
    expect(table).toMatch(/\n +Win rate +n\/a +n\/a +50\.00%\n/)
    expect(table).toContain(
      'That bounds each kline by itself, for the orders that it begins with. It does not bound the run:',
    )
    expect(table).toContain(
      '\nEven within one kline another path may be worse or better than these two where',
    )
    expect(table).toMatch(/\nBy market\n.*\n +a on A\/B 1h +2 +149\.25 USDT +30\.20 USDT +50\.00%/)
  })

  it('says so where the worst and the best path have the same fills', () => {
    const report = sampleReport()
    const { metrics } = report
    const table = resultTable({ ...report, bounds: { worst: metrics, best: metrics, areAlike: true } }, WIDE)
    expect(table).toContain('and the one with the best have the same fills.')
    expect(table).not.toContain('other paths can end outside')
  })

  it('names the klines that longer ones were made of', () => {
    const report = sampleReport()
    const resampled = { from: 'SOL/USDT 1m of generated', to: '15m' } as const
    const file = { file: 'SOL-USDT 1m of generated as 15m', sha256: '', klines: 1, resampled }
    const table = resultTable({ ...report, manifest: { ...report.manifest, data: [file, file] } }, WIDE)
    expect(table.split('Klines of 15m were made of SOL/USDT 1m of generated.').length).toBe(2)
    expect(resultTable(report, WIDE)).not.toContain('were made of')
  })

  it('lists the twelve most frequent tags and counts the others', () => {
    const report = sampleReport()
    const [group] = report.metrics.byTag
    const byTag = Array.from(
      { length: 15 },
      (_, index) => ({ ...group, name: `tag ${index}` }) as typeof group & object,
    )
    const table = resultTable({ ...report, metrics: { ...report.metrics, byTag } })
    expect(table).toMatch(/ tag 11 .*\n +and 3 more +3 +447\.75 USDT/)
    expect(table).not.toContain('tag 12')
  })

  it('has no control characters unless a terminal is there', () => {
    const report = sampleReport()
    const styled = resultTable(report, { columns: 100, styled: true })
    expect(resultTable(report)).not.toContain('\u001b')
    expect(styled).toContain('\u001b[1mReturns')
    expect(stripVTControlCharacters(styled).replace(/ +$/gm, '')).toBe(resultTable(report))
  })
})
