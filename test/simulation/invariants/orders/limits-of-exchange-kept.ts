import type { Rest, Violation } from '../scene.ts'

/** Answers to who asked for too much: of the address or the account, of one endpoint, banned. */
const TOO_MUCH: readonly unknown[] = [429, 410, 418]
/** Its windows are so short that requests which are late on the way may come together in one. */
const OF_ENDPOINT = 410

/** The exchange, which counts for itself, never refuses a call as one too many. */
export function limitsOfExchangeKept({
  requests,
  isPunctual,
}: Pick<Rest, 'requests' | 'isPunctual'>): readonly Violation[] {
  return requests
    .filter(({ status }) => isPunctual || status !== OF_ENDPOINT)
    .filter(({ status, faults }) => TOO_MUCH.includes(status) && faults === undefined)
    .map(({ method, path, status }) => ({
      problem: `${method} ${path} was refused with ${status}`,
      about: `${path}`,
    }))
}
