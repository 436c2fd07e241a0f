import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { StudyAnswer, StudyQuestion, StudyWorkerData } from './study-answers.ts'

/** Most memory that a thread may take, MB; a study of a million trials fits. */
const MOST_MEMORY_MB = 1024
/** Longest time for an answer, ms; a study of a million trials takes a minute or two. */
const ANSWER_MS = 10 * 60_000
/** Questions that wait for their turn. */
const MOST_WAITING = 4

/**
 * Reads the study file of a project for a window: in a thread of its own of low priority, one question after the other, and
 * only when a browser asks. Whatever the study has, the bot trades on.
 */
export class StudyReader {
  readonly #path: string | undefined
  #waiting = 0
  #turn: Promise<unknown> = Promise.resolve()
  #thread: Worker | undefined
  #isClosed = false
  /** The latest list, and the state of the files that it was read from. */
  #list: { readonly stamp: string; readonly answer: Promise<StudyAnswer> } | undefined

  /** `path` of the study file; without one every answer says so. */
  constructor(path: string | undefined) {
    this.#path = path
  }

  /** The studies, read once for each state of the file; an answer that failed is asked for anew. */
  list(): Promise<StudyAnswer> {
    const stamp = this.#path === undefined ? '' : stampOf(this.#path)
    if (this.#list?.stamp === stamp) return this.#list.answer
    const answer = this.ask({ type: 'list' })
    this.#list = { stamp, answer }
    void answer.then(({ type }) => {
      if (type !== 'studies') this.#list = undefined
    })
    return answer
  }

  /** Answers a question; never rejects. */
  async ask(question: StudyQuestion): Promise<StudyAnswer> {
    const path = this.#path
    if (path === undefined)
      return {
        type: 'none',
        reason: 'No study file is read here; name one with web.study, with --study, or in SLUICE_STUDY.',
      }
    if (this.#waiting >= MOST_WAITING)
      return { type: 'none', reason: 'Other pages of studies are being made; try again in a minute.' }
    this.#waiting++
    const answer = this.#turn.then(() => this.#answer({ path, question }))
    this.#turn = answer
    try {
      return await answer
    } finally {
      this.#waiting--
    }
  }

  /** Ends what is being read. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.terminate()
  }

  async #answer(data: StudyWorkerData): Promise<StudyAnswer> {
    if (this.#isClosed) return { type: 'none', reason: 'The window is closed.' }
    const thread = new Worker(new URL('./study-worker.ts', import.meta.url), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    })
    this.#thread = thread
    let timer: NodeJS.Timeout | undefined
    const answer = await new Promise<StudyAnswer>(resolve => {
      const failed = (reason: string) =>
        resolve({ type: 'none', reason: `${data.path} could not be read: ${reason}` })
      timer = setTimeout(() => failed('it took more than ten minutes.'), ANSWER_MS)
      thread.once('message', resolve)
      thread.once('error', error => failed(error instanceof Error ? error.message : String(error)))
      thread.once('exit', () => failed('its thread ended.'))
    })
    clearTimeout(timer)
    this.#thread = undefined
    await thread.terminate()
    return answer
  }
}

/** Time and size of a study file and of what was written to it since, which lies beside it. */
function stampOf(path: string): string {
  return (
    [path, `${path}-wal`]
      .map(file => statSync(file, { throwIfNoEntry: false }))
      // A reader makes an empty one beside a file that nobody has open.
      .map(found => (found === undefined || found.size === 0 ? '' : `${found.mtimeMs} ${found.size}`))
      .join()
  )
}
