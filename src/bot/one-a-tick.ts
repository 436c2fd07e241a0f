import { type MonoTypeOperatorFunction, Observable } from 'rxjs'

/**
 * Passes values on in order, but of those that come together only one before the ticks that it asked for are over: what it
 * writes to a socket is then with the operating system before the next value is looked at.
 */
export function oneATick<Value>(): MonoTypeOperatorFunction<Value> {
  return source =>
    new Observable(subscriber => {
      const waiting: Value[] = []
      let isHeld = false
      const pass = (value: Value): void => {
        isHeld = true
        subscriber.next(value)
        process.nextTick(release)
      }
      const release = (): void => {
        isHeld = false
        const [value] = waiting
        if (value === undefined || subscriber.closed) return
        waiting.shift()
        pass(value)
      }
      return source.subscribe({
        next: value => {
          if (isHeld) waiting.push(value)
          else pass(value)
        },
        error: error => subscriber.error(error),
        complete: () => subscriber.complete(),
      })
    })
}
