import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** An answer as it goes over the wire. */
export interface FakeAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** Time before the answer, ms. */
  readonly delayMs?: number
}

/** Answers one call, by its query. */
export type FakeCall = (query: URLSearchParams) => FakeAnswer | undefined

const MINUTE = 60_000
/** Calls that ask for a key. */
const KEYED: ReadonlySet<string> = new Set([
  ...['/sapi/v1/account', '/sapi/v2/order', '/sapi/v2/openOrders', '/sapi/v2/myTrades'],
  ...['/fapi/v1/account', '/fapi/v1/order', '/fapi/v1/openOrders', '/fapi/v1/myTrades'],
])

/** JSON with HTTP 200. */
export function json(value: unknown): FakeAnswer {
  return { body: JSON.stringify(value) }
}

/** A page of the network in front of a host. */
export function page(status: number): FakeAnswer {
  const body = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`
  return { status, headers: { 'content-type': 'text/html' }, body }
}

/**
 * A host over real HTTP whose public answers are written down from the interface document, of one pair BTC/USDT and one
 * contract E-BTC-USDT around 100. Any call can be given another answer. Calls without an answer are 404 without a body.
 */
export class FakeHost {
  /** Other answers, by the end of a path such as `/depth`, before those of the document. */
  readonly calls = new Map<string, FakeCall>()
  /** Method and path of what was asked. */
  readonly asked: string[] = []
  /** ms UTC. */
  now: () => number = Date.now
  /** Time before every answer, ms. */
  delayMs = 0
  #server: Server | undefined
  #url = ''

  /** Begins to listen on a port of this machine, a free one by default. */
  async listen(port = 0): Promise<this> {
    const server = createServer(async ({ method, url = '/' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://localhost')
      this.asked.push(`${method} ${pathname}`)
      const {
        status = 200,
        headers = {},
        body,
        delayMs = this.delayMs,
      } = this.#answer(pathname, searchParams)
      if (delayMs > 0) await pause(delayMs)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(body)
    })
    this.#server = server.listen(port, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    this.#url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return this
  }

  get url(): string {
    return this.#url
  }

  /** Ends all connections. */
  close(): void {
    this.#server?.close()
    this.#server?.closeAllConnections()
  }

  #answer(pathname: string, query: URLSearchParams): FakeAnswer {
    for (const [end, call] of this.calls) {
      const answer = pathname.endsWith(end) ? call(query) : undefined
      if (answer !== undefined) return answer
    }
    if (KEYED.has(pathname)) return { status: 401, ...json({ code: -2015, msg: 'Invalid API-key.' }) }
    const documented = this.#documented(pathname, query)
    return documented === undefined ? { status: 404, body: '' } : json(documented)
  }

  /** Answers of section 2 of the interface document. */
  #documented(pathname: string, query: URLSearchParams): unknown {
    const now = this.now()
    switch (pathname) {
      case '/sapi/v2/ping':
        return {}
      case '/sapi/v2/time':
      case '/fapi/v1/time':
        return { timezone: 'GMT+08:00', serverTime: now }
      case '/sapi/v2/symbols':
        return { symbols: [pairEntry()] }
      case '/sapi/v2/depth':
      case '/fapi/v1/depth':
        return bookAt(now)
      case '/sapi/v2/ticker':
        return {
          ...dayAt(now),
          open: '100',
          symbol: 'btcusdt',
          amount: '1000',
          bidPrice: '99.9',
          askPrice: '100.1',
        }
      case '/fapi/v1/ticker':
        return { ...dayAt(now), buy: 99.9, sell: 100.1 }
      case '/sapi/v2/trades':
        return { list: [tradeEntry(now)] }
      case '/sapi/v1/klines':
      case '/sapi/v2/klines':
      case '/fapi/v1/klines':
        return klinesUntil(now, Number(query.get('limit') ?? 100))
      case '/fapi/v1/contracts':
        return [contractEntry()]
      case '/fapi/v1/index':
        return {
          markPrice: 100,
          indexPrice: 100,
          lastFundingRate: 0.0001,
          contractName: 'E-BTC-USDT',
          time: now,
        }
    }
    return undefined
  }
}

/** An entry of the list of pairs. */
export function pairEntry(base = 'BTC', quote = 'USDT') {
  return {
    ...{ symbol: `${base}${quote}`.toLowerCase(), baseAsset: base, quoteAsset: quote },
    ...{ pricePrecision: 2, quantityPrecision: 4 },
    ...{ limitAmountMin: '1', limitPriceMin: '0.01', limitVolumeMin: '0.0001' },
    ...{ SymbolName: `${base}/${quote}`, feeRateMaker: '0.001', feeRateTaker: '0.001' },
  }
}

/** An entry of the list of contracts. */
export function contractEntry(symbol = 'E-BTC-USDT') {
  return {
    ...{ symbol, pricePrecision: 2, side: 1, multiplier: 0.01, multiplierCoin: 'BTC', type: 'E', status: 1 },
    ...{ minOrderVolume: 1, minOrderMoney: 0.001, maxMarketVolume: 100_000, maxMarketMoney: 10_000_000 },
    ...{ maxLimitVolume: 1_000_000, maxLimitMoney: 1_000_000, maxValidOrder: 20, minLever: 1, maxLever: 75 },
    ...{ openTakerFee: 0.0002, openMakerFee: 0.0002, closeTakerFee: 0.0002, closeMakerFee: 0.0002 },
  }
}

/** An order book with a bid of 99.9 and an ask of 100.1, best first. */
export function bookAt(time: number, bid = '99.9', ask = '100.1') {
  return {
    time,
    bids: [
      [bid, '5'],
      ['99', '10'],
    ],
    asks: [
      [ask, '5'],
      ['101', '10'],
    ],
  }
}

/** A trade of 0.5 at 100 a second. */
function tradeEntry(now: number) {
  const id = Math.floor(now / 1000)
  return { price: '100', qty: '0.5', time: id * 1000, side: 'BUY', id, symbol: 'BTC/USDT' }
}

/** Klines of a minute, newest first, the one that is forming included; times as the samples have them, in seconds. */
export function klinesUntil(now: number, count: number) {
  const last = Math.floor(now / MINUTE)
  return Array.from({ length: count }, (_, back) => ({
    ...{ idx: (last - back) * 60, open: '100', close: '100.5', high: '101', low: '99', vol: '12' },
  }))
}

function dayAt(time: number) {
  return { time, high: '101', low: '99', last: '100', vol: '1302', rose: '0' }
}
