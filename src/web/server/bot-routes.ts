import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { closesPositions } from '../../bot/control/operator.ts'
import { operatorRequestSchema } from '../../bot/control/operator-request.ts'
import type { OperatorOrigin } from '../../bot/state/command-record.ts'
import type { WindowSource } from '../window-source.ts'
import { refuse } from './login-routes.ts'
import type { WindowSession } from './sessions.ts'

const commandSchema = operatorRequestSchema.safeExtend({
  command: operatorRequestSchema.shape.command.exclude(['status']),
  reason: z
    .string()
    .max(500)
    .refine(given => given.trim() !== ''),
  /** The bot's name, typed by the operator, for a command that closes positions. */
  confirm: z.string().max(200).optional(),
})

/** Parts of the routes that show and command the bot. */
export interface BotRouteParts {
  /** Every bot of the window; none while the bot is starting. */
  readonly sources: () => readonly WindowSource[]
  /** The session of a request; only called once there is one. */
  readonly sessionOf: (request: FastifyRequest) => WindowSession
}

/** Adds the routes behind the login, but that of events. */
export function addBotRoutes(server: FastifyInstance, { sources, sessionOf }: BotRouteParts): void {
  const sourceOf = (request: FastifyRequest) => sources()[placeIn(request)]
  server.get('/api/session', async (request, reply) => {
    const { role, csrf } = sessionOf(request)
    if (sources().length === 0) return starting(reply)
    const bots = sources().map(source => {
      const { bot, isLive } = source
      return { bot, label: labelOf(source, sources()), isLive, role: isLive ? role : 'read' }
    })
    return { bots, csrf }
  })
  server.get('/api/views/:view', async (request, reply) => {
    const shown = sourceOf(request)
    if (shown === undefined) return without(sources(), reply)
    const { view } = request.params as { readonly view: string }
    const { bot: _, ...query } = plainQuery(request.query)
    const found = await shown.read(view, query)
    return found ?? refuse(reply, 404, `There is no such thing here: ${view}.`)
  })
  server.get('/api/files/:name', async (request, reply) => {
    const { name } = request.params as { readonly name: string }
    const file = await sourceOf(request)?.file(name)
    if (file === undefined) return refuse(reply, 404, `There is no file ${name}.`)
    reply.header('content-disposition', `attachment; filename="${file.name}"`)
    return reply.type(file.type).send(file.content)
  })
  server.post('/api/commands', async (request, reply) => {
    const shown = sourceOf(request)
    if (shown === undefined) return without(sources(), reply)
    const { role } = sessionOf(request)
    if (role !== 'operate' || !shown.isLive)
      return refuse(reply, 403, 'Only the role "operate" of a running bot may command it.')
    const given = commandSchema.safeParse(request.body)
    if (!given.success)
      return refuse(reply, 400, 'Give a command and its reason: {"command": "halt", "reason": "…"}.')
    const { confirm, ...command } = given.data
    if (closesPositions(command) && confirm !== shown.bot)
      return refuse(reply, 400, `To ${command.command}, type the name of the bot: ${shown.bot}.`)
    const origin: OperatorOrigin = { from: 'window', who: `${role} at ${request.ip}` }
    const { ok, message } = await shown.operate(command, origin)
    return { ok, message }
  })
}

/** Name of a bot, with where it is read from if another one has that name too. */
function labelOf({ bot, place }: WindowSource, all: readonly WindowSource[]): string {
  const isAlone = all.filter(other => other.bot === bot).length === 1
  return isAlone || place === undefined ? bot : `${bot} (${place})`
}

/** Place of the bot that a request is for, the first by default. */
function placeIn({ query }: FastifyRequest): number {
  return Number(plainQuery(query).bot ?? 0)
}

function without(sources: readonly WindowSource[], reply: FastifyReply): object {
  return sources.length === 0 ? starting(reply) : refuse(reply, 404, 'There is no such bot here.')
}

function starting(reply: FastifyReply): object {
  return refuse(reply, 503, 'The bot is still starting.')
}

/** The parameters that are given once. */
function plainQuery(query: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries((query ?? {}) as Readonly<Record<string, unknown>>)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
