import { hash } from 'node:crypto'

/** What the first entry of a journal is chained to. */
export const CHAIN_START = '0'.repeat(32)

/** What one link of the chain covers. */
export interface ChainLink {
  readonly seq: number
  readonly time: number
  readonly kind: string
  readonly body: string
  readonly decisions: string | undefined
}

/**
 * The first 128 bits of the SHA-256, in hex, of an entry and of the hash before it: who changes, removes or reorders an
 * entry breaks the chain there. Lengths stand before the texts, so that no two entries give the same bytes.
 */
export function chainHash(before: string, { seq, time, kind, body, decisions }: ChainLink): string {
  const head = `${before}|${seq}|${time}|${kind}|${body.length}|${decisions?.length ?? -1}|`
  return hash('sha256', `${head}${body}${decisions ?? ''}`, 'hex').slice(0, CHAIN_START.length)
}

/** The hash of a snapshot's state, taken after the entry whose hash is `chain` and the klines whose hash is `klines`. */
export function snapshotHash(
  { chain, klines }: { readonly chain: string; readonly klines: string },
  seq: number,
  time: number,
  state: string,
): string {
  return chainHash(`${chain}|${klines}`, { seq, time, kind: 'snapshot', body: state, decisions: undefined })
}

/** The hash of a row of klines and of the row before. */
export function klinesHash(before: string, seq: number, series: string, data: Uint8Array): string {
  const digest = hash('sha256', data, 'hex')
  return chainHash(before, { seq, time: data.length, kind: 'klines', body: series, decisions: digest })
}
