import { dirname, join } from 'node:path'
import { fileWith, SluiceProcess, strategyFile } from './sluice-process.ts'

/** Secrets that must not be seen anywhere. */
export const SECRETS = {
  SLUICE_TELEGRAM_TOKEN: '123:planted-token-of-telegram',
  SLUICE_HOOK_SECRET: 'planted-secret-of-the-hook',
  SLUICE_SMTP_PASSWORD: 'planted-password-of-the-mail',
}

/** The configuration of a bot that buys once, with these channels. */
export function noticedConfig(channels: string): string {
  const file = strategyFile(
    'holder',
    `({ close }, { position }) => (position.direction === 'flat' ? enterLong({ stopLoss: close / 2, tag: 'x' }) : undefined)`,
  )
  const folder = dirname(file)
  return fileWith(
    'bot.yaml',
    `venue: { type: simulated, speed: 120 }
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
journal: { file: ${JSON.stringify(join(folder, 'bot.journal'))} }
control: { socket: ${JSON.stringify(join(folder, 'bot.sock'))} }
notices: { channels: { ${channels} } }
web: {}
`,
  )
}

/** Starts a bot that has its secrets in the environment. */
export const startNoticed = (config: string) =>
  new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'], SECRETS)
/** Kinds of the notices that arrived at a hook. */
export const kindsOf = (arrived: readonly { readonly body: string }[]) =>
  arrived.map(({ body }) => JSON.parse(body).kind)
