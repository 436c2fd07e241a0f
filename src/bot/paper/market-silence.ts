import { streamOf } from '../../market/market-subscription.ts'
import type { ExchangeResponse } from '../../simulator/protocol/exchange-response.ts'
import type { ExchangeRequest } from '../../simulator/protocol/request-authentication.ts'
import type { PaperMarket } from './paper-market.ts'

/** Paths that answer with what was observed of a market: order book, 24 hours, trades, mark price. */
const SPOT_MARKET = /^(?:\/sapi\/v\d\/(?:depth|ticker|trades)|\/v2\/pub\/ticker)$/
const FUTURES_MARKET = /^\/fapi\/v\d\/(?:depth|ticker|ticker_all|index)$/
/** Answer for a market that is away; the log tells why, once. */
const AWAY = '{"code":-1001,"msg":"The host of the paper account shows no order book that can be used."}'
/** Shortest silence that counts, ms: a call may be slow, or fail once. */
const LEAST_MS = 5000
/** After an outage every stream is read again within this time, ms. */
const RETRIED_WITHIN_MS = 60_000

export interface MarketSilenceOptions {
  readonly markets: readonly PaperMarket[]
  /** Longest period between two reads of an order book, ms. */
  readonly everyMs: number
  /** ms, monotonic. */
  readonly now: () => number
  /** Takes the begin and the end of a silence, a whole sentence. */
  readonly onChange: (sentence: string) => void
}

/** A stream of a market, besides its order book, that brings nothing. */
interface SilentStream {
  /** `undefined` for a list. */
  readonly symbol: string | undefined
  readonly what: string
  /** Time of its latest datum, ms. */
  readonly since: number
  isTold: boolean
}

/**
 * The markets of a host whose order books cannot be used any more: what they showed counts no longer. And further streams of
 * markets whose order books can be used.
 */
export class MarketSilence {
  readonly #options: MarketSilenceOptions
  readonly #heardAt = new Map<string, number>()
  /** When the silent markets were heard last. */
  readonly #silent = new Map<string, number>()
  /** Why the latest read of a stream brought nothing that can be used, a sentence; by the name of the stream. */
  readonly #reasons = new Map<string, string>()
  readonly #silentStreams = new Map<string, SilentStream>()
  /** When an order book came back last. */
  #backAt = Number.NEGATIVE_INFINITY

  constructor(options: MarketSilenceOptions) {
    this.#options = options
  }

  /** An order book of a market was read that can be used. */
  heard(symbol: string): void {
    this.#heardAt.set(symbol, this.#options.now())
    for (const { market } of this.#options.markets) this.#reasons.delete(bookStream(market, symbol))
  }

  /** A read of a stream brought nothing that can be used, for a reason (a sentence); returns true for a new reason. */
  failed(stream: string, reason: string): boolean {
    if (this.#reasons.get(stream) === reason) return false
    this.#reasons.set(stream, reason)
    return true
  }

  /** A stream brings nothing any more; `what` names it in a sentence. */
  streamStale(
    stream: string,
    { symbol, what, ageMs }: Pick<SilentStream, 'symbol' | 'what'> & { readonly ageMs: number },
  ): void {
    this.#silentStreams.set(stream, { symbol, what, since: this.#options.now() - ageMs, isTold: false })
  }

  /** A stream that brought nothing for `ageMs` is back. */
  streamFresh(stream: string, ageMs: number): void {
    const silent = this.#silentStreams.get(stream)
    this.#silentStreams.delete(stream)
    this.#reasons.delete(stream)
    if (silent?.isTold)
      this.#options.onChange(`The host tells ${silent.what} again, after ${Math.round(ageMs / 1000)} s.`)
  }

  /** Tells which markets fell silent, or are back, since the last look. */
  look(): void {
    const { markets, everyMs, now, onChange } = this.#options
    const overdue = Math.max(LEAST_MS, 3 * everyMs)
    const [gone, back]: [string[], string[]] = [[], []]
    let longest = 0
    for (const { symbol } of markets) {
      const heardAt = this.#heardAt.get(symbol) ?? now()
      const since = this.#silent.get(symbol)
      if (since === undefined && now() - heardAt > overdue) {
        this.#silent.set(symbol, heardAt)
        gone.push(symbol)
      } else if (since !== undefined && heardAt > since) {
        this.#silent.delete(symbol)
        this.#backAt = now()
        back.push(symbol)
        longest = Math.max(longest, heardAt - since)
      }
    }
    if (gone.length > 0) onChange(this.#silenceOf(gone, overdue))
    if (back.length > 0)
      onChange(
        `The host shows the order book of ${back.join(', ')} again, after ${Math.round(longest / 1000)} s.`,
      )
    this.#tellStreams()
  }

  /** The reason why the latest order book of a market cannot be used; `undefined` after one that can. */
  reasonOf({ market, symbol }: PaperMarket): string | undefined {
    return this.#reasons.get(bookStream(market, symbol))
  }

  /** The silent markets in a sentence; `undefined` without any. */
  get state(): string | undefined {
    if (this.#silent.size === 0) return undefined
    const longest = this.#options.now() - Math.min(...this.#silent.values())
    return this.#silenceOf([...this.#silent.keys()], longest)
  }

  /** A stream of a market whose order book is away as well is told by that, and is tried again soon after it. */
  #tellStreams(): void {
    if (this.#options.now() - this.#backAt < RETRIED_WITHIN_MS) return
    for (const [stream, silent] of this.#silentStreams) {
      if (silent.isTold || this.#isWithin(silent.symbol)) continue
      silent.isTold = true
      const reason = this.#reasons.get(stream)
      const told = `The host has told ${silent.what} no more for ${Math.round((this.#options.now() - silent.since) / 1000)} s.`
      this.#options.onChange(reason === undefined ? told : `${told} ${reason}`)
    }
  }

  /** True if the silence of order books says enough: of the market itself, or of all markets. */
  #isWithin(symbol: string | undefined): boolean {
    return symbol === undefined
      ? this.#silent.size === this.#options.markets.length
      : this.#silent.has(symbol)
  }

  #silenceOf(symbols: readonly string[], ms: number): string {
    const markets = this.#options.markets.filter(({ symbol }) => symbols.includes(symbol))
    const reasons = new Set(
      markets.map(market => this.reasonOf(market)).filter(reason => reason !== undefined),
    )
    const told = `The host has shown no order book of ${symbols.join(', ')} that can be used for ${Math.round(ms / 1000)} s: orders there wait, and their prices count as stale.`
    return [told, ...reasons].join(' ')
  }

  /**
   * Answers a request for the prices of a silent market as a busy gateway would, so that they do not pass for
   * those of this moment; `undefined` for any other request.
   */
  readonly answer = ({ method, target }: ExchangeRequest): Promise<ExchangeResponse> | undefined => {
    if (method !== 'GET' || this.#silent.size === 0) return undefined
    const { pathname, searchParams } = new URL(target, 'http://localhost')
    const market = SPOT_MARKET.test(pathname) ? 'spot' : FUTURES_MARKET.test(pathname) ? 'futures' : undefined
    if (market === undefined) return undefined
    const asked = searchParams.get('symbol') ?? searchParams.get('contractName')
    const meant = this.#options.markets.filter(
      one => one.market === market && (asked === null || spelled(one.symbol) === spelled(asked)),
    )
    if (meant.length === 0 || meant.some(({ symbol }) => !this.#silent.has(symbol))) return undefined
    return Promise.resolve({ status: 503, body: AWAY })
  }
}

function bookStream(market: PaperMarket['market'], symbol: string): string {
  return streamOf({ type: 'depth', market, symbol })
}

function spelled(symbol: string): string {
  return symbol.replace('/', '').toUpperCase()
}
