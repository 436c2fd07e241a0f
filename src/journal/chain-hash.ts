import { hash } from 'node:crypto'

/** Hash before the first entry of a journal. */
export const CHAIN_START = '0'.repeat(32)

/** Content that one link of the chain covers. */
export interface ChainLink {
  readonly seq: number
  readonly time: number
  readonly kind: string
  readonly body: string
  readonly decisions: string | undefined
}

/**
 * First 128 bits of the SHA-256, in hex, of an entry and the previous hash: a changed, removed or reordered
 * entry breaks the chain there. Lengths precede the texts, so that no two entries have the same bytes.
 */
export function chainHash(before: string, { seq, time, kind, body, decisions }: ChainLink): string {
  const head = `${before}|${seq}|${time}|${kind}|${body.length}|${decisions?.length ?? -1}|`
  return hash('sha256', `${head}${body}${decisions ?? ''}`, 'hex').slice(0, CHAIN_START.length)
}

/**
 * Hash of a snapshot's state, taken after the entry with the hash `chain` and the klines with the hash
 * `klines`.
 */
export function snapshotHash(
  { chain, klines }: { readonly chain: string; readonly klines: string },
  seq: number,
  time: number,
  state: string,
): string {
  return chainHash(`${chain}|${klines}`, { seq, time, kind: 'snapshot', body: state, decisions: undefined })
}

/** Hash of a row of klines, chained to the hash of the previous row. */
export function klinesHash(before: string, seq: number, series: string, data: Uint8Array): string {
  const digest = hash('sha256', data, 'hex')
  return chainHash(before, { seq, time: data.length, kind: 'klines', body: series, decisions: digest })
}
