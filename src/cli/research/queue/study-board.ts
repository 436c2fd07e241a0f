import type { Redis } from 'ioredis'
import type { QueuedStudy } from './queued-study.ts'

/** Life of a note on the board that is not renewed, s. */
const KEPT_SECONDS = 30
const [STUDIES, REFUSALS] = ['sluice:study:', 'sluice:refusal:']

/** Notes in Redis: which studies are asked for, and which workers cannot help. Each disappears unless it is renewed. */
export class StudyBoard {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** Asks for workers; to be repeated well within half a minute. */
  async announce(study: QueuedStudy): Promise<void> {
    await this.#redis.set(STUDIES + study.id, JSON.stringify(study), 'EX', KEPT_SECONDS)
  }

  async withdraw({ id }: QueuedStudy): Promise<void> {
    await this.#redis.del(STUDIES + id)
  }

  /** Studies that are asked for now. */
  async studies(): Promise<readonly QueuedStudy[]> {
    const texts = await this.#textsOf(STUDIES)
    return texts.map(text => JSON.parse(text) as QueuedStudy) // as it was announced
  }

  /** Tells the one who asked why a worker does not take part. */
  async refuse(study: QueuedStudy, worker: string, sentence: string): Promise<void> {
    await this.#redis.set(`${REFUSALS}${study.id}:${worker}`, sentence, 'EX', KEPT_SECONDS)
  }

  refusalsOf({ id }: Pick<QueuedStudy, 'id'>): Promise<readonly string[]> {
    return this.#textsOf(`${REFUSALS}${id}:`)
  }

  async #textsOf(prefix: string): Promise<readonly string[]> {
    const keys: string[] = []
    for await (const found of this.#redis.scanStream({ match: `${prefix}*` })) keys.push(...found)
    if (keys.length === 0) return []
    const texts = await this.#redis.mget(keys.sort())
    return texts.filter(text => text !== null)
  }
}
