/** Result of one check of one subject. */
export interface Finding {
  /** Kind of thing, such as `journal`. */
  readonly check: FindingCheck
  /** Which one: a symbol, a file, a host. */
  readonly subject: string
  /** `unknown`: not examined, because an earlier check failed. */
  readonly status: 'ok' | 'problem' | 'unknown'
  /** Result, in a sentence. */
  readonly found: string
  /** Remedy of a problem. */
  readonly advice?: string
}

/** Everything that is examined, in its order. */
export type FindingCheck =
  | 'strategy'
  | 'polling'
  | 'journal'
  | 'control'
  | 'connection'
  | 'clock'
  | 'account'
  | 'listings'
  | 'klines'
  | 'instrument'
  | 'contract'
  | 'orders'
  | 'order'

/** One order of a strategy's configured size at the present price. */
export interface WouldTrade {
  readonly strategy: string
  readonly symbol: string
  readonly interval: string
  /** As configured, such as `equityFraction 0.5`. */
  readonly size: string
  /** Base units (contracts on futures), as text; `undefined` where risk would refuse the order. */
  readonly quantity: string | undefined
  /** Price × quantity, in quote, as text. */
  readonly notional: string | undefined
  /** Latest price, in quote. */
  readonly price: string
}

/** Full result of the doctor. */
export interface Diagnosis {
  /** True if the bot can trade. */
  readonly isHealthy: boolean
  readonly findings: readonly Finding[]
  readonly wouldTrade: readonly WouldTrade[]
}

/** A finding without a problem. */
export function sound(check: FindingCheck, subject: string, found: string): Finding {
  return { check, subject, status: 'ok', found }
}

/** A finding with a problem and its remedy. */
export function problem(check: FindingCheck, subject: string, found: string, advice: string): Finding {
  return { check, subject, status: 'problem', found, advice }
}

/** A finding about a subject that could not be examined. */
export function unexamined(check: FindingCheck, subject: string, found: string): Finding {
  return { check, subject, status: 'unknown', found }
}
