import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Probes } from '../probes.ts'
import { refuse } from './login-routes.ts'

/** Readers of probes that need no login. */
export interface ProbeAccess {
  /** Of the header `Authorization: Bearer TOKEN`; without one only this machine may read. */
  readonly metricsToken?: string | undefined
  /** True if any request may come from elsewhere by way of a proxy on this machine. */
  readonly behindProxy: boolean
}

/** Adds `/metrics`, `/health` and `/ready`. `probes` is `undefined` while the bot is starting. */
export function addProbeRoutes(
  server: FastifyInstance,
  probes: () => Probes | undefined,
  access: ProbeAccess,
): void {
  const read = (path: string, answer: (given: Probes, reply: FastifyReply) => Promise<unknown>) =>
    server.get(path, async (request, reply) => {
      if (!mayRead(request, access))
        return refuse(
          reply,
          401,
          'Only this machine, or who sends "Authorization: Bearer TOKEN", reads this.',
        )
      const given = probes()
      if (given !== undefined) return answer(given, reply)
      if (path === '/health') return { alive: true, ready: false, why: ['The bot is starting.'] }
      return refuse(reply, 503, 'The bot is still starting.')
    })
  read('/metrics', async (given, reply) => {
    const { contentType, text } = await given.write()
    return reply.header('content-type', contentType).send(text)
  })
  read('/health', async (given, reply) => {
    const { isAlive, reasons } = await given.readiness()
    return reply.code(isAlive ? 200 : 503).send({ alive: isAlive, ready: reasons.length === 0, why: reasons })
  })
  read('/ready', async (given, reply) => {
    const { reasons } = await given.readiness()
    const ready = reasons.length === 0
    return reply.code(ready ? 200 : 503).send({ ready, why: reasons })
  })
}

/** A request of this machine is one without a proxy from a loopback address. */
function mayRead({ headers, socket }: FastifyRequest, { metricsToken, behindProxy }: ProbeAccess): boolean {
  if (!behindProxy && isLoopback(socket.remoteAddress)) return true
  const [, given] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
  return given !== undefined && metricsToken !== undefined && isSame(given, metricsToken)
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address)
}

/** Compares in a time that does not tell where they differ. */
export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
