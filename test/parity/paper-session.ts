import { PaperSession } from '../../src/bot/paper/paper-session.ts'
import { NO_TRADES } from '../../src/bot/paper/public-feed.ts'
import type { Accounts } from '../../src/config/account-fields.ts'
import { readTopOfBookFile, readTradeFile } from '../../src/klines/formats/read-tick-file.ts'
import type { QueueAssumption } from '../../src/matching/queue-assumption.ts'
import type { SessionMarket } from '../../src/matching/session-row.ts'
import type { MarketObservation } from '../../src/simulator/live/market-observation.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import type { Strategy } from '../../src/strategy/index.ts'
import { LiveBot } from '../live-bot.ts'
import { sharedPath } from '../shared-data.ts'
import { LogLines } from './log-lines.ts'

export const TRADES = 'hftbacktest-binanceusdm-btcusdt-20240808-trades.csv.gz'
const TOPS = 'hftbacktest-binanceusdm-btcusdt-20240808-booktop.csv.gz'
const MINUTE = 60_000
/** Interval of reading the market of the host. */
const READ_MS = 1000
/** Base of a contract. */
const CONTRACT = 0.0001

/** A market of the host; its real ticks are those of BTC, later by `delayMs` and at prices divided by `divisor`. */
export interface HostMarket {
  /** A pair, or `E-BTC-USDT` for the contract of one. */
  readonly symbol: string
  readonly delayMs?: number
  readonly divisor?: number
  /** Spans (ms since the first whole minute) in which nothing is read, each told with its minutes afterwards. */
  readonly gaps?: readonly (readonly [from: number, until: number])[]
}

/** A session on paper. */
export interface PaperSessionOptions {
  readonly strategy: Strategy
  readonly queue: QueueAssumption
  readonly markets: readonly HostMarket[]
  readonly accounts?: Accounts
}

interface Tick {
  readonly time: number
}

/**
 * Trades a strategy on paper on each market over six minutes of real trades and best prices, on virtual time, and records
 * the session in a folder. The bot begins after the first whole minute of the recording has.
 */
export async function paperSession(
  folder: string,
  { strategy, queue, markets, accounts = { spot: {} } }: PaperSessionOptions,
): Promise<void> {
  const hosts = await Promise.all(markets.map(readHost))
  const ends = hosts.map(({ trades }) => trades.at(-1)?.time ?? 0)
  const startAt = Math.floor(Math.max(...hosts.map(({ trades }) => trades[0]?.time ?? 0)) / 1000) * 1000
  const exchange = exchangeOf(markets, queue)
  const live = new LiveBot({
    ...{ bot: 'paper', startAt, lines: new LogLines(), accounts },
    exchange: withKlines(exchange, symbol => {
      const host = hosts.find(one => one.market.symbol === symbol)
      return host === undefined ? [] : klinesUntil(host, live.clock.now())
    }),
    strategies: markets.map(({ symbol }) => ({
      ...{ file: '', strategy, parameters: {}, interval: '1m', size: { base: 0.1 } },
      symbol: isContract(symbol) ? 'BTC/USDT' : symbol,
    })),
    execution: { pollOrdersMs: 1000 },
  })
  const session = new PaperSession(folder)
  session.note({
    type: 'start',
    at: startAt,
    goesOn: false,
    queue,
    levels: 1,
    markets: markets.map(marketRow),
  })
  exchange.onSessionRow(row => session.note(row))
  const observe = (observation: MarketObservation) => {
    session.observed(observation, live.clock.now())
    exchange.observe(observation, live.clock.now())
  }
  const reads = hosts.map(host => readsOf(host, startAt, observe))
  const until = async (time: number) => {
    while (live.clock.now() < time) {
      await live.runTo(Math.min(time, live.clock.now() + READ_MS))
      for (const read of reads) read(live.clock.now())
    }
  }
  exchange.advance(startAt)
  for (const read of reads) read(startAt)
  await until(Math.ceil(startAt / MINUTE) * MINUTE + 5 * READ_MS)
  await live.start()
  await until(Math.min(...ends) - MINUTE / 2)
  session.close()
}

type Host = Awaited<ReturnType<typeof readHost>>

async function readHost(market: HostMarket) {
  const { delayMs = 0, divisor = 1 } = market
  const [trades, tops] = await Promise.all([
    readTradeFile(sharedPath('data', TRADES)),
    readTopOfBookFile(sharedPath('data', TOPS)),
  ])
  const later = <Of extends Tick>(of: Of) => ({ ...of, time: of.time + delayMs })
  return {
    market,
    trades: trades.map(trade => ({ ...later(trade), price: trade.price / divisor })),
    tops: tops.map(top => ({ ...later(top), bid: top.bid / divisor, ask: top.ask / divisor })),
  }
}

/** Reads a host as its polls do: trades of a pair, mark price and minutes of a contract, and the book. */
function readsOf(host: Host, startAt: number, observe: (observation: MarketObservation) => void) {
  const { trades, tops, market } = host
  const { symbol, gaps = [] } = market
  const begin = Math.ceil(startAt / MINUTE) * MINUTE
  const spans = gaps.map(([from, until]) => ({ from: begin + from, until: begin + until }))
  const isAway = (time: number) => spans.some(({ from, until }) => time >= from && time <= until)
  const quantity = (base: number) => (isContract(symbol) ? (base / CONTRACT).toFixed(0) : base.toFixed(5))
  let [trade, top, reads, minute] = [0, 0, 0, begin]
  const waiting = [...spans]
  return (now: number) => {
    if (isAway(now)) return
    const [span] = waiting
    if (span !== undefined && now >= Math.ceil(span.until / MINUTE) * MINUTE) {
      waiting.shift()
      observe({
        kind: 'gap',
        symbol,
        ...span,
        reason: 'The bot was not running.',
        minutes: minutesOf(host, span),
      })
    }
    const seen = trade
    while ((trades[trade]?.time ?? Number.POSITIVE_INFINITY) <= now) trade++
    const told = trades.slice(seen, trade).flatMap(({ time, price, quantity: base, side }, index) => {
      if (isAway(time)) return []
      return [{ id: String(seen + index), time, side, price: price.toFixed(2), quantity: quantity(base) }]
    })
    if (told.length > 0 && !isContract(symbol)) observe({ kind: 'trades', symbol, trades: told })
    while ((tops[top + 1]?.time ?? Number.POSITIVE_INFINITY) <= now) top++
    const best = tops[top]
    if (best === undefined) return
    const book = {
      ...{ time: now - 20, levels: 1 },
      bids: [[best.bid.toFixed(2), quantity(best.bidQuantity)] as const],
      asks: [[best.ask.toFixed(2), quantity(best.askQuantity)] as const],
    }
    if (isContract(symbol)) {
      const mark = ((best.bid + best.ask) / 2).toFixed(2)
      observe({ kind: 'index', symbol, mark, index: mark, fundingRate: '0.0001' })
      for (; now >= minute + MINUTE + 700; minute += MINUTE)
        observe({
          kind: 'gap',
          symbol,
          ...spanOf(minute),
          reason: NO_TRADES,
          minutes: minutesOf(host, spanOf(minute)),
        })
    }
    observe({ kind: 'book', symbol, book, roundTripMs: 30 + 17 * (reads++ % 5) })
  }
}

function spanOf(minute: number) {
  return { from: minute, until: minute + MINUTE - 1 }
}

/** The minutes that a span touches. */
function minutesOf(host: Host, { from, until }: { readonly from: number; readonly until: number }) {
  return klinesUntil(host, Number.POSITIVE_INFINITY)
    .filter(({ idx }) => idx <= until && idx + MINUTE > from)
    .map(({ idx, vol, ...prices }) => ({ openTime: idx, volume: vol, ...prices }))
}

function isContract(symbol: string): boolean {
  return symbol.startsWith('E-')
}

function exchangeOf(markets: readonly HostMarket[], queue: QueueAssumption): SimulatedExchange {
  const pairs = markets.filter(({ symbol }) => !isContract(symbol))
  const contracts = markets.filter(({ symbol }) => isContract(symbol))
  const followed =
    contracts.length > 0 && pairs.length === 0 ? [{ symbol: 'BTC/USDT', isTrading: false }] : pairs
  return createSimulatedExchange(
    {
      listings: followed.map(({ symbol }) => ({ symbol, market: { type: 'live' } })),
      keptInputs: 0,
      accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '100000' }, futuresBalances: { USDT: '100000' } }],
      ...(contracts.length > 0 && {
        futures: {
          contracts: contracts.map(({ symbol }) => ({
            ...{ symbol, multiplier: String(CONTRACT), pricePrecision: 2 },
            market: { type: 'live' as const },
          })),
        },
      }),
    },
    undefined,
    queue,
  )
}

function marketRow({ symbol }: HostMarket): SessionMarket {
  const fees = { makerFeeRate: '0.001', takerFeeRate: '0.001' }
  return isContract(symbol)
    ? { symbol, pricePrecision: 2, quantityPrecision: 0, contractSize: String(CONTRACT), ...fees }
    : { symbol, pricePrecision: 2, quantityPrecision: 5, contractSize: undefined, ...fees }
}

/** The exchange, with the klines of the hosts. */
function withKlines(
  exchange: SimulatedExchange,
  klinesOf: (symbol: string) => readonly object[],
): Pick<SimulatedExchange, 'handle'> {
  return {
    handle: (request, now) => {
      if (!request.target.includes('/klines')) return exchange.handle(request, now)
      const query = new URLSearchParams(request.target.split('?')[1])
      const symbol = query.get('contractName') ?? query.get('symbol') ?? ''
      return { status: 200, body: JSON.stringify(klinesOf(symbol)) }
    },
  }
}

/** The minutes of trades that have begun by a time, as an answer has them. */
function klinesUntil({ trades, market: { symbol } }: Host, now: number) {
  const unit = isContract(symbol) ? CONTRACT : 1
  const minutes = new Map<
    number,
    { idx: number; open: number; high: number; low: number; close: number; vol: number }
  >()
  for (const { time, price: exact, quantity } of trades) {
    if (time > now) break
    const price = Number(exact.toFixed(2))
    const idx = Math.floor(time / MINUTE) * MINUTE
    const kline = minutes.get(idx) ?? { idx, open: price, high: price, low: price, close: price, vol: 0 }
    const { high, low, vol } = kline
    minutes.set(idx, {
      ...kline,
      ...{ high: Math.max(high, price), low: Math.min(low, price), close: price, vol: vol + quantity / unit },
    })
  }
  return [...minutes.values()]
}
