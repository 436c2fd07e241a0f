/** What an examination found about one thing. */
export interface Finding {
  /** Kind of thing, such as `journal`. */
  readonly check: FindingCheck
  /** Which one: a symbol, a file, a host. */
  readonly subject: string
  /** `unknown`: it could not be examined, because something before it failed. */
  readonly status: 'ok' | 'problem' | 'unknown'
  /** What was found, in a sentence. */
  readonly found: string
  /** What to do about a problem. */
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
  | 'instrument'
  | 'contract'
  | 'orders'
  | 'order'

/** What a strategy would trade with one order of its configured size, at the present price. */
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

/** Everything that a doctor says. */
export interface Diagnosis {
  /** Whether nothing stands in the way of trading. */
  readonly isHealthy: boolean
  readonly findings: readonly Finding[]
  readonly wouldTrade: readonly WouldTrade[]
}

/** A finding that says that something is as it should be. */
export function sound(check: FindingCheck, subject: string, found: string): Finding {
  return { check, subject, status: 'ok', found }
}

/** A finding that says what is wrong, and what to do. */
export function problem(check: FindingCheck, subject: string, found: string, advice: string): Finding {
  return { check, subject, status: 'problem', found, advice }
}

/** A finding about something that could not be examined. */
export function unexamined(check: FindingCheck, subject: string, found: string): Finding {
  return { check, subject, status: 'unknown', found }
}
