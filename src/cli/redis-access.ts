import { InvalidArgumentError } from 'commander'
import { type Environment, SECRET_VARIABLES } from '../config/secret-variables.ts'
import { UsageError } from '../domain/sluice-error.ts'

const { redisUser, redisPassword } = SECRET_VARIABLES

/** An address of Redis with the credentials of the environment, which no strategy finds there later; they cannot be printed. */
export class RedisAccess {
  readonly url: string
  readonly #username: string | undefined
  readonly #password: string | undefined

  /** Throws `UsageError` for an address that names a password, which everyone who lists processes could read. */
  constructor(url: string, environment: Environment) {
    const { username, password } = new URL(url)
    if (username !== '' || password !== '')
      throw new UsageError(
        `--queue has credentials in the address, which everyone who lists processes can read; put them into ${redisUser} and ${redisPassword}.`,
      )
    this.url = url
    this.#username = environment[redisUser]
    this.#password = environment[redisPassword]
  }

  /** For the client of Redis. */
  credentials(): { readonly username: string | undefined; readonly password: string | undefined } {
    return { username: this.#username, password: this.#password }
  }
}

/** The access to an address such as `redis://127.0.0.1:6379`; `undefined` for a text that is none. */
export function redisAccessOf(text: string): RedisAccess | undefined {
  if (!/^rediss?:\/\/./.test(text) || !URL.canParse(text)) return undefined
  return new RedisAccess(text, process.env)
}

/** Parses an option that is an address of Redis. */
export function redisOption(text: string): RedisAccess {
  const access = redisAccessOf(text)
  if (access !== undefined) return access
  throw new InvalidArgumentError('Write the address of Redis, such as redis://127.0.0.1:6379.')
}
