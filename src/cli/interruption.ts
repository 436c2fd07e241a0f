/** Exit code after SIGINT: 128 plus the number of the signal, as in shells. */
export const INTERRUPTED = 130

/** The user ended a command early. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor(message = 'Interrupted: the run was not finished, and nothing was written.') {
    super(message)
  }
}

/**
 * Runs work that SIGINT ends: the promise rejects with `Interrupted` as soon as the work lets other events
 * run. The work may continue without effect, so the process should end. `message` says what was kept.
 */
export function interruptible<Result>(work: () => Promise<Result>, message?: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onSignal = () => reject(new Interrupted(message))
    process.once('SIGINT', onSignal)
    work()
      .then(resolve, reject)
      .finally(() => process.off('SIGINT', onSignal))
  })
}
