import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import { readSession } from '../../../src/bot/paper/read-session.ts'
import { type SessionResult, sessionResult } from '../../../src/bot/paper/session-result.ts'
import { openPaperVenue } from '../../../src/bot/venue/paper-venue.ts'
import type { Venue } from '../../../src/bot/venue/venue.ts'
import { accountsOf } from '../../../src/config/account-fields.ts'
import { type BotConfig, botConfigSchema } from '../../../src/config/bot-config.ts'
import type { SessionRow } from '../../../src/matching/session-row.ts'
import type { ToldLevel } from '../../../src/matching/told-market.ts'
import type { ExchangeRequest } from '../../../src/simulator/protocol/request-authentication.ts'
import { type ExchangeServer, startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import type { SimulatorConfigInput } from '../../../src/simulator/simulator-config.ts'

/** 2024-01-01T00:00:00Z. */
const START = 1_704_067_200_000
/** A step of virtual time; sockets get a ms of real time in it. */
const STEP_MS = 50

export type PaperConfig = BotConfig & { readonly venue: Extract<BotConfig['venue'], { type: 'paper' }> }

/** A host with a scripted market behind real HTTP, and a paper venue on it, on virtual time. */
export class PaperWorld {
  readonly clock = new VirtualClock(START)
  readonly folder = mkdtempSync(join(tmpdir(), 'sluice-paper-'))
  readonly host: SimulatedExchange
  /** What reached the host. */
  readonly requests: ExchangeRequest[] = []
  /** A path that the host does not answer. */
  hides = ''
  /** Klines of the host, as its answers have them; `undefined`: those that it makes itself. */
  klines: object[] | undefined = []
  #server: ExchangeServer | undefined
  #trades = 0

  constructor(host: SimulatorConfigInput = { listings: [{ symbol: 'BTC/USDT', market: { type: 'live' } }] }) {
    this.host = createSimulatedExchange({ ...host, keptInputs: 0 })
  }

  /** Begins to listen. */
  async listen(): Promise<void> {
    this.host.advance(START)
    this.#server = await startExchangeServer({
      exchange: this.host,
      clock: this.clock,
      elsewhere: request => {
        this.requests.push(request)
        if (this.hides !== '' && request.target.includes(this.hides))
          return Promise.resolve({ status: 503, body: '{}' })
        if (this.klines === undefined || !request.target.includes('/klines')) return undefined
        return Promise.resolve({ status: 200, body: JSON.stringify(this.klines) })
      },
    })
  }

  /** Addresses of the host, each with the prefix of its dialect. */
  get urls(): { readonly spotUrl: string | undefined; readonly futuresUrl: string | undefined } {
    return { spotUrl: this.#server?.spotUrl, futuresUrl: this.#server?.futuresUrl }
  }

  /** The configuration of a bot on the host, as written in YAML. */
  config(venue: object = {}, more: object = {}): PaperConfig {
    const url = this.#server?.url
    return botConfigSchema.parse({
      bot: 'tested',
      strategies: [
        { file: 'strategies/sma-cross.ts', symbol: 'BTC/USDT', interval: '1m', size: { base: 1 } },
      ],
      ...more,
      venue: {
        ...{ type: 'paper', spotUrl: url, futuresUrl: url, readMs: 200, folder: join(this.folder, 'paper') },
        ...venue,
      },
    }) as PaperConfig // of the type paper
  }

  /** Opens the venue; with a journal, the account is kept beside it. */
  open(
    config = this.config(),
    journal?: { readonly path: string; readonly time: number | undefined },
  ): Promise<Venue> {
    const accounts = accountsOf(config)
    const clockHost = accounts.futures === undefined ? 'spot' : 'futures'
    const opening = openPaperVenue(config.venue, {
      ...{ config, accounts, clockHost, clock: this.clock, journal, records: true, random: () => 0.5 },
    })
    return this.until(opening)
  }

  /** The host shows a book of a market from now on. */
  book(bids: readonly ToldLevel[], asks: readonly ToldLevel[], symbol = 'BTC/USDT'): void {
    const book = { time: this.clock.now(), bids, asks, levels: 100 }
    this.host.observe({ kind: 'book', symbol, roundTripMs: undefined, book }, this.clock.now())
  }

  /** Somebody trades at the host; `side` is the taker's. */
  trade(side: 'buy' | 'sell', price: string, quantity: string): void {
    const trade = { id: String(++this.#trades), time: this.clock.now(), price, quantity, side }
    this.host.observe({ kind: 'trades', symbol: 'BTC/USDT', trades: [trade] }, this.clock.now())
  }

  /** Lets time pass. */
  async pass(ms: number, stepMs = STEP_MS): Promise<void> {
    for (const end = this.clock.now() + ms; this.clock.now() < end; ) await this.#step(stepMs)
  }

  /** Lets time pass until a promise is settled. */
  async until<Value>(promise: Promise<Value>): Promise<Value> {
    let isOver = false
    const over = () => {
      isOver = true
    }
    promise.then(over, over)
    while (!isOver) await this.#step()
    return promise
  }

  /** Rows of the session's record. */
  rows<Type extends SessionRow['type']>(type: Type): readonly Extract<SessionRow, { type: Type }>[] {
    const lines = readFileSync(join(this.folder, 'paper/tested/session.jsonl'), 'utf8').trim().split('\n')
    return lines.map(line => JSON.parse(line)).filter(row => row.type === type)
  }

  /** The session, matched again from its record. */
  report(): SessionResult {
    return sessionResult(readSession(join(this.folder, 'paper/tested')))
  }

  async close(...venues: readonly Venue[]): Promise<void> {
    for (const venue of venues) await this.until(venue.close())
    await this.#server?.close()
  }

  async #step(stepMs = STEP_MS): Promise<void> {
    await this.clock.advanceTo(this.clock.now() + stepMs)
    await sleep(1)
  }
}
