const STRIDE = 3_600_000

/**
 * The times (ms UTC) at which an exchange that is at `from` stops on its way to `to`: at least every hour,
 * which bounds the prints that its parts pass to each other, and at every action of one part on another. An
 * exchange that has not opened opens at `to`.
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
