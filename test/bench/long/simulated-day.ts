import { createHmac } from 'node:crypto'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import type { BenchRow } from '../bench-row.ts'
import { inTurns } from '../client/in-turns.ts'
import { barePrints } from '../exchange/bare-prints.ts'

const SYMBOLS = 20
const MINUTES = 1440
const PRINTS_PER_MINUTE = 4
const MINUTE = 60_000
/** Minutes of history, as much as the exchange has by default. */
const HISTORY = 10_080
const START = Date.UTC(2026, 0, 1)

/** What a simulated market came to. */
export interface SimulatedRun {
  readonly seconds: number
  /** Of the processor: what a machine with nothing else to do would take. */
  readonly cpuSeconds: number
  /** Requests answered. */
  readonly requests: number
  /** Orders that traded. */
  readonly trades: number
}

/** Prints per second of 24 simulated hours of 20 correlated symbols that a user reads and trades every minute. */
export function simulatedDay(): BenchRow {
  const prints = SYMBOLS * MINUTES * PRINTS_PER_MINUTE
  return {
    name: `simulated day of ${SYMBOLS} symbols, read and traded every minute`,
    unit: 'prints/s',
    run: () =>
      inTurns(3, async who => {
        if (who === 'sluice') return prints / runSimulatedMarket(MINUTES).seconds
        const startedAt = performance.now()
        if (barePrints(SYMBOLS, MINUTES) === 0) throw new Error('No prints were made.')
        return prints / ((performance.now() - startedAt) / 1000)
      }),
  }
}

/**
 * Opens 20 generated symbols with their history and lets that many minutes pass. Every minute someone reads klines, ticker
 * and depth of each, and replaces a limit order on either side of it by signed calls.
 */
export function runSimulatedMarket(minutes: number): SimulatedRun {
  const [startedAt, usedBefore] = [performance.now(), process.threadCpuUsage()]
  const exchange = openExchange()
  let requests = 0
  for (let minute = 0; minute < minutes; minute++) {
    const now = START + minute * MINUTE + 30_000
    for (let symbol = 0; symbol < SYMBOLS; symbol++)
      requests += lookAndTrade(exchange, `C${symbol}/USDT`, now)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const used = process.threadCpuUsage(usedBefore)
  const cpuSeconds = (used.user + used.system) / 1e6
  const trades = exchange.state.users[0]?.history.trades().toArray().length ?? 0
  return { seconds, cpuSeconds, requests, trades }
}

function openExchange(): SimulatedExchange {
  const symbols = Array.from({ length: SYMBOLS }, (_, index) => `C${index}`)
  const coins = Object.fromEntries(symbols.map(symbol => [symbol, '1000000']))
  const exchange = createSimulatedExchange({
    listings: symbols.map(symbol => ({
      symbol: `${symbol}/USDT`,
      market: { type: 'generated', historyKlines: HISTORY },
    })),
    correlation: 0.5,
    accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '1e12', ...coins } }],
    limits: { areEnforced: false },
    keptInputs: 0,
  })
  exchange.advance(START)
  return exchange
}

/** Returns how many requests that took. */
function lookAndTrade(exchange: SimulatedExchange, symbol: string, now: number): number {
  read(exchange, `/sapi/v2/klines?symbol=${symbol}&interval=1min&limit=3`, now)
  read(exchange, `/sapi/v2/ticker?symbol=${symbol}`, now)
  const { bids, asks } = read(exchange, `/sapi/v2/depth?symbol=${symbol}&limit=5`, now)
  const orders = [
    { side: 'BUY', price: (Number(bids[0][0]) * 0.9995).toFixed(2) },
    { side: 'SELL', price: (Number(asks[0][0]) * 1.0005).toFixed(2) },
  ]
  for (const { side, price } of orders) {
    const id = `${symbol}-${side}`
    write(exchange, '/sapi/v2/cancel', { symbol, newClientOrderId: id }, now)
    const fields = { symbol, side, type: 'LIMIT', volume: '0.01', price, newClientOrderId: id }
    const { status, body } = write(exchange, '/sapi/v2/order', fields, now)
    if (status !== 200) throw new Error(`An order was refused: ${body}`)
  }
  return 3 + 2 * orders.length
}

function read(exchange: SimulatedExchange, target: string, now: number) {
  return JSON.parse(exchange.handle({ method: 'GET', target, headers: {}, body: '' }, now).body)
}

function write(exchange: SimulatedExchange, target: string, fields: object, now: number) {
  const body = JSON.stringify(fields)
  const sign = createHmac('sha256', TEST_ACCOUNT.apiSecret).update(`${now}POST${target}${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-ch-apikey': TEST_ACCOUNT.apiKey,
    'x-ch-ts': String(now),
    'x-ch-sign': sign,
  }
  return exchange.handle({ method: 'POST', target, headers, body }, now)
}
