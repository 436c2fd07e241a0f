import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BotObserver } from '../../../src/bot/bot-observer.ts'
import { createBot } from '../../../src/bot/create-bot.ts'
import { createBotLog } from '../../../src/bot/log/bot-log.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { httpTransport } from '../../../src/exchange/http/http-transport.ts'
import type { Transport } from '../../../src/exchange/http/transport.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { flipper } from '../../bot/test-strategies.ts'
import { quantile } from '../quantile.ts'
import { BarePages } from './bare-pages.ts'
import { BareTrader } from './bare-trader.ts'
import { JumpingClock } from './jumping-clock.ts'
import { BOT_ACCOUNT, MINUTE, START, symbolsOf } from './latency-world.ts'
import { timedJournal } from './timed-journal.ts'
import { watchSockets } from './watched-sockets.ts'
import { type Audience, WindowReaders } from './window-readers.ts'

/** When the bot asks for klines, after their close, ms; as far apart as in a running bot. */
const KLINE_DELAY_MS = 50
const BETWEEN_CALLS_MS = 2.5
const ORDER_PATH = '/sapi/v2/order'
const KLINES_PATH = '/sapi/v2/klines'
const JUMP_AHEAD_MS = 30

/** Audiences of the bot's window, one after the other, each for so many rounds; none without a window. */
const audiences: readonly Audience[] = process.argv[5] === 'watched' ? ['none', 'page', 'crowd'] : []
const ROUNDS_EACH = 5

const [count, rounds, folder] = [
  Number(process.argv[2]),
  Number(process.argv[3]),
  process.argv[4] || tmpdir(),
]
/** Moments before a close to stop at: of so many orders one can ask after 20 in 2 seconds. */
const SETTLING_MS = count > 20 ? [24_000, 20_000, 16_000, 12_000, 8000, 1000] : [20_000, 1000]
/** How long the bot has to make ready for a close, ms of real time. */
const READY_MS = 30
const symbols = symbolsOf(count)
const files = mkdtempSync(join(folder, 'sluice-latency-'))
const clock = new JumpingClock(START)
let underWay = 0
const server = fork(fileURLToPath(import.meta.resolve('./stamped-exchange.ts')), [String(count)])
const [url] = (await once(server, 'message')) as [string]

/** When the bytes of each order were on its socket, and when the process began to read each answer with klines; by symbol. */
const departures = new Map<string, number>()
const readings = new Map<string, number>()
/** Waits for the disk: those of the bot, and those of the bare trader by symbol; ms. */
const commits: { readonly endedAt: number; readonly ms: number }[] = []
const bareWaits = new Map<string, number>()
watchSockets({
  wrote: (request, at) => {
    if (request.startsWith(`POST ${ORDER_PATH}`)) departures.set(orderedSymbol(request), at)
  },
  began: (request, at) => {
    if (request.startsWith(`GET ${KLINES_PATH}`)) readings.set(askedSymbol(request), at)
  },
})

function orderedSymbol(request: string): string {
  return JSON.parse(request.slice(request.indexOf('\r\n\r\n'))).symbol
}

function askedSymbol(request: string): string {
  const [, target = ''] = request.split(' ')
  return new URL(target, url).searchParams.get('symbol') ?? ''
}

/** Waits until so many orders have left and all is answered. */
async function quiet(orders: number): Promise<void> {
  for (let still = 0, waits = 0; still < 3; waits++) {
    await sleep(2)
    still = underWay === 0 && departures.size >= orders ? still + 1 : 0
    if (waits > 5000) throw new Error(`Only ${departures.size} of ${orders} orders left.`)
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

/** Of an order, ms: from the arrival of the last answer it needed to its own bytes on the socket, from when that answer was read, how long of that the disk was waited for, and what is left without. */
type Delays = Readonly<Record<'arrived' | 'read' | 'disk' | 'own', number>>

/** The delays of each order of a round. */
async function delays(): Promise<readonly Delays[]> {
  const arrivals = new Map(await ask<[string, number][]>('stamps'))
  const reads = new Map(readings)
  const left = new Map(departures)
  const waits = commits.splice(0)
  readings.clear()
  departures.clear()
  let [arrivedAt, readAt] = [0, 0]
  return symbols.flatMap(symbol => {
    // A kline is shown after those of the symbols before it.
    readAt = Math.max(readAt, reads.get(symbol) ?? 0)
    // The server may hear late that its answer has gone; what is read has arrived.
    arrivedAt = Math.max(arrivedAt, Math.min(arrivals.get(symbol) ?? 0, reads.get(symbol) ?? 0))
    const at = left.get(symbol)
    if (at === undefined) return []
    const wait = bareWaits.get(symbol) ?? waits.findLast(({ endedAt }) => endedAt <= at)?.ms ?? 0
    bareWaits.delete(symbol)
    return [{ arrived: at - arrivedAt, read: at - readAt, disk: wait, own: at - readAt - wait }]
  })
}

/** Counts the calls under way. */
function counted(send: Transport): Transport {
  return async request => {
    underWay++
    try {
      return await send(request)
    } finally {
      underWay--
    }
  }
}

/** The bot as a configuration would make it. */
function startSluice(observer: BotObserver | undefined) {
  const journal = new Journal(join(files, 'bot.journal'), { keepEntries: 1_000_000 })
  const { send, close: closeConnections } = httpTransport()
  const client = createExchangeClient({
    transport: counted(send),
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
    maxPriceJumpRate: rateOf('0.05'),
    settlementMarginMs: 30_000,
    foreignOrders: 'leave',
    onStop: 'keep',
    stopWithinMs: 5000,
  } as const
  const log = createBotLog({ level: 'info', readable: false, stream: { write: () => {} } })
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
    log,
    observer,
    journal: timedJournal(journal, commit => commits.push(commit)),
  })
  const close = async () => {
    await client.close()
    await closeConnections()
    journal.close()
  }
  return { bot, close }
}

// Both clocks, which started with their processes, now show the same.
await ask({ jumpTo: START + MINUTE / 2 })
clock.jumpTo(START + MINUTE / 2)
const window = audiences.length === 0 ? undefined : await WindowReaders.open(() => clock.now())
const { bot: starting, close } = startSluice(window?.observer)
const bare = new BareTrader({
  url,
  symbols,
  folder: files,
  betweenCallsMs: BETWEEN_CALLS_MS,
  now: () => clock.now(),
  onDurable: (symbol, ms) => bareWaits.set(symbol, ms),
})
const pages = new BarePages(join(files, 'pages'))
const [value, floor]: [Delays[], Delays[]] = [[], []]
const flushes: number[] = []
const watched = new Map<Audience, number[]>(audiences.map(audience => [audience, []]))
try {
  const bot = await starting
  window?.show(bot)
  let failure: unknown
  bot.start(error => {
    failure ??= error
  })
  for (let round = 1; round <= rounds; round++) {
    const close = START + round * MINUTE
    const audience = audiences[Math.floor(round / ROUNDS_EACH) % audiences.length]
    if (audience !== undefined && round % ROUNDS_EACH === 0) await window?.let(audience)
    for (const before of SETTLING_MS) await jumpTo(close - before, 0)
    await sleep(READY_MS)
    await jumpTo(close + KLINE_DELAY_MS - JUMP_AHEAD_MS, count)
    if (failure !== undefined) throw failure
    // The first minutes find connections closed and code cold.
    const isWarm = round > rounds / 5
    const slow = await delays()
    if (isWarm) value.push(...slow)
    if (isWarm && audience !== undefined) watched.get(audience)?.push(...slow.map(({ own }) => own))
    await bare.round()
    const fast = await delays()
    if (isWarm) floor.push(...fast)
    for (const _ of symbols) {
      const ms = pages.flush()
      if (isWarm) flushes.push(ms)
      await sleep(BETWEEN_CALLS_MS)
    }
  }
  await bot.shutDown()
  const of = (part: keyof Delays) => (delay: Delays) => delay[part]
  const measured = (part: keyof Delays, share: number) => ({
    value: quantile(value.map(of(part)), share),
    floor: quantile(part === 'disk' ? flushes : floor.map(of(part)), share),
  })
  const both = (part: keyof Delays) => ({ p50: measured(part, 0.5), p99: measured(part, 0.99) })
  console.log(
    JSON.stringify({
      ...{ arrived: both('arrived'), read: both('read'), disk: both('disk'), own: both('own') },
      watched: Object.fromEntries(
        Array.from(watched, ([audience, own]) => [
          audience,
          { p50: quantile(own, 0.5), p99: quantile(own, 0.99), orders: own.length },
        ]),
      ),
    }),
  )
} finally {
  await window?.close()
  await close()
  await bare.close()
  pages.close()
  server.kill()
  rmSync(files, { recursive: true, force: true })
}
