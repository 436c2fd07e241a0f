const STRIDE = 3_600_000

/**
 * The times (ms UTC) at which an exchange that is at `from` stops on its way to `to`: at least every hour, so that what its
 * parts tell each other never piles up by more, and whenever something is due that one part does to another. One that has
 * not opened does so at `to`.
 */
export function* strides(from: number, to: number, dueAt: () => number | undefined): Generator<number> {
  if (Number.isFinite(from)) {
    for (let time = from; ; ) {
      const next = Math.min(time + STRIDE, Math.max(time, dueAt() ?? to))
      if (next >= to) break
      yield next
      time = next
    }
  }
  yield to
}
