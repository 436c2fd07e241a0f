import { describe, expect, it, vi } from 'vitest'
import { sluiceHere } from '../cli/backtest/in-process.ts'
import { fileWith } from './sluice-process.ts'

const STRATEGY = 'file: strategies/sma-cross.ts, symbol: BTC/USDT, interval: 1m, size: { quote: 100 }'

/** What `sluice start` says of a configuration; `<config>` stands for its path. */
async function refusalOf(text: string): Promise<string> {
  const config = fileWith('bot.yaml', text)
  vi.stubEnv('SLUICE_API_KEY', '')
  vi.stubEnv('SLUICE_API_SECRET', '')
  const { exitCode, out, err } = await sluiceHere('start', '--config', config, '--json')
  expect([exitCode, out]).toEqual([2, ''])
  return err.replaceAll(config, '<config>')
}

describe('sluice start refuses, with exit code 2 and nothing on stdout,', () => {
  it('an unknown key, and names its line and the nearest key', async () => {
    expect(await refusalOf(`strategies: [{ ${STRATEGY} }]\npolling:\n  tickrMs: 5\n`)).toBe(
      '<config>:3:3: The key "tickrMs" is unknown. Did you mean "tickerMs"?\n',
    )
  })

  it('values of the wrong type, all at once', async () => {
    const text = `strategies: [{ ${STRATEGY} }]\nvenue: { type: simulated, speed: fast }\nlog: { level: inof }\n`
    expect(await refusalOf(text)).toBe(
      `<config>:2:34: venue.speed must be a number above 0, but it is the text "fast".
<config>:3:15: log.level must be one of fatal, error, warn, info, debug, trace, silent, but it is the text "inof". Did you mean "info"?
`,
    )
  })

  it('a venue whose secret is not in the environment', async () => {
    const text = `strategies: [{ ${STRATEGY} }]\nvenue:\n  type: exchange\n  spotUrl: http://127.0.0.1:9\n`
    expect(await refusalOf(text)).toBe(
      `<config>:3:3: The environment variable SLUICE_API_KEY, named by venue.apiKeyEnv, is not set; set it before the start.
<config>:3:3: The environment variable SLUICE_API_SECRET, named by venue.apiSecretEnv, is not set; set it before the start.
`,
    )
  })

  it('a strategy file that does not exist, and names the nearest', async () => {
    const text = `strategies: [{ ${STRATEGY.replace('sma-cross', 'sma-cros')} }]\n`
    expect(await refusalOf(text)).toBe(
      'The strategy file strategies/sma-cros.ts does not exist; did you mean "sma-cross.ts"?\n',
    )
  })

  it('a parameter that the strategy does not have, and names the nearest', async () => {
    const err = await refusalOf(`strategies:\n  - { ${STRATEGY},\n    parameters: { fsat: 5 } }\n`)
    expect(err).toBe('<config>:3:19: Strategy "sma-cross" has no parameter "fsat". Did you mean "fast"?\n')
  })

  it('a configuration that does not exist', async () => {
    expect(await sluiceHere('start', '--config', 'config/papre.yaml')).toEqual({
      exitCode: 2,
      out: '',
      err: 'The configuration file config/papre.yaml does not exist; give the path of a YAML file.\n',
    })
  })
})

describe('sluice start', () => {
  it('ends with exit code 1 where the exchange cannot be reached', async () => {
    const config = fileWith(
      'bot.yaml',
      `strategies: [{ ${STRATEGY} }]\nvenue: { type: exchange, spotUrl: 'http://127.0.0.1:9' }\n`,
    )
    vi.stubEnv('SLUICE_API_KEY', 'key')
    vi.stubEnv('SLUICE_API_SECRET', 'secret')
    const { exitCode, out, err } = await sluiceHere('start', '--config', config)
    expect([exitCode, out]).toEqual([1, ''])
    expect(err).toMatch(
      /^The exchange at http:\/\/127\.0\.0\.1:9 could not be reached \(.+\), so the call spotTime was not sent\.\n$/,
    )
  })
})
