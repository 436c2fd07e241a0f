import { parentPort } from 'node:worker_threads'
import { outcomeOf, type SeedOutcome, type SeedTask } from './seed-outcome.ts'

/** What a thread tells of a seed: what came of it, or what it threw. */
export type SeedAnswer = { readonly outcome: SeedOutcome } | { readonly error: string }

// Plays the seeds that it is given, one after the other.
parentPort?.on('message', (task: SeedTask) => {
  const answer = (told: SeedAnswer) => parentPort?.postMessage(told)
  outcomeOf(task).then(
    outcome => answer({ outcome }),
    (error: unknown) => answer({ error: String(error) }),
  )
})
