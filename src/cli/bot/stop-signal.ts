const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** For how long one wish to stop may send signals, ms: a terminal and npm both signal the process, and so does "timeout". */
const REPEAT_MS = 1000

/**
 * Calls back once, with its name, at the first SIGINT, SIGTERM or SIGHUP. Those within a second of it count as the same; later
 * ones end the process as usual. Returns how to stop waiting.
 */
export function onStopSignal(callback: (name: string) => void): () => void {
  const forget = () => {
    for (const name of STOP_SIGNALS) process.off(name, onSignal)
  }
  const onSignal = (name: string) => {
    forget()
    ignoreRepeats()
    callback(name)
  }
  for (const name of STOP_SIGNALS) process.on(name, onSignal)
  return forget
}

/** SIGHUP no longer ends the process: the kernel and the shell both signal a terminal that closes. */
export function ignoreHangups(): void {
  process.off('SIGHUP', ignore)
  process.on('SIGHUP', ignore)
}

function ignoreRepeats(): void {
  for (const name of STOP_SIGNALS) process.on(name, ignoreRepeat)
  setTimeout(() => {
    for (const name of STOP_SIGNALS) process.off(name, ignoreRepeat)
  }, REPEAT_MS).unref()
}

function ignore(): void {}

function ignoreRepeat(): void {}
