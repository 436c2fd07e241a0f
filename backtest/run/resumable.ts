/**
 * Work that yields every so many klines, so that the caller may show progress or stop. Each yield gives the
 * klines played since the one before. A caller that wants short steps passes the ms that the latest one took, so that the
 * next has fewer or more klines. A pause never changes the result.
 */
export type Resumable<Result> = Generator<number, Result, number | undefined>

/** Does work to its end without a pause. */
export function atOnce<Result>(work: Resumable<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
