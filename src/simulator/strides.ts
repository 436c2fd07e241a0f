const STRIDE = 3_600_000

/**
 * The times (ms UTC) at which an exchange that is at `from` stops on its way to `to`: every hour, so that what its parts
 * tell each other never piles up by more. One that has not opened does so at `to`.
 */
export function* strides(from: number, to: number): Generator<number> {
  if (Number.isFinite(from)) for (let time = from + STRIDE; time < to; time += STRIDE) yield time
  yield to
}
