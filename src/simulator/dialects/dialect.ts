import type { EndpointKey } from '../../exchange/endpoints.ts'
import type { ExchangeHost } from '../protocol/exchange-host.ts'
import type { AnswerShape } from './answer-shape.ts'

/** Versions of a path, such as `sapi/v1`, under which a host answers. */
export type ServedVersions =
  | readonly string[]
  | { readonly public: readonly string[]; readonly signed: readonly string[] }

/**
 * Differences between one real host and the interface document. Without a key the host is taken to be as documented.
 */
export interface Dialect {
  /** The only host that is known of this exchange; without it, both are. */
  readonly onlyHost?: ExchangeHost
  /** Path in front of every call of a host, such as `/spot/open`. It is no part of what is signed. */
  readonly prefixes?: Readonly<Record<ExchangeHost, string>>
  /** Served versions by the version in the document, such as `sapi/v2`; others are served as documented. */
  readonly versions?: Readonly<Record<string, ServedVersions>>
  /** Calls that do not exist on this host. */
  readonly missing?: readonly EndpointKey[]
  /** Answer to a path that does not exist. Default: the gateway's JSON with the code -1002. */
  readonly notFound?: 'gateway' | 'spring' | 'html'
  /** Spot orders of other types than LIMIT and MARKET are refused. */
  readonly limitAndMarketOnly?: true
  /** The volume of a futures MARKET OPEN is quote value, whatever its orderUnit. */
  readonly marketOpensByValue?: true
  /** Orders are taken without the header `futures-version`. */
  readonly ignoresVersionHeader?: true
  /** A cancel is answered this long before it is executed, ms. */
  readonly cancelDelayMs?: number
  /** First part of the names of contracts, instead of `E`. */
  readonly contractPrefix?: string
  /** Intervals of futures klines that are answered with an empty list, by wire name. */
  readonly emptyFuturesKlines?: readonly string[]
  /** Differences of a call's answers. */
  readonly answers?: Readonly<Partial<Record<EndpointKey, AnswerShape>>>
  /** Every answer of the futures host is inside `{ code, msg, data }`; an empty list is `data: null`. */
  readonly envelopsFutures?: true
  /** Ids in answers are all text, or all numbers. */
  readonly ids?: 'text' | 'number'
  /** `msg` of an envelope that reports success. */
  readonly successText?: string
  /** Business errors have HTTP 200 instead of 4xx. */
  readonly refusesWithOk?: true
  /** `msg` of a business error: Chinese, or empty. Default: English. */
  readonly refusalText?: 'chinese' | 'empty'
}
