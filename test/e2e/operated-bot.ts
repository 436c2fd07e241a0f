import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { fileWith, SluiceProcess, strategyFile } from './sluice-process.ts'

/** A bot on the simulated exchange that buys whenever it holds nothing, with a stop-loss far away. */
export function operatedConfig(): string {
  const file = strategyFile(
    'holder',
    `({ close }, { position }) => (position.direction === 'flat' ? enterLong({ stopLoss: close / 2 }) : undefined)`,
  )
  const folder = dirname(file)
  return fileWith(
    'bot.yaml',
    `venue: { type: simulated, speed: 120 }
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
journal: { file: ${JSON.stringify(join(folder, 'record', 'bot.journal'))} }
control: { socket: ${JSON.stringify(join(folder, 'bot.sock'))} }
`,
  )
}

/** Starts a bot with a configuration. */
export const startBot = (config: string) =>
  new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'])

/** Runs a command to the bot; returns its exit code and what it wrote. */
export async function botCommand(config: string, ...args: readonly string[]) {
  const command = new SluiceProcess(['src/main.js', 'bot', ...args, '--config', config])
  const exitCode = await command.exitCode
  return { exitCode, out: command.out, err: command.err }
}

/** Has a bot leave in order; returns the summary that it ends with. */
export async function left(process: SluiceProcess) {
  process.signal('SIGTERM')
  expect(await process.exitCode).toBe(0)
  expect(process.err).toBe('')
  return JSON.parse(process.lines.at(-1) ?? '')
}
