/** The exchange blocks our address: HTTP 418 (interface section 7.2). */
export interface Ban {
  /** ms UTC. */
  readonly since: number
  /** When it ends, ms UTC. */
  readonly until: number
  /** How many bans there were in a row, this one included. */
  readonly strikes: number
}

/** Where a ban outlives the process. */
export interface BanStore {
  /** The latest ban, over or not. */
  load(): Ban | undefined
  save(ban: Ban): void
}

/** Remembers a ban for as long as the process lives. */
export function memoryBanStore(ban?: Ban): BanStore {
  let latest = ban
  return {
    load: () => latest,
    save: next => {
      latest = next
    },
  }
}
