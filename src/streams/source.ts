import { Observable, type Subscriber } from 'rxjs'

/**
 * Input of one stream. A Subject of rxjs does the same at several times the cost, and this cost arises with
 * every kline.
 */
export class Source<Value> {
  /** The stream that the strategy subscribes to. */
  readonly stream$: Observable<Value>
  /** Copied on each change, because a subscription may start or end while a value is emitted. */
  #subscribers: readonly Subscriber<Value>[] = []

  constructor() {
    this.stream$ = new Observable(subscriber => {
      this.#subscribers = [...this.#subscribers, subscriber]
      return () => {
        this.#subscribers = this.#subscribers.filter(other => other !== subscriber)
      }
    })
  }

  /** True with at least one subscriber. */
  get isObserved(): boolean {
    return this.#subscribers.length > 0
  }

  /** Emits a value to the current subscribers. */
  emit(value: Value): void {
    const subscribers = this.#subscribers
    for (let index = 0; index < subscribers.length; index++) subscribers[index]?.next(value)
  }
}
