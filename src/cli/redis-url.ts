import { InvalidArgumentError } from 'commander'

/** True for an address of Redis, as in `redis://127.0.0.1:6379`. */
export function isRedisUrl(text: string): boolean {
  return /^rediss?:\/\/./.test(text) && URL.canParse(text)
}

/** Parses an option that is an address of Redis. */
export function redisOption(text: string): string {
  if (isRedisUrl(text)) return text
  throw new InvalidArgumentError('Write the address of Redis, such as redis://127.0.0.1:6379.')
}
