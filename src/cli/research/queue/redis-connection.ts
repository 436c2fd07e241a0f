import { Redis } from 'ioredis'
import { SECRET_VARIABLES } from '../../../config/secret-variables.ts'
import { UsageError } from '../../../domain/sluice-error.ts'
import type { RedisAccess } from '../../redis-access.ts'

/** Pause before a lost connection is tried again, ms. */
const RECONNECT_MS = 500

/**
 * Connects to Redis, and connects again whenever the connection is lost. Rejects with `UsageError` where nothing answers at first.
 */
export async function connectedRedis(access: RedisAccess): Promise<Redis> {
  const { url } = access
  const redis = new Redis(url, {
    ...access.credentials(),
    lazyConnect: true,
    maxRetriesPerRequest: null, // as BullMQ requires
    retryStrategy: () => RECONNECT_MS,
  })
  let problem = ''
  redis.on('error', (error: NodeJS.ErrnoException) => {
    problem = error.message === '' ? `${error.code}` : error.message
  })
  try {
    await redis.connect()
    await redis.ping()
    return redis
  } catch (cause) {
    redis.disconnect()
    const reason = cause instanceof Error && problem === '' ? cause.message : problem
    throw new UsageError(
      `Redis cannot be used at ${url} (${reason}); start one there (apt-get install redis-server), put its password into ${SECRET_VARIABLES.redisPassword}, or leave --queue out.`,
      cause,
    )
  }
}
