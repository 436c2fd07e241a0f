/** HTTP 418: the exchange blocks our IP address (interface section 7.2). */
export interface Ban {
  /** ms UTC. */
  readonly since: number
  /** End of the ban, ms UTC. */
  readonly until: number
  /** Number of bans in a row, this one included. */
  readonly strikes: number
}

/** HTTP 429: a weight budget of our IP address is used up. */
export interface WeightStop {
  /** ms UTC. */
  readonly since: number
  /** When calls may go on, ms UTC. */
  readonly until: number
}

/** Why the exchange takes no call from our IP address, or took none: the latest of each kind, also after its end. */
export interface Blocks {
  readonly ban?: Ban | undefined
  readonly weight?: WeightStop | undefined
}

/** Storage that keeps blocks beyond the process. */
export interface BlockStore {
  load(): Blocks
  /** Replaces the kinds that are given, and leaves the others as they are stored. */
  save(changed: Blocks): void
}

/** Remembers blocks until the process ends. */
export function memoryBlockStore(blocks: Blocks = {}): BlockStore {
  let latest = blocks
  return {
    load: () => latest,
    save: changed => {
      latest = { ...latest, ...changed }
    },
  }
}
