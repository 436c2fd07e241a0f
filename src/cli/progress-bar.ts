/** Progress of a long task. */
export interface Progress {
  update(done: number): void
  /** Removes the bar. */
  stop(): void
}

/** Optional parts of a bar. */
export interface ProgressOptions {
  /** Shows the speed, and the remaining time at that speed. */
  readonly showsRate?: boolean
  /** Measures the speed from the first update on, because what was before it is a start-up. */
  readonly skipsStart?: boolean
  /** Unit of the total, in the plural; default: klines. */
  readonly unit?: string
}

const SHOWN_AFTER_MS = 300
const NONE: Progress = { update() {}, stop() {} }

/** A bar that appears after 300 ms; none unless `stream` is a terminal. */
export async function progressBar(
  stream: NodeJS.WriteStream,
  total: number,
  { showsRate = false, skipsStart = false, unit = 'klines' }: ProgressOptions = {},
): Promise<Progress> {
  if (stream.isTTY !== true) return NONE
  const { SingleBar } = await import('cli-progress')
  const plain = `{bar} {percentage}% of {total} ${unit}`
  const format = showsRate ? `${plain}, {rate}/s, {left} left` : plain
  const bar = new SingleBar({ stream, clearOnComplete: true, format })
  const startedAt = performance.now()
  let first = skipsStart ? undefined : { at: startedAt, done: 0 }
  return {
    update(done) {
      const now = performance.now()
      const elapsedMs = now - startedAt
      first ??= { at: now, done }
      const rate = (done - first.done) / ((now - first.at) / 1000) || 0
      const payload = { rate: rate.toFixed(0), left: secondsText((total - done) / rate) }
      if (bar.isActive) bar.update(done, payload)
      else if (elapsedMs >= SHOWN_AFTER_MS) bar.start(total, done, payload)
    },
    stop() {
      if (bar.isActive) bar.stop()
    },
  }
}

/** Duration such as `3h 5m`, `5m 12s` or `12s`. */
function secondsText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '-'
  const whole = Math.ceil(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  if (hours > 0) return `${hours}h ${minutes}m`
  return minutes > 0 ? `${minutes}m ${whole % 60}s` : `${whole}s`
}
