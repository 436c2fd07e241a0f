import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

/** True where Redis is installed (`apt-get install redis-server`). */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** A Redis on loopback that keeps nothing on the disk. */
export class RedisServer {
  readonly url: string
  readonly #port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'sluice-redis-'))
  readonly #password: string
  #process: ChildProcess | undefined

  private constructor(port: number, password: string) {
    this.#port = port
    this.#password = password
    this.url = `redis://127.0.0.1:${port}`
  }

  /** Asks for the password unless it is empty. */
  static async started(password = ''): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), password)
    await server.start()
    return server
  }

  /** Starts it, empty, and resolves once it answers. */
  async start(): Promise<void> {
    const options = {
      ...{ port: this.#port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: this.#folder },
      requirepass: this.#password,
    }
    this.#process = spawn(
      'redis-server',
      Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]),
    )
    const client = new Redis(this.url, {
      ...(this.#password !== '' && { password: this.#password }),
      maxRetriesPerRequest: null,
      retryStrategy: () => 20,
    })
    client.on('error', () => {})
    await client.ping()
    client.disconnect()
  }

  /** Kills it; all that it kept is lost. */
  async kill(): Promise<void> {
    const ended = this.#process && once(this.#process, 'exit')
    this.#process?.kill('SIGKILL')
    await ended
    this.#process = undefined
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port.')
  return address.port
}
