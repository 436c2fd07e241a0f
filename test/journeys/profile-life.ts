import { dirname, join } from 'node:path'
import type { DialectName } from '../../src/simulator/dialects/dialects.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { fileWith, SluiceProcess } from '../e2e/sluice-process.ts'
import { TRIPPER } from '../e2e/tripper.ts'

const KEYS = { SLUICE_API_KEY: TEST_ACCOUNT.apiKey, SLUICE_API_SECRET: TEST_ACCOUNT.apiSecret }

/** A bot that does not get on within so long has failed, ms. */
const PATIENCE_MS = 180_000

/** Account and symbol that a profile is played on. */
export interface PlayedMarket {
  readonly account: 'spot' | 'futures'
  readonly symbol: string
  /** YAML of what the lists of the host do not tell. */
  readonly instruments?: string
}

/** Result of one journey: how long it took, ms; or why it went otherwise, in a sentence. */
export type Played = number | string

/** A simulated exchange in the dialect of a profile, and bots on it. */
export class ProfileLife {
  readonly #profile: DialectName
  readonly #urls: { readonly spotUrl: string; readonly futuresUrl: string }

  private constructor(profile: DialectName, urls: { readonly spotUrl: string; readonly futuresUrl: string }) {
    this.#profile = profile
    this.#urls = urls
  }

  static async open(profile: DialectName): Promise<ProfileLife> {
    const server = new SluiceProcess([
      'src/main.js',
      'exchange',
      '--json',
      '--seed',
      '3',
      '--profile',
      profile,
    ])
    return new ProfileLife(profile, JSON.parse(await server.line('spotUrl')))
  }

  /** Starts a bot, lets it buy and sell, kills it while a bid rests, and starts it again: it must know the bid. */
  async live(market: PlayedMarket): Promise<Readonly<Record<'start' | 'round trip' | 'restart', Played>>> {
    const config = this.#config(market, `type: exchange, profile: ${this.#profile}, ${this.#urlKeys()}`)
    const start = () => new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'], KEYS)
    const first = start()
    const started = await timed(() => first.line('"msg":"trading"'))
    const tripped = await timed(async () => {
      await first.line('"exitPrice"')
      await first.line('"purpose":"entry","type":"limit"')
    })
    // One that failed must not stand in the way of the next under its name.
    first.signal('SIGKILL')
    await first.exitCode
    if (typeof started === 'string') return { start: firstLine(first), 'round trip': '–', restart: '–' }
    if (typeof tripped === 'string') return { start: started, 'round trip': tripped, restart: '–' }
    const restart = await timed(async () => {
      const second = start()
      await second.line('"msg":"trading"')
      const status = new SluiceProcess(['src/main.js', 'bot', 'status', '--json', '--config', config])
      if ((await status.exitCode) !== 0) throw new Error(status.err)
      const { orders } = JSON.parse(status.out).status
      if (orders.length !== 1) throw new Error(`${orders.length} orders are known after the restart`)
      second.signal('SIGTERM')
      if ((await second.exitCode) !== 0) throw new Error(second.err)
    })
    return { start: started, 'round trip': tripped, restart }
  }

  /** Has the doctor examine the configuration of a bot. */
  doctor(market: PlayedMarket): Promise<Played> {
    const config = this.#config(market, `type: exchange, profile: ${this.#profile}, ${this.#urlKeys()}`)
    return ended(['src/main.js', 'doctor', config], KEYS)
  }

  /** Has the doctor examine the exchange without a key, and write its profile: how long that took, and the file. */
  async venueDoctor(): Promise<{ readonly took: Played; readonly file: string }> {
    const { origin } = new URL(this.#urls.spotUrl)
    const file = join(dirname(fileWith('folder', '')), 'host.yaml')
    return { took: await ended(['src/main.js', 'doctor', '--venue', origin, '--write', file]), file }
  }

  /** Trades a round trip with a profile that the doctor has written, which names the hosts. */
  byWritten(file: string, market: PlayedMarket): Promise<Played> {
    return this.#trip(this.#config(market, `type: exchange, profile: ${JSON.stringify(file)}`), KEYS)
  }

  /** Trades a round trip on paper, on the market of the host. */
  async paper(market: PlayedMarket): Promise<Played> {
    const config = this.#config(
      market,
      `type: paper, profile: ${this.#profile}, ${this.#urlKeys()}, balances: { USDT: 10000 }, folder: ${JSON.stringify(join(dirname(fileWith('folder', '')), 'paper'))}`,
    )
    return this.#trip(config)
  }

  async #trip(config: string, environment = {}): Promise<Played> {
    const bot = new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'], environment)
    const played = await timed(() => bot.line('"exitPrice"'))
    bot.signal('SIGTERM')
    const exitCode = await bot.exitCode
    if (typeof played === 'string') return firstLine(bot)
    return exitCode === 0 ? played : `exit code ${exitCode}: ${bot.err}`
  }

  #urlKeys(): string {
    const { spotUrl, futuresUrl } = this.#urls
    return `spotUrl: ${JSON.stringify(spotUrl)}, futuresUrl: ${JSON.stringify(futuresUrl)}`
  }

  #config({ account, symbol, instruments = '' }: PlayedMarket, venue: string): string {
    const strategy = fileWith('tripper.ts', TRIPPER)
    const here = (name: string) => JSON.stringify(join(dirname(strategy), name))
    const rules = account === 'spot' ? '' : ', leverage: 3, marginMode: cross, positionMode: oneWay'
    return fileWith(
      'bot.yaml',
      `venue: { ${venue} }
account: { type: ${account}${rules} }
execution: { onStop: keep }
journal: { file: ${here('bot.journal')} }
control: { socket: ${here('bot.sock')} }
strategies: [{ file: ${JSON.stringify(strategy)}, symbol: ${symbol}, interval: 1m, size: { quote: 100 } }]
${instruments}
`,
    )
  }
}

/** ms that the work took, or the reason that it failed or did not end. */
async function timed(work: () => Promise<unknown>): Promise<Played> {
  const start = performance.now()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`nothing more came for ${PATIENCE_MS / 1000} s`)),
    PATIENCE_MS,
  )
  try {
    await Promise.race([work(), promise])
    return performance.now() - start
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? ''
  } finally {
    clearTimeout(timer)
  }
}

async function ended(args: readonly string[], environment = {}): Promise<Played> {
  const start = performance.now()
  const command = new SluiceProcess(args, environment)
  const exitCode = await command.exitCode
  return exitCode === 0 ? performance.now() - start : firstLine(command)
}

/** The sentence with which a process ended. */
function firstLine({ out, err }: SluiceProcess): string {
  const [line = ''] = (err === '' ? out : err).trim().split('\n').slice(-1)
  return (err === '' ? line : (err.trim().split('\n')[0] ?? '')).replace(/\s+/g, ' ')
}
