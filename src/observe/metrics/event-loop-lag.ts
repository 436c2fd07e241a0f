/** Interval of looking at the event loop, ms. */
const LOOK_MS = 500

/** Reports by how many ms a timer rang late, twice a second; the returned function stops that. */
export function watchEventLoop(onLag: (ms: number) => void): () => void {
  let due = performance.now() + LOOK_MS
  const timer = setInterval(() => {
    const now = performance.now()
    onLag(Math.max(0, now - due))
    due = now + LOOK_MS
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
