import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { StudyAnswer } from '../research/study-answers.ts'
import type { StudyReader } from '../research/study-reader.ts'
import { refuse } from './login-routes.ts'

const namedStudySchema = z.object({
  strategy: z.string(),
  data: z.string(),
  from: z.coerce.number(),
  to: z.coerce.number(),
})

/**
 * Headers of a page of a study, which brings its scripts: it is of no origin (`sandbox`), so that it has no cookie and reads nothing
 * of this server, whatever is in it, and it may load nothing. A sandboxed page cannot have an opener policy.
 */
const SANDBOXED = {
  'content-security-policy':
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'unsafe-none',
}

/** Adds the routes of the studies and verdicts of the project, behind the login. */
export function addStudyRoutes(server: FastifyInstance, reader: StudyReader): void {
  server.get('/api/studies', async request => patiently(request, () => reader.list()))
  server.get('/api/studies/page', async (request, reply) => {
    const given = namedStudySchema.safeParse(request.query)
    if (!given.success) return refuse(reply, 400, 'Name a study by strategy, data, from and to.')
    return send(reply, await patiently(request, () => reader.ask({ type: 'study', ...given.data })))
  })
  server.get('/api/verdicts/:id', async (request, reply) => {
    const { id } = request.params as { readonly id: string }
    return send(reply, await patiently(request, () => reader.ask({ type: 'verdict', id })))
  })
}

/** A connection is silent while a large study is read, and is not idle for that. */
async function patiently<Result>(
  { socket, server }: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  socket.setTimeout(0)
  try {
    return await work()
  } finally {
    socket.setTimeout(server.server.timeout)
  }
}

function send(reply: FastifyReply, answer: StudyAnswer): unknown {
  if (answer.type === 'none') return refuse(reply, 404, answer.reason)
  if (answer.type === 'studies') return answer
  return reply.headers(SANDBOXED).type('text/html; charset=utf-8').send(answer.page)
}
