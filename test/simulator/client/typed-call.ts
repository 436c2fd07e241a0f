import type { ExchangeCalls } from '../../../src/exchange/exchange-client.ts'

/** One call of the client, and what it comes to on any exchange that speaks the interface. */
export interface TypedCall {
  /** `spot.depth` */
  readonly name: string
  readonly call: (calls: ExchangeCalls) => Promise<unknown>
  /** At least this, worked by hand; decimals as text, absent fields left out. */
  readonly becomes: unknown
  /** What happens before on an exchange that has a state. */
  readonly before?: (calls: ExchangeCalls) => Promise<unknown>
  /** What an exchange without a state answers, in the form of the interface's samples. */
  readonly answers: readonly string[]
}
