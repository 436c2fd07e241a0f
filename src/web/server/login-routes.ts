import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { WebConfig } from '../../config/web-field.ts'
import type { LoginLimits } from './login-limits.ts'
import type { LoginLinks } from './login-links.ts'
import { isPasswordOf } from './password.ts'
import type { Sessions, WindowRole, WindowSession } from './sessions.ts'

const loginSchema = z.union([
  z.strictObject({ token: z.string().max(100) }),
  z.strictObject({ password: z.string().max(200) }),
])

type Login = z.output<typeof loginSchema>

/** Parts of the routes that log in and out. */
export interface LoginParts {
  readonly passwords: WebConfig['passwords']
  readonly sessions: Sessions
  readonly links: LoginLinks
  readonly limits: LoginLimits
  /** True if it shows journals alone, so that no running bot prints further links. */
  readonly isView: () => boolean
  /** The header that sets the cookie of a session to a value. */
  readonly cookieOf: (value: string) => string
  readonly sessionOf: (request: FastifyRequest) => WindowSession | undefined
}

/** Adds `GET /api/login`, which tells a browser how it may log in, `POST /api/login` and `POST /api/logout`. */
export function addLoginRoutes(server: FastifyInstance, parts: LoginParts): void {
  const { sessions, limits, cookieOf } = parts
  server.get('/api/login', async () => ({
    hasPassword: Object.values(parts.passwords).some(hash => hash !== undefined),
    isView: parts.isView(),
  }))
  server.post('/api/login', async (request, reply) => {
    const given = loginSchema.safeParse(request.body)
    if (!given.success) return refuse(reply, 400, 'Give the token of a link, or a password.')
    const wait = limits.waitOf(request.ip)
    if (wait > 0) return tooEarly(reply, wait)
    let role: WindowRole | undefined
    const isRight = await limits.attempt(request.ip, async () => {
      role = await roleOf(given.data, parts)
      return role !== undefined
    })
    if (isRight === undefined) return tooEarly(reply, 1000)
    if (role === undefined) return refuse(reply, 401, wrongText(given.data, parts.isView()))
    const session = sessions.open(role)
    reply.header('set-cookie', cookieOf(session.id))
    return { role, csrf: session.csrf }
  })
  server.post('/api/logout', async (request, reply) => {
    const session = parts.sessionOf(request)
    if (session !== undefined) sessions.close(session.id)
    reply.header('set-cookie', `${cookieOf('')}; Max-Age=0`)
    return {}
  })
}

/** Answers with an error, a whole sentence. */
export function refuse(reply: FastifyReply, status: number, error: string): object {
  reply.status(status)
  return { error }
}

function tooEarly(reply: FastifyReply, waitMs: number): object {
  const seconds = Math.ceil(waitMs / 1000)
  reply.header('retry-after', `${seconds}`)
  return refuse(reply, 429, `Too many logins failed; try again in ${seconds} s.`)
}

async function roleOf(given: Login, { links, passwords }: LoginParts): Promise<WindowRole | undefined> {
  if ('token' in given) return links.take(given.token)
  for (const role of ['operate', 'read'] as const) {
    const hash = passwords[role]
    if (hash !== undefined && (await isPasswordOf(hash, given.password))) return role
  }
  return undefined
}

function wrongText(given: Login, isView: boolean): string {
  if ('password' in given) return 'This is not the password.'
  return `This link was used already, or is older than a minute; ${isView ? 'start "npm run view" again for a new one' : '"npm run -s bot -- window" prints a new one'}.`
}
