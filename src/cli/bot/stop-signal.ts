const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Period in which repeated stop signals count as one, ms: a terminal and npm both signal the process, and so
 * does "timeout".
 */
const REPEAT_MS = 1000

/**
 * Calls back once, with its name, at the first SIGINT, SIGTERM or SIGHUP. Those within a second of it count
 * as the same; later ones end the process as usual. The returned function stops listening.
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

/** Keeps SIGHUP from ending the process: the kernel and the shell both send it when a terminal closes. */
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
