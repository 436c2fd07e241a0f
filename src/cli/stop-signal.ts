/** Calls back once, with its name, at the first SIGINT or SIGTERM (later ones end the process as usual); returns how to stop waiting. */
export function onStopSignal(callback: (name: string) => void): () => void {
  const forget = () => {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
  const onSignal = (name: string) => {
    forget()
    callback(name)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return forget
}
