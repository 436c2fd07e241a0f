import { z } from 'zod'
import { type HttpAnswer, HttpPost } from './http-post.ts'

const answerSchema = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
})

/** Answer of the Bot API (core.telegram.org/bots/api#making-requests). */
export interface BotApiAnswer {
  readonly status: number
  readonly ok: boolean
  readonly result: unknown
  readonly description: string
  /** Time to wait before the next call, ms. */
  readonly retryAfterMs?: number
}

/** Calls of the Telegram Bot API. Its token is part of each address, so that no error may carry one. */
export class BotApi {
  readonly #http = new HttpPost()
  readonly #base: string

  constructor(apiUrl: string, token: string) {
    this.#base = `${apiUrl.replace(/\/$/, '')}/bot${token}`
  }

  /** Calls a method; rejects as `HttpPost.post` does. */
  async call(method: string, parameters: object, patienceMs?: number): Promise<BotApiAnswer> {
    const headers = { 'content-type': 'application/json' }
    return answerOf(
      await this.#http.post(`${this.#base}/${method}`, headers, JSON.stringify(parameters), patienceMs),
    )
  }

  close(): Promise<void> {
    return this.#http.close()
  }
}

function answerOf({ status, text, retryAfterMs }: HttpAnswer): BotApiAnswer {
  const parsed = answerSchema.safeParse(jsonOf(text))
  const after = parsed.data?.parameters?.retry_after
  const afterMs = after === undefined ? retryAfterMs : after * 1000
  return {
    status,
    ok: parsed.data?.ok === true,
    result: parsed.data?.result,
    description: parsed.data?.description ?? (parsed.data?.ok === true ? 'sent' : 'no answer of the Bot API'),
    ...(afterMs !== undefined && { retryAfterMs: afterMs }),
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a page of the network in front
  }
}
