import { once } from 'node:events'
import { CommanderError } from 'commander'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../src/cli/failure.ts'
import { InvariantError, SluiceError, UsageError } from '../../src/domain/sluice-error.ts'
import { JournalError } from '../../src/journal/journal-error.ts'
import { sluiceHere } from './backtest/in-process.ts'
import { fileWith, sluice, startSluice } from './sluice-process.ts'

describe('the command line', () => {
  it('shows its commands for --help, with exit code 0', async () => {
    const { exitCode, out, err } = await sluice('--help')
    expect([exitCode, err]).toEqual([0, ''])
    for (const command of ['start', 'backtest', 'klines', 'exchange'])
      expect(out).toMatch(new RegExp(`^  ${command} `, 'm'))
  })

  it.each(['start', 'backtest', 'exchange'])(
    'shows the options of %s for --help, with exit code 0',
    async command => {
      const { exitCode, out, err } = await sluice(command, '--help')
      expect([exitCode, err]).toEqual([0, ''])
      expect(out).toContain('--config <file>')
      expect(out).toContain('--json')
    },
  )

  it.each([
    [[], 'Usage: sluice'],
    [['backtst'], "error: unknown command 'backtst'\n(Did you mean backtest?)"],
    [['exchange', '--prt', '1'], "error: unknown option '--prt'\n(Did you mean --port?)"],
    [['exchange', 'now'], "error: too many arguments for 'exchange'"],
    [['exchange', '--speed', '0'], 'Give a number above 0.'],
    [['exchange', '--port', '70000'], 'Give a whole number from 0 to 65535.'],
    [['start', '--stop-after', '60'], 'Give a duration above 0 with its unit, such as 500ms, 60s, 5m or 1h.'],
    [['start', '--config', 'none.yaml'], 'The configuration file none.yaml does not exist;'],
    [
      ['backtest', '--data', 'a.csv', '--symbol', 'BTC/USDT', '--interval', '1h'],
      "error: missing required argument 'strategy'",
    ],
    [['backtest', 'a.ts'], "error: required option '--symbol <symbol>' not specified"],
    [
      ['backtest', 'a.ts', '--symbol', 'A/B', '--interval', '1h', '--gaps', 'ignore'],
      "argument 'ignore' is invalid. Allowed choices are fail, skip, fill.",
    ],
    [['klines', 'downlod'], "error: unknown command 'downlod'\n(Did you mean download?)"],
  ])('refuses %j with exit code 2', async (args, sentence) => {
    const { exitCode, out, err } = await sluiceHere(...args)
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
  })
})

describe('the exchange command', () => {
  it('names file, line and what was expected for every mistake in its configuration', async () => {
    const config = fileWith(
      'exchange.yaml',
      `listing: []
listings:
  - { symbol: btc }
  - { symbol: A/B, minVolume: 0.0000001, makerFeeRate: lots, market: { type: generate } }
  - { symbol: A/B, minVolume: 0.0000001 }
liquidity: { spreadTicks: 0 }
`,
    )
    const { exitCode, out, err } = await sluice('exchange', '--config', config)
    expect([exitCode, out]).toEqual([2, ''])
    expect(err.replaceAll(`${config}:`, '').split('\n')).toEqual([
      '1:1: The key "listing" is unknown. Did you mean "listings"?',
      '3:15: listings[0].symbol must be a symbol such as BTC/USDT, in capitals, but it is the text "btc".',
      '4:56: listings[1].makerFeeRate must be a rate above -1 and below 1 (0.001 is 0.1%), with at most 18 decimals, but it is the text "lots".',
      '4:78: listings[1].market.type must be generated, klines or ticks, but it is the text "generate".',
      '5:5: listings[2] cannot be used. The quantity 1e-7 is off the grid: at most 5 decimals are allowed.',
      '6:27: liquidity.spreadTicks must be a whole number of at least 1, but it is 0.',
      '',
    ])
  })

  it('serves what its configuration says until it is told to stop', async () => {
    const config = fileWith(
      'exchange.yaml',
      `listings: [{ symbol: ETH/EUR }]\naccounts: [{ apiKey: mine, apiSecret: too, balances: { EUR: 0.1 } }]\n`,
    )
    const child = startSluice('exchange', '--config', config, '--json', '--seed', '3')
    const [line] = await once(child.stdout, 'data')
    const { spotUrl, apiKey } = JSON.parse(String(line))
    expect(apiKey).toBe('mine')
    expect((await fetch(`${spotUrl}/sapi/v2/depth?symbol=ETHEUR`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
  })
})

describe('failureOf', () => {
  it.each([
    [new UsageError('Wrong.'), 2, 'Wrong.\n'],
    [new JournalError('Torn.', new Error('malformed')), 1, 'Torn.\n'],
    [new SluiceError('Refused.', { code: 'AUTH', reaction: 'halt' }), 1, 'Refused.\n'],
    [new CommanderError(1, 'commander.unknownOption', 'said already'), 2, ''],
    [new CommanderError(0, 'commander.helpDisplayed', '(outputHelp)'), 0, ''],
  ])('has no stack for %s', (error, exitCode, text) => {
    expect(failureOf(error)).toEqual({ exitCode, text })
  })

  it.each([new TypeError('x is not a function'), new InvariantError('Two truths.')])(
    'shows the stack of a bug: %s',
    error => {
      const { exitCode, text } = failureOf(error)
      expect(exitCode).toBe(1)
      expect(text).toContain(`${error.name}: ${error.message}\n    at `)
    },
  )
})
