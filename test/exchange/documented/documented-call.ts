import type { EndpointKey } from '../../../src/exchange/endpoints.ts'
import type { ScriptedExchange } from '../call/scripted-exchange.ts'

/** What the client makes of one documented payload: by which endpoint, by which call, and what comes out. */
export interface DocumentedCall {
  readonly endpoint: EndpointKey
  readonly call: (exchange: ScriptedExchange) => Promise<unknown>
  /** Worked out by hand from the payload; decimals as text, absent fields left out. */
  readonly becomes: unknown
  /** Answers to what the client asks next. */
  readonly next?: readonly string[]
}

/** The calls by the name of the sample file, one for each of its payloads in order. */
export type DocumentedCalls = Readonly<Record<string, readonly DocumentedCall[]>>
