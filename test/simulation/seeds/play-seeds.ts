import { Worker } from 'node:worker_threads'
import { outcomeOf, type SeedOutcome, type SeedTask } from './seed-outcome.ts'
import type { SeedAnswer } from './seed-worker.ts'

/**
 * What comes of seeds, in their order, however many threads play them side by side. Ends after the first violation of that
 * order; rejects with what a seed throws.
 */
export async function* playSeeds(tasks: readonly SeedTask[], jobs: number): AsyncGenerator<SeedOutcome> {
  const outcomes = jobs === 1 ? oneByOne(tasks) : sideBySide(tasks, jobs)
  for await (const outcome of outcomes) {
    yield outcome
    if (outcome.violation !== undefined) return
  }
}

async function* oneByOne(tasks: readonly SeedTask[]): AsyncGenerator<SeedOutcome> {
  for (const task of tasks) yield await outcomeOf(task)
}

/** Each thread takes the next seed as soon as it has played one. */
async function* sideBySide(tasks: readonly SeedTask[], jobs: number): AsyncGenerator<SeedOutcome> {
  const workers = Array.from({ length: Math.min(jobs, tasks.length) }, seedWorker)
  const played: Promise<SeedOutcome>[] = []
  let next = 0
  const begin = (worker: Worker): void => {
    const task = tasks[next++]
    if (task === undefined) return
    const outcome = playOn(worker, task)
    played.push(outcome)
    // It is awaited below, where its failure is heard of; what follows a violation is of no use.
    outcome.then(
      ({ violation }) => violation === undefined && begin(worker),
      () => undefined,
    )
  }
  try {
    for (const worker of workers) begin(worker)
    for (let first = played.shift(); first !== undefined; first = played.shift()) yield await first
  } finally {
    await Promise.all(workers.map(worker => worker.terminate()))
  }
}

function seedWorker(): Worker {
  return new Worker(new URL('./seed-worker.ts', import.meta.url))
}

function playOn(worker: Worker, task: SeedTask): Promise<SeedOutcome> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (answer: SeedAnswer) => {
      worker.off('error', reject)
      if ('outcome' in answer) resolve(answer.outcome)
      else reject(new Error(answer.error))
    })
    worker.postMessage(task)
  })
}
