/** Why an order is taken back: its time to live is over, or another order of its group filled or is about to be sent. */
export type CancelCause = 'expired' | 'groupFilled' | 'groupTriggered'

/** How an order ends that was taken back, and the sentence that says so. */
export interface Cancellation {
  readonly event: 'canceled' | 'expired'
  readonly reason?: string
}

const CANCELLATIONS: Readonly<Record<CancelCause, Cancellation>> = {
  expired: { event: 'expired', reason: 'Its time to live is over.' },
  groupTriggered: { event: 'canceled', reason: 'The price of another order of its group came.' },
  groupFilled: { event: 'canceled', reason: 'Another order of its group filled.' },
}

const PLAIN: Cancellation = { event: 'canceled' }

/** What a confirmed cancel means to the order. */
export function cancellationFor(cause: CancelCause | undefined): Cancellation {
  return cause === undefined ? PLAIN : CANCELLATIONS[cause]
}
