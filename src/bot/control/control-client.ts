import { request } from 'node:http'
import { json } from 'node:stream/consumers'
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
export function askBot(path: string, asked: OperatorRequest): Promise<ControlAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({
      socketPath: path,
      method: 'POST',
      path: '/operate',
      headers: { 'content-type': 'application/json' },
      timeout: TIMEOUT_MS,
    })
    // Written by our own server.
    sent.on('response', answer => json(answer).then(content => resolve(content as ControlAnswer), reject))
    sent.on('timeout', () => sent.destroy(new Error(`The bot did not answer within ${TIMEOUT_MS} ms.`)))
    sent.on('error', error => reject(isNobodyThere(error) ? new BotNotRunningError(path, undefined) : error))
    sent.end(JSON.stringify(asked))
  })
}

function isNobodyThere(error: Error): boolean {
  return (
    'code' in error &&
    (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET')
  )
}
