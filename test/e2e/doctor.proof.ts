import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAcceleratedClock } from '../../src/bot/clock/accelerated-clock.ts'
import { startControlServer } from '../../src/bot/control/control-server.ts'
import { examineBot } from '../../src/bot/doctor/examine-bot.ts'
import { examineJournal } from '../../src/bot/doctor/examine-journal.ts'
import type { Diagnosis, Finding } from '../../src/bot/doctor/finding.ts'
import { readExchangeInput } from '../../src/cli/exchange/exchange-input.ts'
import { loadBotConfig } from '../../src/config/load-bot-config.ts'
import type { Clock } from '../../src/domain/clock.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { createSystemClock } from '../../src/exchange/clock/system-clock.ts'
import { Journal } from '../../src/journal/journal.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { servedExchange } from './served-exchange.ts'
import { fileWith, SluiceProcess } from './sluice-process.ts'

const KEYS = { SLUICE_API_KEY: TEST_ACCOUNT.apiKey, SLUICE_API_SECRET: TEST_ACCOUNT.apiSecret }

/** A simulated exchange; returns its URL. */
async function exchange(yaml = '', clock: Clock = createSystemClock()): Promise<string> {
  return servedExchange(await readExchangeInput(fileWith('exchange.yaml', `seed: 3\n${yaml}`)), clock)
}

interface Setup {
  readonly url: string
  readonly symbol?: string
  readonly size?: string
  readonly more?: string
}

/** The configuration of a bot on it, with a journal beside it. */
function configOf({ url, symbol = 'BTC/USDT', size = '{ quote: 1000 }', more = '' }: Setup): string {
  const journal = join(dirname(fileWith('folder', '')), 'bot.journal')
  return fileWith(
    'bot.yaml',
    `venue: { type: exchange, spotUrl: ${JSON.stringify(url)} }
strategies: [{ file: strategies/sma-cross.ts, symbol: ${symbol}, interval: 1m, size: ${size} }]
journal: { file: ${JSON.stringify(journal)} }
${more}`,
  )
}

/** Runs the command in a process of its own. */
async function doctor(...args: readonly string[]) {
  const process = new SluiceProcess(['src/main.js', 'doctor', ...args], KEYS)
  return { exitCode: await process.exitCode, out: process.out, err: process.err }
}

/** The same in this process, which is quicker. */
function examine(path: string, environment: Readonly<Record<string, string>> = KEYS): Promise<Diagnosis> {
  const { config, credentials } = loadBotConfig(path, { ...environment })
  return examineBot(config, credentials, path)
}

const problems = (findings: readonly Finding[]) => findings.filter(({ status }) => status !== 'ok')

describe('sluice doctor', () => {
  it('finds nothing wrong, says what would be traded, and places nothing', async () => {
    const url = await exchange(
      'listings: [{ symbol: BTC/USDT, market: { type: generated, startPrice: 100 } }]\n',
    )
    const { exitCode, out, err } = await doctor(configOf({ url }), '--json')
    const { findings, wouldTrade, isHealthy }: Diagnosis = JSON.parse(out)
    expect([err, isHealthy]).toEqual(['', true])
    expect(problems(findings)).toEqual([])
    expect(exitCode).toBe(0)
    expect(findings.map(({ check }) => check)).toEqual([
      'strategy',
      'polling',
      'journal',
      'control',
      'connection',
      'clock',
      'account',
      'klines',
      'instrument',
      'orders',
      'order',
    ])
    const [trade] = wouldTrade
    expect(trade).toMatchObject({
      strategy: 'strategies/sma-cross.ts',
      symbol: 'BTC/USDT',
      size: 'quote 1000',
    })
    const price = Number(trade?.price)
    // 1000 of quote in whole steps of 0.00001, never more.
    expect(Number(trade?.quantity)).toBe(Math.floor(1000 / price / 0.00001) / 100_000)
    expect(Number(trade?.notional)).toBeLessThanOrEqual(1000)
    const { events } = JSON.parse(await (await fetch(`${url}/sim/events`)).text())
    const posted = events.filter(({ method }: { readonly method: string }) => method === 'POST')
    expect(posted).toEqual([expect.objectContaining({ path: '/sapi/v2/order/test', status: 200 })])
  }, 60_000)

  it('sizes by the equity of all accounts, and by everything that the bot values', async () => {
    const url = await exchange(`listings:
  - { symbol: BTC/USDT, market: { type: generated, startPrice: 100 } }
  - { symbol: ETH/USDT, market: { type: generated, startPrice: 50 } }
accounts:
  - apiKey: ${TEST_ACCOUNT.apiKey}
    apiSecret: ${TEST_ACCOUNT.apiSecret}
    balances: { USDT: 10000, ETH: 20 }
    futuresBalances: { USDT: 10000 }
`)
    const entry = (symbol: string, size: string) =>
      `  - { file: strategies/sma-cross.ts, symbol: ${symbol}, interval: 1m, size: ${size} }`
    const journal = join(dirname(fileWith('folder', '')), 'bot.journal')
    const config = fileWith(
      'bot.yaml',
      `venue: { type: exchange, spotUrl: ${JSON.stringify(url)}, futuresUrl: ${JSON.stringify(url)} }
accounts: { spot: {}, futures: { leverage: 2 } }
strategies:
${entry('BTC/USDT', '{ equityFraction: 0.3 }')}
${entry('E-BTC-USDT', '{ equityFraction: 0.3 }')}
${entry('ETH/USDT', '{ riskFraction: 0.001 }')}
journal: { file: ${JSON.stringify(journal)} }
`,
    )
    const { findings, wouldTrade } = await examine(config)
    expect(problems(findings)).toEqual([])
    const [pair, contract, byRisk] = wouldTrade
    // 10,000 on each account, and 20 ETH at their price.
    const equity = 20_000 + 20 * Number(byRisk?.price)
    expect(Number(pair?.notional)).toBeGreaterThan(0.3 * equity * 0.999)
    expect(Number(pair?.notional)).toBeLessThanOrEqual(0.3 * equity)
    expect(Number(contract?.notional)).toBeGreaterThan(0.3 * equity * 0.99)
    expect(Number(contract?.notional)).toBeLessThanOrEqual(0.3 * equity)
    // A thousandth of equity is lost over a hundredth of the price, and up to a tick of 0.01: nearly a tenth of equity.
    const price = Number(byRisk?.price)
    expect(Number(byRisk?.notional)).toBeGreaterThan(
      ((0.001 * equity) / (0.01 * price + 0.01)) * price * 0.995,
    )
    expect(Number(byRisk?.notional)).toBeLessThan(0.1 * equity * 1.005)
  }, 60_000)

  it('tells a wrong key from a wrong secret, and still examines what is public', async () => {
    const url = await exchange()
    const config = configOf({ url })
    const key = await examine(config, { ...KEYS, SLUICE_API_KEY: 'nobody' })
    expect(key.isHealthy).toBe(false)
    expect(problems(key.findings)).toEqual([
      expect.objectContaining({
        check: 'account',
        status: 'problem',
        advice: expect.stringContaining('Look at the key'),
      }),
      expect.objectContaining({ check: 'orders', status: 'problem' }),
      expect.objectContaining({ check: 'order', status: 'unknown' }),
    ])
    expect(key.findings).toContainEqual(expect.objectContaining({ check: 'instrument', status: 'ok' }))
    const secret = await examine(config, { ...KEYS, SLUICE_API_SECRET: 'wrong' })
    expect(problems(secret.findings)[0]).toMatchObject({
      check: 'account',
      advice: 'The secret in the environment is not the one of this key; set the right one.',
    })
  }, 60_000)

  it('says what to do about an exchange that runs faster than real time, as the start does', async () => {
    const url = await exchange('', createAcceleratedClock({ speed: 60, startAt: Date.now() }))
    const config = configOf({ url })
    const { isHealthy, findings } = await examine(config)
    expect(isHealthy).toBe(false)
    expect(problems(findings)).toEqual([
      expect.objectContaining({
        check: 'clock',
        found: expect.stringMatching(
          /^The time of the exchange at .* passes \d+ times as fast as real time\.$/,
        ),
        advice: expect.stringMatching(/without --speed .*"venue: \{ type: simulated, speed: \d+ \}"/),
      }),
    ])
    const start = new SluiceProcess(['src/main.js', 'start', '--config', config], KEYS)
    expect(await start.exitCode).toBe(2)
    expect(start.err).toMatch(
      /passes \d+ times as fast as real time\. A bot follows .* start that one without --speed/,
    )
  })

  it('takes an exchange on this machine that simulates another year as it is', async () => {
    const url = await exchange('', createAcceleratedClock({ speed: 1, startAt: Date.UTC(2024, 5) }))
    const { findings } = await examine(configOf({ url }))
    expect(findings.find(({ check }) => check === 'clock')).toMatchObject({
      status: 'ok',
      found: expect.stringContaining('has a time of its own, which a bot follows'),
    })
  })

  it('says that the account of a paper bot with a journal is not the one it looks at', async () => {
    const { findings } = await examine(resolve(import.meta.dirname, '../../config/paper.yaml'), {})
    const connection = findings.filter(({ check }) => check === 'connection')
    expect(JSON.stringify(connection)).toContain('with a new account for this look alone')
  })

  it('measures a clock that is a minute off', async () => {
    const url = await exchange('faults: [{ fault: clockSkew, skewMs: 60000 }]\n')
    const { isHealthy, findings } = await examine(configOf({ url }))
    expect(isHealthy).toBe(false)
    expect(problems(findings)).toEqual([
      expect.objectContaining({
        check: 'clock',
        found: expect.stringMatching(/^The clock of this machine is (59|60)\d{3} ms behind the exchange's/),
        advice: expect.stringContaining('NTP'),
      }),
    ])
  }, 60_000)

  it('tells that the exchange does not list a symbol, or lets nobody trade it', async () => {
    const url = await exchange('listings: [{ symbol: BTC/USDT, isTrading: false }]\n')
    const delisted = await examine(configOf({ url, symbol: 'BTCC/USDT' }))
    expect(problems(delisted.findings)).toEqual([
      {
        check: 'instrument',
        subject: 'BTCC/USDT',
        status: 'problem',
        found: 'The exchange does not list BTCC/USDT. Did you mean "BTC/USDT"?',
        advice:
          'Name a symbol that the exchange lists in "strategies", spelled as here: BTC/USDT for a pair, E-BTC-USDT for a contract.',
      },
    ])
    expect(delisted.isHealthy).toBe(false)
    const frozen = await examine(configOf({ url }))
    expect(problems(frozen.findings)).toEqual([
      expect.objectContaining({ check: 'order', advice: expect.stringContaining('frozen') }),
    ])
  }, 60_000)

  it('tells that a size is below the smallest order, above what the account has, or above a limit', async () => {
    const url = await exchange()
    const small = await examine(configOf({ url, size: '{ quote: 5 }' }))
    expect(problems(small.findings)).toEqual([
      expect.objectContaining({
        check: 'order',
        found: expect.stringMatching(/below the smallest order of BTC\/USDT, 10 USDT\.$/),
      }),
    ])
    expect(small.wouldTrade).toEqual([expect.not.objectContaining({ quantity: expect.any(String) })])
    const large = await examine(configOf({ url, size: '{ quote: 50000 }' }))
    expect(problems(large.findings)).toEqual([expect.objectContaining({ check: 'order', status: 'problem' })])
    const capped = await examine(configOf({ url, size: '{ quote: 9990 }' }))
    expect(problems(capped.findings)).toEqual([
      expect.objectContaining({
        check: 'order',
        found: expect.stringMatching(
          / USDT at a price 0\.5% higher, up to which it may trade \(execution\.maxSlippageRate\), but only 10000 USDT is free\.$/,
        ),
      }),
    ])
    const all = await examine(configOf({ url, size: '{ equityFraction: 1 }' }))
    expect(all.isHealthy).toBe(true)
    const limited = await examine(configOf({ url, more: 'risk: { limits: { maxNotional: 100 } }\n' }))
    expect(problems(limited.findings)).toEqual([expect.objectContaining({ check: 'order' })])
  }, 90_000)

  it('says who has the journal, that it is damaged, and that there should be one', async () => {
    const url = await exchange()
    const config = configOf({ url })
    const { findings } = await examine(config)
    const file = findings.find(({ check }) => check === 'journal')?.subject ?? ''
    const journal = new Journal(file)
    for (const body of ['one', 'two', 'three']) journal.append({ kind: 'note', time: 1, body })
    journal.commit()
    expect(problems((await examine(config)).findings)).toEqual([
      expect.objectContaining({ check: 'journal', found: 'Another bot works with it now.' }),
    ])
    journal.close()
    expect((await examine(config)).isHealthy).toBe(true)
    const database = new DatabaseSync(file)
    database.exec(`UPDATE entries SET body = '"too"' WHERE seq = 2`)
    database.close()
    expect(problems((await examine(config)).findings)).toEqual([
      expect.objectContaining({
        check: 'journal',
        found: expect.stringContaining('Entries up to 1 can be trusted'),
      }),
    ])
  }, 90_000)

  it('says where the bot could not make its control socket, as the start does', async () => {
    const url = await exchange()
    const folder = dirname(fileWith('folder', ''))
    const notes = join(folder, 'notes.txt')
    writeFileSync(notes, 'mine')
    const examined = async (socket: string) =>
      problems((await examine(configOf({ url, more: `control: { socket: ${socket} }\n` }))).findings)
    expect(await examined(notes)).toEqual([
      {
        check: 'control',
        subject: notes,
        status: 'problem',
        found: `control.socket names ${notes}, which is an ordinary file.`,
        advice: 'Give a path where no file is: the bot makes the socket itself.',
      },
    ])
    const [through] = await examined(join(notes, 'inside', 'bot.sock'))
    expect(through).toMatchObject({
      check: 'control',
      found: `The socket cannot be made: ${notes} is no folder.`,
    })
    const [long] = await examined(join(folder, 'x'.repeat(104)))
    expect(long).toMatchObject({
      check: 'control',
      found: expect.stringContaining('is longer than 103 bytes'),
    })
    expect(await examined(join(folder, 'absent', 'bot.sock'))).toEqual([])
    const taken = join(folder, 'bot.sock')
    const server = await startControlServer(taken)
    onTestFinished(() => server.close())
    const [running] = await examined(taken)
    expect(running).toMatchObject({
      check: 'control',
      found: `A bot with this configuration is running already (it listens on ${taken}).`,
    })
    expect(readdirSync(folder)).toEqual(['bot.sock', 'folder', 'notes.txt'])
  })

  it('says of a journal behind an ordinary file that it cannot be made', async () => {
    const file = fileWith('notes.txt', 'mine')
    const [journal] = examineJournal(join(file, 'bot.journal'), true)
    expect(journal).toMatchObject({
      status: 'problem',
      found: `It does not exist yet, and ${file} is no folder.`,
    })
  })

  it('says of a margin account what is declared, that nobody can verify it, and that the journal knows better', async () => {
    const url = await exchange()
    const more = 'account: { type: margin, balances: { USDT: 1000 } }\n'
    const config = configOf({ url, size: '{ quote: 900 }', more })
    const { findings, isHealthy } = await examine(config)
    expect([isHealthy, problems(findings)]).toEqual([true, []])
    expect(findings).toContainEqual({
      check: 'account',
      subject: 'margin',
      status: 'ok',
      found:
        'It is declared to hold 1000 USDT. The balances of the margin account cannot be read: the books begin with what is declared and go on by trades. Debts, interest and transfers are not seen, and the bot itself borrows nothing.',
    })
    const journal = new Journal(findings.find(({ check }) => check === 'journal')?.subject ?? '')
    for (const [time, usdt] of ['1000.0', '900'].entries())
      journal.append({
        kind: 'session',
        time,
        body: {
          ...{ bot: 'paper', strategies: [], instruments: [], balances: {}, continues: false },
          declared: new Map([['USDT', amountOf(usdt)]]),
        },
      })
    journal.commit()
    journal.close()
    expect(problems((await examine(config)).findings)).toEqual([
      expect.objectContaining({
        check: 'account',
        found: expect.stringContaining(
          'declares 1000 USDT on the margin account, but the journal began with 900 USDT',
        ),
        advice: expect.stringContaining('start with a new journal'),
      }),
    ])
  }, 60_000)

  it('ends with 2 and a sentence for a configuration that cannot be used, and for a key that is absent', async () => {
    const bad = await doctor(fileWith('bot.yaml', 'strategies: []\n'))
    expect(bad).toMatchObject({ exitCode: 2, err: expect.stringContaining('at least one strategy') })
    const config = configOf({ url: 'http://127.0.0.1:1' })
    expect(() => examine(config, {})).toThrow('SLUICE_API_KEY')
  }, 60_000)

  it('names file, line and column of a parameter that the strategy cannot take', async () => {
    const config = fileWith(
      'bot.yaml',
      `strategies:
  - file: strategies/sma-cross.ts
    parameters: { fast: many }
    symbol: BTC/USDT
    interval: 1m
    size: { quote: 100 }
`,
    )
    const { findings } = await examine(config, {})
    const [found] = findings.filter(({ check }) => check === 'strategy')
    expect(found?.found).toContain(`${config}:3:25: Parameter "fast" of strategy "sma-cross" is "many"`)
  }, 60_000)

  it('says in its table that nobody answers', async () => {
    const { exitCode, out } = await doctor(configOf({ url: 'http://127.0.0.1:1' }))
    expect(exitCode).toBe(1)
    expect(out).toContain('connection')
    expect(out).toContain('1 problem stands in the way of trading')
  }, 60_000)
})
