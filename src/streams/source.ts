import { Observable, type Subscriber } from 'rxjs'

/** Where the data of one stream enters. A Subject of rxjs does the same at several times the cost, and this is paid for every kline. */
export class Source<Value> {
  /** What the strategy subscribes to. */
  readonly stream$: Observable<Value>
  /** Replaced rather than changed, for a subscription may come or go while a value is being shown. */
  #subscribers: readonly Subscriber<Value>[] = []

  constructor() {
    this.stream$ = new Observable(subscriber => {
      this.#subscribers = [...this.#subscribers, subscriber]
      return () => {
        this.#subscribers = this.#subscribers.filter(other => other !== subscriber)
      }
    })
  }

  /** Whether anybody would see a value. */
  get isObserved(): boolean {
    return this.#subscribers.length > 0
  }

  /** Shows a value to everybody who subscribed before. */
  emit(value: Value): void {
    const subscribers = this.#subscribers
    for (let index = 0; index < subscribers.length; index++) subscribers[index]?.next(value)
  }
}
