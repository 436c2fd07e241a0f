import { PaperSession } from '../../src/bot/paper/paper-session.ts'
import { readTopOfBookFile, readTradeFile } from '../../src/klines/formats/read-tick-file.ts'
import type { QueueAssumption } from '../../src/matching/queue-assumption.ts'
import type { SessionStart } from '../../src/matching/session-row.ts'
import type { MarketObservation } from '../../src/simulator/live/market-observation.ts'
import type { SimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import type { Strategy } from '../../src/strategy/index.ts'
import { LiveBot } from '../live-bot.ts'
import { sharedPath } from '../shared-data.ts'
import { LogLines } from './log-lines.ts'

export const TRADES = 'hftbacktest-binanceusdm-btcusdt-20240808-trades.csv.gz'
const TOPS = 'hftbacktest-binanceusdm-btcusdt-20240808-booktop.csv.gz'
const SYMBOL = 'BTC/USDT'
const MINUTE = 60_000
/** Interval of reading the market of the host. */
const READ_MS = 1000

/**
 * Trades a strategy on paper over six minutes of real trades and best prices, on virtual time, and records the session
 * in a folder. The bot begins after the first whole minute of the recording has.
 */
export async function paperSession(
  folder: string,
  strategy: Strategy,
  queue: QueueAssumption,
): Promise<void> {
  const [trades, tops] = await Promise.all([
    readTradeFile(sharedPath('data', TRADES)),
    readTopOfBookFile(sharedPath('data', TOPS)),
  ])
  const startAt = Math.floor((trades[0]?.time ?? 0) / 1000) * 1000
  const exchange = createSimulatedExchange(
    { listings: [{ symbol: SYMBOL, market: { type: 'live' } }], keptInputs: 0 },
    undefined,
    queue,
  )
  const klines = hostKlines(trades)
  const live = new LiveBot({
    ...{
      bot: 'paper',
      startAt,
      lines: new LogLines(),
      exchange: withKlines(exchange, () => klines(live.clock.now())),
    },
    strategies: [{ file: '', strategy, parameters: {}, symbol: SYMBOL, interval: '1m', size: { base: 0.1 } }],
    execution: { pollOrdersMs: 1000 },
  })
  const session = new PaperSession(folder)
  session.note(startOf(startAt, queue))
  exchange.onSessionRow(row => session.note(row))
  const observe = (observation: MarketObservation) => {
    session.observed(observation, live.clock.now())
    exchange.observe(observation, live.clock.now())
  }
  let [trade, top, reads] = [0, 0, 0]
  const read = () => {
    const now = live.clock.now()
    const seen = trade
    while ((trades[trade]?.time ?? Number.POSITIVE_INFINITY) <= now) trade++
    const told = trades.slice(seen, trade).map(({ time, price, quantity, side }, index) => ({
      ...{ id: String(seen + index), time, side, price: price.toFixed(2), quantity: quantity.toFixed(5) },
    }))
    if (told.length > 0) observe({ kind: 'trades', symbol: SYMBOL, trades: told })
    while ((tops[top + 1]?.time ?? Number.POSITIVE_INFINITY) <= now) top++
    const best = tops[top]
    if (best === undefined) return
    const [bid, ask] = [best.bid.toFixed(2), best.ask.toFixed(2)]
    const book = {
      ...{ time: now - 20, levels: 1 },
      bids: [[bid, best.bidQuantity.toFixed(5)] as const],
      asks: [[ask, best.askQuantity.toFixed(5)] as const],
    }
    observe({ kind: 'book', symbol: SYMBOL, book, roundTripMs: 30 + 17 * (reads++ % 5) })
  }
  const until = async (time: number) => {
    while (live.clock.now() < time) {
      await live.runTo(Math.min(time, live.clock.now() + READ_MS))
      read()
    }
  }
  exchange.advance(startAt)
  read()
  await until(Math.ceil(startAt / MINUTE) * MINUTE + 5 * READ_MS)
  await live.start()
  await until((trades.at(-1)?.time ?? 0) - MINUTE / 2)
  session.close()
}

function startOf(at: number, queue: QueueAssumption): SessionStart {
  const market = { symbol: SYMBOL, pricePrecision: 2, quantityPrecision: 5, contractSize: undefined }
  const markets = [{ ...market, makerFeeRate: '0.001', takerFeeRate: '0.001' }]
  return { type: 'start', at, goesOn: false, queue, levels: 1, markets }
}

/** The exchange, with the klines of the host. */
function withKlines(
  exchange: SimulatedExchange,
  klines: () => readonly object[],
): Pick<SimulatedExchange, 'handle'> {
  return {
    handle: (request, now) =>
      request.target.includes('/klines')
        ? { status: 200, body: JSON.stringify(klines()) }
        : exchange.handle(request, now),
  }
}

/** The minutes of trades that have begun by a time, as an answer has them. */
function hostKlines(
  trades: readonly { readonly time: number; readonly price: number; readonly quantity: number }[],
) {
  return (now: number) => {
    const minutes = new Map<
      number,
      { idx: number; open: number; high: number; low: number; close: number; vol: number }
    >()
    for (const { time, price, quantity } of trades) {
      if (time > now) break
      const idx = Math.floor(time / MINUTE) * MINUTE
      const kline = minutes.get(idx) ?? { idx, open: price, high: price, low: price, close: price, vol: 0 }
      const { high, low, vol } = kline
      minutes.set(idx, {
        ...kline,
        ...{ high: Math.max(high, price), low: Math.min(low, price), close: price, vol: vol + quantity },
      })
    }
    return [...minutes.values()]
  }
}
