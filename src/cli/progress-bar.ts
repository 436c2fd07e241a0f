/** Shows how far something long has come. */
export interface Progress {
  update(done: number): void
  /** Takes the bar away. */
  stop(): void
}

const SHOWN_AFTER_MS = 300
const NONE: Progress = { update() {}, stop() {} }

/** A bar that appears once the work has lasted 300 ms; none where no person looks at `stream`. */
export async function progressBar(stream: NodeJS.WriteStream, total: number): Promise<Progress> {
  if (stream.isTTY !== true) return NONE
  const { SingleBar } = await import('cli-progress')
  const bar = new SingleBar({
    stream,
    clearOnComplete: true,
    format: '{bar} {percentage} % of {total} klines',
  })
  const startedAt = performance.now()
  return {
    update(done) {
      if (bar.isActive) bar.update(done)
      else if (performance.now() - startedAt >= SHOWN_AFTER_MS) bar.start(total, done)
    },
    stop() {
      if (bar.isActive) bar.stop()
    },
  }
}
