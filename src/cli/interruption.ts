/** Exit code of a command that SIGINT ended: 128 and the number of the signal, as shells have it. */
export const INTERRUPTED = 130

/** The user ended a command before it was done. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor() {
    super('Interrupted: the run was not finished, and nothing was written.')
  }
}

/**
 * Does work that SIGINT ends: the promise rejects with `Interrupted` as soon as the work lets other events in. What the work
 * still does then is for nobody, so the process should end.
 */
export function interruptible<Result>(work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onSignal = () => reject(new Interrupted())
    process.once('SIGINT', onSignal)
    work()
      .then(resolve, reject)
      .finally(() => process.off('SIGINT', onSignal))
  })
}
