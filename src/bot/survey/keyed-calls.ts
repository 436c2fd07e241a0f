import type { Host } from '../../exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../exchange/endpoints.ts'
import type { Credentials } from '../../exchange/http/credentials.ts'
import { pathAt, type Version, versionsOf } from './asked-paths.ts'
import type { HostCaller } from './host-caller.ts'
import type { HostReply } from './host-reply.ts'

interface KeyedSettings {
  readonly prefix: string
  readonly credentials: Credentials
  /** The exchange's time, ms UTC. */
  readonly now: () => number
}

/** Signed reads of one host, and its test of orders; it can send nothing else. */
export class KeyedCalls {
  readonly #caller: HostCaller
  readonly #settings: KeyedSettings
  #signsPrefix = false
  #verdict: string | undefined = 'No signed call was answered.'

  constructor(caller: HostCaller, settings: KeyedSettings) {
    this.#caller = caller
    this.#settings = settings
  }

  /** True if the prefix of the paths is part of what is signed. */
  get signsPrefix(): boolean {
    return this.#signsPrefix
  }

  /** Why the key could not be used, in a sentence; `undefined` for one that works. */
  get verdict(): string | undefined {
    return this.#verdict
  }

  /** Reads the account at each version, with and without the prefix in the signature, until one is answered. */
  async learn(host: Host, found: Version): Promise<void> {
    const row = host === 'spot' ? ENDPOINTS.spotAccount : ENDPOINTS.futuresAccount
    const versions = new Set<Version>(['v1', found, ...versionsOf(host)])
    for (const signsPrefix of this.#settings.prefix === '' ? [false] : [false, true]) {
      this.#signsPrefix = signsPrefix
      for (const version of versions) {
        const reply = await this.get(pathAt(row, version))
        if (reply.kind === 'answer') {
          this.#verdict = undefined
          return
        }
        // A refusal of its own tells more than that of a missing version.
        if (reply.kind === 'refusal' && reply.code !== -1002)
          this.#verdict = this.#settings.credentials.redact(
            `The host refuses the key: ${reply.reason}${reply.code === undefined ? '' : ` (code ${reply.code})`}`,
          )
      }
    }
    this.#signsPrefix = false
  }

  /** A signed GET of a path behind the prefix, with its query. */
  get(path: string): Promise<HostReply> {
    return this.#ask('GET', path, '')
  }

  /** Has the host examine an order of its spot market; nothing is placed. */
  testOrder(version: Version, fields: Readonly<Record<string, string>>): Promise<HostReply> {
    return this.#ask('POST', pathAt(ENDPOINTS.spotTestOrder, version), JSON.stringify(fields))
  }

  #ask(method: 'GET' | 'POST', path: string, body: string): Promise<HostReply> {
    const { prefix, credentials, now } = this.#settings
    const requestPath = `${this.#signsPrefix ? prefix : ''}${path}`
    const headers = credentials.headersFor({ timestamp: Math.round(now()), method, requestPath, body })
    const sent = { method, path: `${prefix}${path}`, headers }
    return this.#caller.ask(body === '' ? sent : { ...sent, body })
  }
}
