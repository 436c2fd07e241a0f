import { createHmac } from 'node:crypto'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'

/** 2024-01-01T00:00:00Z, a Monday. */
export const START = 1_704_067_200_000
export const MINUTE = 60_000

/** One-minute klines whose four prints are given, the first at `START`. */
export function klinesOf(...paths: readonly (readonly [number, number, number, number, number?])[]): Kline[] {
  return paths.map(([open, high, low, close, volume = 4], index) => ({
    openTime: START + index * MINUTE,
    open,
    high,
    low,
    close,
    volume,
  }))
}

/** A market that stands still at a price. */
export function flatMarket(price: number, minutes = 1): Kline[] {
  return klinesOf(...Array.from({ length: minutes }, () => [price, price, price, price] as const))
}

/** Configuration of one BTC/USDT market that replays klines; two users with equal money. */
export function replayOf(klines: readonly Kline[], more: SimulatorConfigInput = {}): SimulatorConfigInput {
  const balances = { USDT: '10000', BTC: '10' }
  return {
    listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines } }],
    accounts: [
      { ...TEST_ACCOUNT, balances },
      { apiKey: 'second-key', apiSecret: 'second-secret', balances },
    ],
    ...more,
  }
}

/** Headers of a signed request (interface section 5). */
export function signedHeaders(
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
  { method, target, body = '', time }: { method: string; target: string; body?: string; time: number },
): Record<string, string> {
  const sign = createHmac('sha256', apiSecret).update(`${time}${method}${target}${body}`).digest('hex')
  return {
    'x-ch-apikey': apiKey,
    'x-ch-ts': String(time),
    'x-ch-sign': sign,
    'content-type': 'application/json',
  }
}

/** What came back, its JSON read. */
export interface Answer {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any
}

/** Calls an exchange in process as one of its users, at a time of its own. */
export class ExchangeCaller {
  readonly exchange: SimulatedExchange
  now = START
  readonly #user: { apiKey: string; apiSecret: string }

  constructor(exchange: SimulatedExchange, user: { apiKey: string; apiSecret: string } = TEST_ACCOUNT) {
    this.exchange = exchange
    this.#user = user
  }

  static open(config: SimulatorConfigInput): ExchangeCaller {
    return new ExchangeCaller(createSimulatedExchange(config))
  }

  /** The second user of `replayOf`. */
  second(): ExchangeCaller {
    const caller = new ExchangeCaller(this.exchange, { apiKey: 'second-key', apiSecret: 'second-secret' })
    caller.now = this.now
    return caller
  }

  get(target: string): Answer {
    return this.#call('GET', target, '')
  }

  post(target: string, fields: object): Answer {
    return this.#call('POST', target, JSON.stringify(fields))
  }

  /** Sends a body as it is written. */
  postText(target: string, body: string): Answer {
    return this.#call('POST', target, body)
  }

  /** New Order on BTC/USDT. */
  order(
    side: 'BUY' | 'SELL',
    type: string,
    volume: string | number,
    price?: string | number,
    more: object = {},
  ): Answer {
    return this.post('/sapi/v2/order', { symbol: 'BTC/USDT', side, type, volume, price, ...more })
  }

  /** The order query for an order that `order` placed. */
  find(placed: Answer): Answer {
    return this.get(`/sapi/v2/order?symbol=BTC/USDT&orderId=${placed.json.orderIdString}`)
  }

  /** Own trades, newest first. */
  trades(): Answer {
    return this.get('/sapi/v2/myTrades?symbol=BTC/USDT')
  }

  /** `[free, locked]` of an asset. */
  balance(asset: string): readonly [string, string] {
    const { balances } = this.get('/sapi/v1/account').json
    const entry = balances.find((candidate: { asset: string }) => candidate.asset === asset)
    return [entry.free, entry.locked]
  }

  #call(method: string, target: string, body: string): Answer {
    const headers = signedHeaders(this.#user, { method, target, body, time: this.now })
    const { status, body: text } = this.exchange.handle({ method, target, headers, body }, this.now)
    return { status, text, json: JSON.parse(text) }
  }
}
