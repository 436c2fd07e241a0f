/** Longest delay `setTimeout` takes; a longer one would fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/**
 * Calls `callback` once, after `delayMs` real milliseconds of the monotonic clock: never early (Node may fire
 * a timer up to 1 ms before its time) and for delays of any length. The returned function cancels it.
 */
export function realTimeout(delayMs: number, callback: () => void): () => void {
  const due = performance.now() + Math.max(0, delayMs)
  let timer = arm()
  return () => clearTimeout(timer)

  function arm(): NodeJS.Timeout {
    const remaining = Math.max(0, Math.ceil(due - performance.now()))
    return setTimeout(fire, Math.min(remaining, LONGEST_TIMEOUT_MS))
  }

  function fire(): void {
    if (performance.now() >= due) callback()
    else timer = arm()
  }
}
