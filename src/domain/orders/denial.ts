import type { OrderIntent } from './order-intent.ts'

/** Rule that denied an order. */
export type DenialRule =
  | 'grid'
  | 'minimumVolume'
  | 'maximumVolume'
  | 'minimumNotional'
  | 'minimumPrice'
  | 'leverage'
  | 'balance'
  | 'margin'
  | 'tradingState'
  | 'instrumentStatus'
  | 'limitKind'
  | 'priceBand'
  | 'maxNotional'
  | 'maxPosition'
  | 'maxExposure'
  | 'maxOrders'
  | 'maxWorkingOrders'
  | 'selfCrossing'
  | 'sizing'
  | 'protection'
  | 'triggerPassed'
  | 'nothingLeft'
  | 'noPrice'
  | 'checkFailed'

/** A rule that let an order pass, with its figures. */
export interface PassedCheck {
  readonly rule: DenialRule
  /** Limit of the rule, with its unit. */
  readonly limit: string
  /** Value of the order, with its unit. */
  readonly actual: string
  /** Key of the configuration that the limit follows. */
  readonly key?: string
}

/** Denial of an order by our risk checks. An expected outcome, so a value and not an exception. */
export interface Denial {
  readonly rule: DenialRule
  /** Limit of the rule, with its unit. */
  readonly limit: string
  /** Value of the order, with its unit. */
  readonly actual: string
  /** Explanation, a whole sentence for people. */
  readonly message: string
  readonly intent: OrderIntent
}
