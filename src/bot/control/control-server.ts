import { chmodSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import Fastify from 'fastify'
import { UsageError } from '../../domain/sluice-error.ts'
import { makePrivateFolder } from '../../files/private-file.ts'
import type { OperatorOrigin } from '../state/command-record.ts'
import type { ControlAnswer, LinkAnswer } from './control-answer.ts'
import { type OperatorRequest, operatorRequestSchema } from './operator-request.ts'
import { takenBy } from './socket-path.ts'

export type Operate = (request: OperatorRequest, origin: OperatorOrigin) => Promise<ControlAnswer>

/** Makes an address that logs a browser in once, for a role. */
export type MakeLink = (role: 'read' | 'operate') => string

/** A bot's door for its operator. */
export interface ControlServer {
  /** From now on requests go to `operate`; before, the answer is that the bot is starting. */
  serve(operate: Operate): void
  /** From now on an operator can ask for links to the window of the bot. */
  serveLinks(makeLink: MakeLink): void
  close(): Promise<void>
}

/**
 * Listens on a Unix domain socket that only the user of this process can open: access means control. Rejects
 * with `UsageError` if a running bot listens there, and if the path is not a socket; the stale socket of a
 * dead bot is replaced.
 */
export async function startControlServer(path: string): Promise<ControlServer> {
  let operate: Operate = async () => ({ ok: false, message: 'The bot is still starting.', isUsage: false })
  const server = Fastify({ forceCloseConnections: true })
  server.post('/operate', async (request): Promise<ControlAnswer> => {
    const parsed = operatorRequestSchema.safeParse(request.body)
    if (parsed.success) return operate(parsed.data, { from: 'terminal', who: userOfMachine() })
    return {
      ok: false,
      message: `This is no request to a bot: ${parsed.error.issues[0]?.message}.`,
      isUsage: true,
    }
  })
  let makeLink: MakeLink | undefined
  server.post('/window', async (request): Promise<LinkAnswer> => {
    const role = (request.body as { readonly role?: unknown } | null)?.role === 'read' ? 'read' : 'operate'
    return { url: makeLink?.(role) }
  })
  await orUnusable(path, () => makeRoom(path))
  await orUnusable(path, () => server.listen({ path }))
  chmodSync(path, 0o600)
  return {
    serve: given => {
      operate = given
    },
    serveLinks: given => {
      makeLink = given
    },
    close: () => server.close(),
  }
}

/**
 * A created folder is private to the user, so that no one else can connect before the socket's own
 * permissions are set.
 */
async function makeRoom(path: string): Promise<void> {
  makePrivateFolder(dirname(path))
  const taken = await takenBy(path)
  if (taken !== undefined) throw new UsageError(`${taken.found} ${taken.advice}`)
  rmSync(path, { force: true })
}

/** The user of this process, who is the only one that can open the socket. */
function userOfMachine(): string {
  try {
    return userInfo().username
  } catch {
    return 'a user without a name'
  }
}

/** Turns a system error about an unusable path into a sentence. */
async function orUnusable(path: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(
      `The control socket ${path} cannot be made (${reason}); give one that can in control.socket.`,
      cause,
    )
  }
}
