const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Calls back once, with its name, at the first SIGINT, SIGTERM or SIGHUP (later ones end the process as usual); returns how to stop waiting. */
export function onStopSignal(callback: (name: string) => void): () => void {
  const forget = () => {
    for (const name of STOP_SIGNALS) process.off(name, onSignal)
  }
  const onSignal = (name: string) => {
    forget()
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

function ignore(): void {}
