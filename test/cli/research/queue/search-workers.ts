import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'
import { startSluice } from '../../sluice-process.ts'
import type { RedisServer } from './redis-server.ts'

/** A worker with one thread, ended with the test. */
export function worker(redis: RedisServer) {
  const child = startSluice('worker', '--queue', redis.url, '--jobs', '1')
  const errors = text(child.stderr)
  onTestFinished(async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGKILL')
    await ended
  })
  return { child, errors }
}

/** A connection to a Redis, closed with the test. */
export function clientOf(redis: RedisServer): Redis {
  const connection = new Redis(redis.url)
  onTestFinished(() => connection.disconnect())
  return connection
}
