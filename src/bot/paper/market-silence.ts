import type { ExchangeResponse } from '../../simulator/protocol/exchange-response.ts'
import type { ExchangeRequest } from '../../simulator/protocol/request-authentication.ts'
import type { PaperMarket } from './paper-market.ts'

/** Paths that answer with what was observed of a market: order book, 24 hours, trades, mark price. */
const SPOT_MARKET = /^(?:\/sapi\/v\d\/(?:depth|ticker|trades)|\/v2\/pub\/ticker)$/
const FUTURES_MARKET = /^\/fapi\/v\d\/(?:depth|ticker|ticker_all|index)$/
/** Shortest silence that counts, ms: a call may be slow, or fail once. */
const LEAST_MS = 5000

export interface MarketSilenceOptions {
  readonly markets: readonly PaperMarket[]
  /** Longest period between two reads of an order book, ms. */
  readonly everyMs: number
  /** ms, monotonic. */
  readonly now: () => number
  /** Takes the begin and the end of a silence, a whole sentence. */
  readonly onChange: (sentence: string) => void
}

/** The markets of a host whose order books cannot be read any more: what they showed counts no longer. */
export class MarketSilence {
  readonly #options: MarketSilenceOptions
  readonly #heardAt = new Map<string, number>()
  /** When the silent markets were heard last. */
  readonly #silent = new Map<string, number>()

  constructor(options: MarketSilenceOptions) {
    this.#options = options
  }

  /** The order book of a market was read. */
  heard(symbol: string): void {
    this.#heardAt.set(symbol, this.#options.now())
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
        back.push(symbol)
        longest = Math.max(longest, heardAt - since)
      }
    }
    if (gone.length > 0) onChange(silenceOf(gone, overdue))
    if (back.length > 0)
      onChange(
        `The host shows the order book of ${back.join(', ')} again, after ${Math.round(longest / 1000)} s.`,
      )
  }

  /** The silent markets in a sentence; `undefined` without any. */
  get state(): string | undefined {
    if (this.#silent.size === 0) return undefined
    const longest = this.#options.now() - Math.min(...this.#silent.values())
    return silenceOf([...this.#silent.keys()], longest)
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
    return Promise.resolve({ status: 503, body: '{"code":-1001,"msg":"The host does not answer."}' })
  }
}

function silenceOf(symbols: readonly string[], ms: number): string {
  return `The host has shown no order book of ${symbols.join(', ')} for ${Math.round(ms / 1000)} s: orders there wait, and their prices count as stale.`
}

function spelled(symbol: string): string {
  return symbol.replace('/', '').toUpperCase()
}
