/** HTTP 418: the exchange blocks our IP address (interface section 7.2). */
export interface Ban {
  /** ms UTC. */
  readonly since: number
  /** End of the ban, ms UTC. */
  readonly until: number
  /** Number of bans in a row, this one included. */
  readonly strikes: number
}

/** Storage that keeps a ban beyond the process. */
export interface BanStore {
  /** The latest ban, also after it has ended. */
  load(): Ban | undefined
  save(ban: Ban): void
}

/** Remembers a ban until the process ends. */
export function memoryBanStore(ban?: Ban): BanStore {
  let latest = ban
  return {
    load: () => latest,
    save: next => {
      latest = next
    },
  }
}
