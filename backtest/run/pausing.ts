/**
 * Work that pauses every so many klines, so that whoever does it may show progress or stop; a pause tells how many klines
 * were played since the one before. Nothing that happens in a pause changes what the work comes to.
 */
export type Pausing<Result> = Generator<number, Result, void>

/** Does work to its end without a pause. */
export function atOnce<Result>(work: Pausing<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
