import type { CallOptions, EndpointCall } from '../call/endpoint-call.ts'

/** A range of things, one by one. */
export type Range<Item> = AsyncGenerator<Item, void, undefined>

/** How long a call of a range waits for its turn, ms: nobody waits for one page, and a spent budget is back in a minute. */
const PATIENCE_MS = 120_000

/** What every range takes. */
export interface RangeOptions {
  /** Ends the range at once: its next step rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** The way of calling for a range: patient, and ended by the signal. */
export function patiently(call: EndpointCall, { signal }: RangeOptions): EndpointCall {
  const options: CallOptions = { maxWaitMs: PATIENCE_MS, ...(signal !== undefined && { signal }) }
  return (endpoint, fields) => call(endpoint, fields, options)
}

/** The range, which the signal ends at once, even while it waits for an answer. */
export async function* untilAborted<Item>(range: Range<Item>, signal: AbortSignal | undefined): Range<Item> {
  if (signal === undefined) {
    yield* range
    return
  }
  try {
    for (;;) {
      signal.throwIfAborted()
      const next = await orAborted(range.next(), signal)
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not awaited: a range that still waits for an answer comes to its end with that.
    range.return().catch(() => undefined)
  }
}

function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
