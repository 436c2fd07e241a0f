import { NetworkError } from '../../exchange/errors/network-error.ts'

/** Why a read of a host failed, a sentence, for reads that are repeated anyway. */
export function unreadText(error: unknown): string {
  if (error instanceof NetworkError) return `The host gave no answer to ${error.endpoint}: ${error.reason}`
  return error instanceof Error ? error.message : String(error)
}
