import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { runStart } from '../../../src/cli/bot/start-command.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import { Journal } from '../../../src/journal/journal.ts'

const STRATEGY = 'file: strategies/sma-cross.ts, symbol: BTC/USDT, interval: 1m, size: { quote: 100 }'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-refused-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a bot whose journal is in the folder, in this process; gives its exit code, or what it was refused with. Writes to `out`. */
async function start(folder: string, yaml: string, out: string[] = [], stopAfterMs = 1): Promise<unknown> {
  const config = join(emptyFolder(), 'bot.yaml')
  const [journal, socket] = ['bot.journal', 'bot.sock'].map(name => JSON.stringify(join(folder, name)))
  writeFileSync(config, `${yaml}journal: { file: ${journal} }\ncontrol: { socket: ${socket} }\n`)
  return runStart({ config, json: true, stopAfterMs }, { write: (text: string) => out.push(text) }).catch(
    error => error,
  )
}

it.each([
  ['a missing market file', 'venue: { type: simulated, market: file, file: absent.csv }\n', /absent\.csv/],
  ['a leverage that the exchange refuses', 'account: { type: futures, leverage: 500 }\n', /everage/],
])('leaves no file behind where a start is refused for %s', async (_, yaml, why) => {
  const folder = emptyFolder()
  expect(String(await start(folder, `strategies: [{ ${STRATEGY} }]\n${yaml}`))).toMatch(why)
  expect(readdirSync(folder)).toEqual([])
})

it.each([
  ['delivered', 200],
  ['not delivered', 500],
])(
  'leaves no file of notices behind where a first start is refused, with its notice %s',
  async (_, status) => {
    const folder = emptyFolder()
    const hook = createServer((_request, answer) => answer.writeHead(status).end()).listen(0, '127.0.0.1')
    onTestFinished(() => void hook.close())
    await once(hook, 'listening')
    const { port } = hook.address() as AddressInfo // of a server that listens on a port
    const yaml = `strategies: [{ ${STRATEGY} }]
account: { type: futures, leverage: 500 }
notices: { channels: { hook: { type: webhook, url: 'http://127.0.0.1:${port}' } } }
`
    expect(await start(folder, yaml)).toBeInstanceOf(Error)
    expect(readdirSync(folder)).toEqual([])
  },
)

it('leaves no file behind where the exchange is down', async () => {
  vi.stubEnv('SLUICE_API_KEY', 'key')
  vi.stubEnv('SLUICE_API_SECRET', 'secret')
  onTestFinished(() => void vi.unstubAllEnvs())
  const folder = emptyFolder()
  const yaml = `strategies: [{ ${STRATEGY} }]\nvenue: { type: exchange, spotUrl: 'http://127.0.0.1:1' }\n`
  expect(await start(folder, yaml)).toBeInstanceOf(Error)
  expect(readdirSync(folder)).toEqual([])
})

it('keeps the files of a start that could trade, and those that were there before a refusal', async () => {
  const folder = emptyFolder()
  const yaml = `strategies: [{ ${STRATEGY} }]\n`
  expect(await start(folder, yaml)).toBe(0)
  const files = ['bot.journal', 'bot.journal.exchange', 'bot.journal.lock']
  expect(readdirSync(folder)).toEqual(files)
  expect(await start(folder, `${yaml}account: { type: futures, leverage: 500 }\n`)).toBeInstanceOf(Error)
  expect(readdirSync(folder)).toEqual(files)
})

it('says what the journal knows to be held where a later start fails', async () => {
  const folder = emptyFolder()
  const file = join(folder, 'buyer.ts')
  const library = JSON.stringify(resolve('src/strategy/index.ts'))
  writeFileSync(
    file,
    `import { defineStrategy, depth, enterLong } from ${library}
export default defineStrategy({
  name: 'buyer',
  feeds: () => ({ book: depth({ levels: 1, everyMs: 500 }) }),
  on: { book: (_book, { position, orders }) => (position.direction === 'flat' && orders.length === 0 ? enterLong() : undefined) },
  onKline: () => undefined,
})
`,
  )
  const yaml = `strategies: [{ ${STRATEGY.replace('strategies/sma-cross.ts', JSON.stringify(file))} }]\nexecution: { onStop: keep }\n`
  const said: string[][] = [[], []]
  expect(await start(folder, yaml, said[0], 4000)).toBe(0)
  const [held] = /Still held: long [\d.]+ BTC of BTC\/USDT\./.exec(said[0]?.join('') ?? '') ?? ['nothing']
  const refused = await start(folder, `${yaml}account: { type: futures, leverage: 500 }\n`, said[1])
  expect(refused).toBeInstanceOf(UsageError)
  expect(said[1]?.join('')).toContain(held)
})

it('lets no time pass at the simulated exchange of another bot whose journal it is given', async () => {
  const folder = emptyFolder()
  const yaml = `strategies: [{ ${STRATEGY} }]\n`
  expect(await start(folder, yaml)).toBe(0)
  const exchange = () => readFileSync(join(folder, 'bot.journal.exchange'))
  const before = exchange()
  expect(String(await start(folder, `bot: other\n${yaml}`))).toContain('belongs to the bot "paper"')
  expect(exchange().equals(before)).toBe(true)
})

it('leaves no lock behind of a journal that is something else', () => {
  const folder = emptyFolder()
  const path = join(folder, 'notes.txt')
  writeFileSync(path, 'no journal')
  expect(() => new Journal(path)).toThrow('is no journal')
  expect(readdirSync(folder)).toEqual(['notes.txt'])
})

it('says which changes of the configuration a restart takes up, and which it cannot', async () => {
  const folder = emptyFolder()
  const yaml = (more: string, balances: string) =>
    `strategies: [{ ${STRATEGY}${more} }]\nvenue: { type: simulated, balances: { ${balances} } }\n`
  const said: string[][] = [[], [], []]
  expect(await start(folder, yaml('', 'USDT: 5000'), said[0])).toBe(0)
  expect(await start(folder, yaml('', 'USDT: 5000'), said[1])).toBe(0)
  expect(await start(folder, yaml(', parameters: { slow: 50 }', 'USDT: 7000, BTC: 1'), said[2])).toBe(0)
  const [first, same, changed] = said.map(texts => texts.join(''))
  for (const text of [first, same]) {
    expect(text).not.toContain('do not count')
    expect(text).not.toContain('goes on with other parameters')
  }
  expect(changed).toContain(
    'Its account began with 5000 USDT; the other \\"venue.balances\\" of the configuration, 1 BTC, 7000 USDT, do not count',
  )
  expect(changed).toMatch(
    /"changes":\[\{"name":"slow","now":50\}\].*a strategy goes on with other parameters/,
  )
})

it.each([
  ['fast: 5%', '2:25: Parameter "fast" of strategy "sma-cross" is "5%", but must be a whole number from'],
  ['fats: 5', '2:19: Strategy "sma-cross" has no parameter "fats".'],
  ['fast: 50, slow: 50', '2:17: Strategy "sma-cross" cannot use these parameters: fast (50)'],
])('names file, line and column of the parameters %s', async (parameters, sentence) => {
  const yaml = `strategies: [{ ${STRATEGY},\n    parameters: { ${parameters} } }]\n`
  const error = await start(emptyFolder(), yaml)
  expect(error).toBeInstanceOf(UsageError)
  expect(error).toHaveProperty('message', expect.stringContaining(`bot.yaml:${sentence}`))
})
