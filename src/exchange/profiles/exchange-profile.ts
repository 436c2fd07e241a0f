import type { Interval } from '../../domain/market-data/interval.ts'
import type { EndpointKey } from '../endpoints.ts'

/** Version in the path of a call, such as that of `/sapi/v2/order`. */
export type ApiVersion = 'v1' | 'v2' | 'v3'

/** Order types of the document, spot and futures. */
export type HostOrderType = 'LIMIT' | 'MARKET' | 'IOC' | 'FOK' | 'POST_ONLY' | 'STOP'

/** Differences of one host of an exchange, spot or futures, from the interface document. */
export interface HostProfile {
  /** Base URL: the origin, and behind it the prefix of every path; `undefined` if there is no such host. */
  readonly url?: string | undefined
  /** False if the prefix in `url` is left out of the signed text. */
  readonly signsPrefix: boolean
  /**
   * Version of the calls that the document has at the version most of them have: `v2` on spot, `v1` on futures;
   * `undefined`: that of the document.
   */
  readonly version?: ApiVersion | undefined
  /** Version of the signed calls among them, if it differs from `version`. */
  readonly signedVersion?: ApiVersion | undefined
  /** Versions of single calls; they win over the other two. */
  readonly versions: Readonly<Partial<Record<EndpointKey, ApiVersion>>>
  /** Calls that the host does not answer. */
  readonly lacks: readonly EndpointKey[]
  /** Intervals whose klines the host does not have, though it accepts the call. */
  readonly lacksKlines: readonly Interval[]
  /** Headers of the document that the host does not take. */
  readonly omitsHeaders: readonly string[]
  /** Order types that the host takes. */
  readonly orderTypes: readonly HostOrderType[]
}

/** Differences of a futures host. */
export interface FuturesHostProfile extends HostProfile {
  /**
   * Units that the host reads in the key `orderUnit` of an order; the unit of each order is sent if it is among
   * them. Empty: the key is not sent, and volumes count contracts.
   */
  readonly orderUnits: readonly ('contracts' | 'base' | 'quote')[]
  /** Unit of the volume of market orders, by what they do to a position; one of an unknown unit is never sent. */
  readonly marketOrderUnit: {
    readonly open: 'contracts' | 'quote' | 'unknown'
    readonly close: 'contracts' | 'unknown'
  }
}

/** Facts about an exchange that serves the interface: its hosts, and their differences from the document. */
export interface ExchangeProfile {
  /** Name in the configuration (`venue.profile`), or the path of the file. */
  readonly name: string
  /** Name of the exchange, for people. */
  readonly exchange: string
  /** Month of the findings, `YYYY-MM`. */
  readonly date: string
  /** Origin of the findings. */
  readonly source: string
  /** Further differences that are known, a sentence each; the client reads them on any host. */
  readonly known: readonly string[]
  /** Open questions, a sentence each. */
  readonly unknown: readonly string[]
  readonly spot: HostProfile
  readonly futures: FuturesHostProfile
}
