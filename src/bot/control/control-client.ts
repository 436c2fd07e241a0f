import { Client } from 'undici'
import { SluiceError } from '../../domain/sluice-error.ts'
import type { ControlAnswer, LinkAnswer } from './control-answer.ts'
import type { OperatorRequest } from './operator-request.ts'

/** No running bot answered. */
export class BotNotRunningError extends SluiceError {
  constructor(path: string, cause: unknown) {
    const message = `No bot with this configuration is running: nobody listens on ${path}.`
    super(message, { code: 'BOT_NOT_RUNNING', reaction: 'retry', cause })
  }
}

/** Default of how long a bot may take to answer, ms. */
const TIMEOUT_MS = 10_000

/** A bot runs, but is too busy to answer. */
export class BotSilentError extends SluiceError {
  constructor(path: string, timeoutMs: number) {
    const message = `The bot on ${path} has not answered for ${timeoutMs / 1000} seconds, although its process runs. It does nothing else meanwhile, and watches no stops: a handler of a strategy that does not return blocks it. If it goes on, end its process with SIGKILL, mend the strategy and start it again; with a journal it goes on with its orders and positions.`
    super(message, { code: 'BOT_SILENT', reaction: 'retry' })
  }
}

/**
 * Sends a request to a running bot; rejects with `BotNotRunningError` if none listens, and with
 * `BotSilentError` if it does not answer in time.
 */
export function askBot(
  path: string,
  asked: OperatorRequest,
  timeoutMs: number = TIMEOUT_MS,
): Promise<ControlAnswer> {
  return post(path, '/operate', asked, timeoutMs)
}

/** Asks a running bot for an address that logs a browser in to its window; rejects as `askBot` does. */
export function askForLink(path: string, role: 'read' | 'operate'): Promise<LinkAnswer> {
  return post(path, '/window', { role }, TIMEOUT_MS)
}

/** The caller names the type of the answer, which our own server writes. */
async function post<Answer>(
  socketPath: string,
  path: string,
  body: object,
  timeoutMs: number,
): Promise<Answer> {
  const client = new Client('http://localhost', {
    socketPath,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  try {
    const response = await client.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.body.json()) as Answer
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (NOBODY_THERE.has(code)) throw new BotNotRunningError(socketPath, undefined)
    if (TOO_LATE.has(code)) throw new BotSilentError(socketPath, timeoutMs)
    throw error
  } finally {
    await client.destroy()
  }
}

/** No socket, no listener, or a bot that ends before it answers. */
const NOBODY_THERE: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'])
const TOO_LATE: ReadonlySet<unknown> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
