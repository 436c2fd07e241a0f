import type { OrderIntent } from './order-intent.ts'

/** The rule that said no. */
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

/** Our own risk said no. An expected outcome: a value, not an exception. */
export interface Denial {
  readonly rule: DenialRule
  /** What the rule allows, with its unit. */
  readonly limit: string
  /** What was asked for, with its unit. */
  readonly actual: string
  /** A whole sentence for people. */
  readonly message: string
  readonly intent: OrderIntent
}
