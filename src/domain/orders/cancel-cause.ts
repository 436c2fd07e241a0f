/**
 * Cause of a cancel: the order's time to live ended, or another order of its group filled or is about to be
 * sent.
 */
export type CancelCause = 'expired' | 'groupFilled' | 'groupTriggered'

/** Final event of a canceled order, with its reason, a sentence. */
export interface Cancellation {
  readonly event: 'canceled' | 'expired'
  readonly reason?: string
}

const CANCELLATIONS: Readonly<Record<CancelCause, Cancellation>> = {
  expired: { event: 'expired', reason: 'Its time to live is over.' },
  groupTriggered: { event: 'canceled', reason: 'Another order of its group reached its price.' },
  groupFilled: { event: 'canceled', reason: 'Another order of its group filled.' },
}

const PLAIN: Cancellation = { event: 'canceled' }

/** Final event of an order after a confirmed cancel. */
export function cancellationFor(cause: CancelCause | undefined): Cancellation {
  return cause === undefined ? PLAIN : CANCELLATIONS[cause]
}
