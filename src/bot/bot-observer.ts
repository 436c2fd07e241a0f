import type { Explain, Explanation } from '../domain/events/explanation.ts'
import type { NewEntry } from '../journal/journal.ts'

/** Follows what a bot does. All are called while it works, and must return at once and never throw. */
export interface BotObserver {
  /** Receives what the decisions of an event followed from, before the entry of that event; without it, nothing is explained. */
  readonly explain?: Explain | undefined
  /** Receives each entry that the journal takes, also of a bot without one. */
  readonly onEntry: (entry: NewEntry) => void
  /** Receives how long the engine took over the close of a kline, ms of real time. */
  readonly onDecided?: ((symbol: string, ms: number) => void) | undefined
  /** Receives how long a commit of the journal took, ms of real time. */
  readonly onCommitted?: ((ms: number) => void) | undefined
}

/** Several observers as one, told in this order; `undefined` without any. */
export function observerOf(given: readonly (BotObserver | undefined)[]): BotObserver | undefined {
  const observers = given.filter(one => one !== undefined)
  if (observers.length === 0) return undefined
  const explains = observers.flatMap(({ explain }) => explain ?? [])
  return {
    onEntry: entry => {
      for (const { onEntry } of observers) onEntry(entry)
    },
    onDecided: (symbol, ms) => {
      for (const { onDecided } of observers) onDecided?.(symbol, ms)
    },
    onCommitted: ms => {
      for (const { onCommitted } of observers) onCommitted?.(ms)
    },
    ...(explains.length > 0 && {
      explain: (explanation: Explanation) => {
        for (const explain of explains) explain(explanation)
      },
    }),
  }
}
