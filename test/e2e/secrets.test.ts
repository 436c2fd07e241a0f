import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { SECRET_VARIABLES } from '../../src/config/secret-variables.ts'
import { studied } from '../cli/research/studied.ts'
import { fileWith, ROOT, SluiceProcess } from './sluice-process.ts'
import { withPackage } from './with-package.ts'

/** Names variables of its own for the secrets of notices and metrics, one of which is not used. */
const OTHERS = `metrics: { tokenEnv: OWN_METRICS }
notices:
  channels:
    mail: { type: mail, host: 127.0.0.1, security: none, from: a@example.com, to: [b@example.com], passwordEnv: OWN_MAIL, severity: critical }
    hook: { type: webhook, urlEnv: OWN_HOOK, severity: critical }
`
const VENUES = {
  'a simulated exchange': {
    config: `venue: { type: simulated, speed: 300 }\n${OTHERS}`,
    variables: ['OWN_MAIL', 'OWN_HOOK', 'OWN_METRICS'],
  },
  'a real one': {
    config: `venue: { type: exchange, spotUrl: "http://127.0.0.1:9", apiKeyEnv: OWN_KEY, apiSecretEnv: OWN_SECRET }\n${OTHERS}`,
    variables: ['OWN_KEY', 'OWN_SECRET', 'OWN_MAIL', 'OWN_HOOK', 'OWN_METRICS'],
  },
} as const

const planted = (names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, `http://127.0.0.1:9/planted-${name}`]))
const SECRETS = planted(Object.values(SECRET_VARIABLES))

/** Note of a package at its import: the thread, and the variables that it sees. */
const NOTING = `import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
const seen = Object.keys(process.env).filter(name => process.env[name].includes('planted'))
appendFileSync(process.env.NOTES, JSON.stringify({ isMainThread, seen, other: process.env.OTHER }) + '\\n')
`

/** Runs a command on a strategy that imports such a package; returns what that has noted, once for each thread that imported it. */
async function notesOf(
  args: (strategy: string) => readonly string[],
  environment: Readonly<Record<string, string>> = SECRETS,
) {
  const crossing = `export { default } from ${JSON.stringify(join(ROOT, 'strategies/sma-cross.ts'))}\n`
  const strategy = withPackage(fileWith('crossing.ts', crossing), 'curious', NOTING)
  const notes = join(dirname(strategy), 'notes')
  const command = new SluiceProcess(['src/main.js', ...args(strategy)], {
    ...environment,
    ...{ OTHER: 'stays', NOTES: notes },
  })
  await command.exitCode
  expect(command.out + command.err).not.toContain('planted')
  const lines = readFileSync(notes, 'utf8').trim().split('\n')
  return lines.map(line => JSON.parse(line))
}

const botOf = (config: string, strategy: string) =>
  fileWith(
    'bot.yaml',
    `${config}strategies: [{ file: ${JSON.stringify(strategy)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
control: { socket: ${JSON.stringify(join(dirname(strategy), 'bot.sock'))} }
`,
  )

const inputsOf = (command: string) => {
  const { csv, study } = studied(600)
  const searches =
    command === 'backtest' ? [] : ['--study', study, '--param', 'fast=2:9', '--param', 'slow=10:40']
  return ['--data', csv, '--symbol', 'BTC/USDT', '--interval', '1h', ...searches]
}

const HERE = { isMainThread: true, seen: [], other: 'stays' }
const THREAD = { ...HERE, isMainThread: false }

it.each([
  ['start --stop-after 1s', 'a simulated exchange'],
  ['start --stop-after 1s', 'a real one'],
  ['start --plan', 'a real one'],
  ['doctor', 'a simulated exchange'],
  ['doctor', 'a real one'],
] as const)('a package finds none of the secrets that a bot may have in %s on %s', async (command, venue) => {
  const { config, variables } = VENUES[venue]
  const args = (strategy: string) => {
    const path = botOf(config, strategy)
    return [...command.split(' '), ...(command === 'doctor' ? [path] : ['--config', path])]
  }
  expect(await notesOf(args, { ...SECRETS, ...planted(variables) })).toEqual([HERE])
})

it.each([
  ['backtest', [HERE]],
  ['optimize --trials 6 --jobs 3', [HERE, THREAD, THREAD]],
  ['walk-forward --trials 2', [HERE]],
  ['validate --trials 2', [HERE]],
] as const)('a package finds no secret in %s, nor in its threads', async (command, expected) => {
  const [name = '', ...options] = command.split(' ')
  expect(await notesOf(strategy => [name, strategy, ...inputsOf(name), ...options])).toEqual(expected)
})
