import { fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { createBotLog } from '../../src/bot/bot-log.ts'
import { createBot } from '../../src/bot/create-bot.ts'
import { rateOf } from '../../src/domain/amount.ts'
import { createExchangeClient } from '../../src/exchange/exchange-client.ts'
import { Journal } from '../../src/journal/journal.ts'
import { flipper } from '../bot/test-strategies.ts'
import { JumpingClock } from './jumping-clock.ts'
import { BARE_ACCOUNT, BOT_ACCOUNT, MINUTE, START, symbolsOf } from './latency-world.ts'
import { quantile } from './quantile.ts'

/** When the bot asks for klines, after their close, ms; as far apart as in a running bot. */
const KLINE_DELAY_MS = 50
const BETWEEN_CALLS_MS = 2.5
const ORDER_PATH = '/sapi/v2/order'
const KLINES_PATH = '/sapi/v2/klines'
const JUMP_AHEAD_MS = 30

const [count, rounds, folder] = [
  Number(process.argv[2]),
  Number(process.argv[3]),
  process.argv[4] ?? tmpdir(),
]
/** Moments before a close to stop at: of so many orders one can ask after 20 in 2 seconds. */
const SETTLING_MS = count > 20 ? [24_000, 20_000, 16_000, 12_000, 8000] : [20_000]
const symbols = symbolsOf(count)
const files = mkdtempSync(join(folder, 'sluice-latency-'))
const clock = new JumpingClock(START)
const server = fork(fileURLToPath(import.meta.resolve('./stamped-exchange.ts')), [String(count)])
const [url] = (await once(server, 'message')) as [string]

/** A request as undici tells of it. */
interface SentRequest {
  readonly path: string
  readonly body: Uint8Array | null
}

/** When the bytes of each order were on its socket, and when the process began to read each answer with klines. */
const departures: { readonly body: Uint8Array; readonly at: number }[] = []
const readings: { readonly path: string; readonly at: number }[] = []
let underWay = 0
subscribe('undici:request:create', () => underWay++)
subscribe('undici:request:trailers', () => underWay--)
subscribe('undici:request:error', () => underWay--)
subscribe('undici:request:headers', message => {
  const at = nowMs()
  const { path } = requestIn(message)
  if (path.startsWith(KLINES_PATH)) readings.push({ path, at })
})
subscribe('undici:request:bodySent', message => {
  const at = nowMs()
  const { path, body } = requestIn(message)
  if (path.startsWith(ORDER_PATH) && body !== null) departures.push({ body, at })
})

function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function requestIn(message: unknown): SentRequest {
  return (message as { readonly request: SentRequest }).request // as undici documents its channels
}

/** Waits until so many orders have left and all is answered. */
async function quiet(orders: number): Promise<void> {
  for (let still = 0, waits = 0; still < 3; waits++) {
    await sleep(2)
    still = underWay === 0 && departures.length >= orders ? still + 1 : 0
    if (waits > 5000) throw new Error(`Only ${departures.length} of ${orders} orders left.`)
  }
}

/** Sets both clocks forward, and waits until so many orders have left and nothing is under way. */
async function jumpTo(time: number, orders: number): Promise<void> {
  await ask({ jumpTo: time })
  clock.jumpTo(time)
  await quiet(orders)
}

async function ask<Answer>(question: object | string): Promise<Answer> {
  server.send(question)
  return (await once(server, 'message'))[0]
}

/** Of each order of a round: from the arrival of the last answer it needed to its own bytes on the socket, and the same from when that answer was read; ms. */
async function delays(): Promise<readonly { readonly arrived: number; readonly read: number }[]> {
  const arrivals = new Map(await ask<[string, number][]>('stamps'))
  const symbolOf = (path: string) => new URL(path, url).searchParams.get('symbol')
  const reads = new Map(readings.splice(0).map(({ path, at }) => [symbolOf(path), at]))
  const left = new Map(
    departures.splice(0).map(({ body, at }) => [JSON.parse(Buffer.from(body).toString()).symbol, at]),
  )
  let [arrivedAt, readAt] = [0, 0]
  return symbols.flatMap(symbol => {
    // A kline is shown after those of the symbols before it.
    readAt = Math.max(readAt, reads.get(symbol) ?? 0)
    // The server may hear late that its answer has gone; what is read has arrived.
    arrivedAt = Math.max(arrivedAt, Math.min(arrivals.get(symbol) ?? 0, reads.get(symbol) ?? 0))
    const at = left.get(symbol)
    return at === undefined ? [] : [{ arrived: at - arrivedAt, read: at - readAt }]
  })
}

/** The bot as a configuration would make it. */
function startSluice() {
  const journal = new Journal(join(files, 'bot.journal'), { keepEntries: 1_000_000 })
  const client = createExchangeClient({
    spotUrl: url,
    ...BOT_ACCOUNT,
    clock,
    recvWindowMs: 5000,
    timeoutMs: 10_000,
    timeOffset: () => 0,
  })
  const polling = {
    tickerMs: 5000,
    klineDelayMs: KLINE_DELAY_MS,
    balancesMs: 15_000,
    listingsMs: 600_000,
    weightPerMinute: 12_000,
    orderShare: 0.25,
    staleAfterMs: 30_000,
    mergeWaitMs: 5000,
  }
  const execution = {
    orderTimeoutMs: 10_000,
    pollOrdersMs: 1000,
    maxSlippageRate: rateOf('0.01'),
    settlementMarginMs: 30_000,
    foreignOrders: 'leave',
    onStop: 'keep',
    stopWithinMs: 5000,
  } as const
  const bot = createBot({
    config: { bot: 'latency', execution, polling },
    venue: {
      description: 'latency',
      clock,
      spot: client.spot,
      account: client.account,
      serverNow: () => clock.now(),
      close: () => client.close(),
    },
    strategies: symbols.map(symbol => ({
      file: '',
      strategy: flipper,
      parameters: {},
      symbol,
      interval: '1m',
      size: { quote: 1000 },
    })),
    log: createBotLog({ level: 'info', readable: false, stream: { write: () => {} } }),
    journal,
  })
  const close = async () => {
    await client.close()
    journal.close()
  }
  return { bot, close }
}

/** What must be done at the least: an answer read, a row put on the disk for good, an order signed and sent. */
class BareTrader {
  readonly #agent = new Agent({ connections: 64, pipelining: 1 })
  readonly #database = new DatabaseSync(join(files, 'bare.db'))
  readonly #insert

  constructor() {
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (row TEXT)')
    this.#insert = this.#database.prepare('INSERT INTO rows VALUES (?)')
  }

  async round(): Promise<void> {
    const calls: Promise<void>[] = []
    for (const symbol of symbols) {
      calls.push(this.#call(symbol))
      await sleep(BETWEEN_CALLS_MS)
    }
    await Promise.all(calls)
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
    this.#database.close()
  }

  async #call(symbol: string): Promise<void> {
    const name = encodeURIComponent(symbol)
    const path = `${url}${KLINES_PATH}?symbol=${name}&interval=1min&limit=3`
    const answer = await request(path, { dispatcher: this.#agent })
    const klines: unknown = await answer.body.json()
    if (!Array.isArray(klines)) throw new Error(`There are no klines: ${JSON.stringify(klines)}`)
    const order = { symbol, side: 'BUY', type: 'LIMIT', volume: '0.001', price: '1', recvwindow: 5000 }
    const body = JSON.stringify(order)
    this.#insert.run(body)
    const timestamp = String(clock.now())
    const path2 = `${ORDER_PATH}/test`
    const headers = {
      'X-CH-APIKEY': BARE_ACCOUNT.apiKey,
      'X-CH-TS': timestamp,
      'X-CH-SIGN': createHmac('sha256', BARE_ACCOUNT.apiSecret)
        .update(`${timestamp}POST${path2}${body}`)
        .digest('hex'),
      'Content-Type': 'application/json',
    }
    const sent = await request(`${url}${path2}`, { method: 'POST', headers, body, dispatcher: this.#agent })
    await sent.body.text()
  }
}

// Both clocks, which started with their processes, now show the same.
await ask({ jumpTo: START + MINUTE / 2 })
clock.jumpTo(START + MINUTE / 2)
const { bot: starting, close } = startSluice()
const bare = new BareTrader()
type Delays = Awaited<ReturnType<typeof delays>>[number]
const [value, floor]: [Delays[], Delays[]] = [[], []]
try {
  const bot = await starting
  let failure: unknown
  bot.start(error => {
    failure ??= error
  })
  for (let round = 1; round <= rounds; round++) {
    const close = START + round * MINUTE
    for (const before of SETTLING_MS) await jumpTo(close - before, 0)
    await jumpTo(close + KLINE_DELAY_MS - JUMP_AHEAD_MS, count)
    if (failure !== undefined) throw failure
    // The first minutes find connections closed and code cold.
    const isWarm = round > rounds / 5
    const slow = await delays()
    if (isWarm) value.push(...slow)
    await bare.round()
    const fast = await delays()
    if (isWarm) floor.push(...fast)
  }
  await bot.leave()
  const measured = (from: keyof Delays, share: number) => ({
    value: quantile(
      value.map(delay => delay[from]),
      share,
    ),
    floor: quantile(
      floor.map(delay => delay[from]),
      share,
    ),
  })
  const both = (from: keyof Delays) => ({ p50: measured(from, 0.5), p99: measured(from, 0.99) })
  console.log(JSON.stringify({ arrived: both('arrived'), read: both('read') }))
} finally {
  await close()
  await bare.close()
  server.kill()
  rmSync(files, { recursive: true, force: true })
}
