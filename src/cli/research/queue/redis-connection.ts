import { Redis } from 'ioredis'
import { UsageError } from '../../../domain/sluice-error.ts'

/** Pause before a lost connection is tried again, ms. */
const RECONNECT_MS = 500
/** Environment variables with the credentials of Redis. */
const [USER_VARIABLE, PASSWORD_VARIABLE] = ['SLUICE_REDIS_USER', 'SLUICE_REDIS_PASSWORD']

/**
 * Connects to Redis, and connects again whenever the connection is lost. Rejects with `UsageError` where nothing answers at first,
 * and for an address that names a password, which everyone who lists processes could read.
 */
export async function connectedRedis(url: string): Promise<Redis> {
  const redis = new Redis(addressOf(url), {
    username: process.env[USER_VARIABLE],
    password: process.env[PASSWORD_VARIABLE],
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
      `Redis cannot be used at ${url} (${reason}); start one there (apt-get install redis-server), put its password into ${PASSWORD_VARIABLE}, or leave --queue out.`,
      cause,
    )
  }
}

function addressOf(url: string): string {
  const { username, password } = new URL(url)
  if (username === '' && password === '') return url
  throw new UsageError(
    `--queue has credentials in the address, which everyone who lists processes can read; put them into ${USER_VARIABLE} and ${PASSWORD_VARIABLE}.`,
  )
}
