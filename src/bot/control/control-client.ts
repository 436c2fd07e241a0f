import { Client } from 'undici'
import { SluiceError } from '../../domain/sluice-error.ts'
import type { ControlAnswer } from './control-answer.ts'
import type { OperatorRequest } from './operator-request.ts'

/** No running bot answered. */
export class BotNotRunningError extends SluiceError {
  constructor(path: string, cause: unknown) {
    const message = `No bot with this configuration is running: nobody listens on ${path}.`
    super(message, { code: 'BOT_NOT_RUNNING', reaction: 'retry', cause })
  }
}

/** How long a bot may take to answer, ms. */
const TIMEOUT_MS = 10_000

/** Asks something of a running bot; rejects with `BotNotRunningError` where none listens. */
export async function askBot(path: string, request: OperatorRequest): Promise<ControlAnswer> {
  const client = new Client('http://bot', { socketPath: path, headersTimeout: TIMEOUT_MS })
  try {
    const { body } = await client.request({
      method: 'POST',
      path: '/operate',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    return (await body.json()) as ControlAnswer // written by our own server
  } catch (error) {
    throw isNobodyThere(error) ? new BotNotRunningError(path, undefined) : error
  } finally {
    await client.close()
  }
}

function isNobodyThere(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'UND_ERR_SOCKET')
  )
}
