import type { HttpRequest } from '../../../src/exchange/http/transport.ts'
import type { WorldOptions } from './bot-world.ts'
import type { Passage } from './mortal-transport.ts'

const PASSAGES: readonly (Passage | undefined)[] = [
  undefined,
  { backMs: Number.POSITIVE_INFINITY },
  { thereMs: Number.POSITIVE_INFINITY },
  { thereMs: 4000 },
  { backMs: 1900 },
]

/** Of the requests that are meant, one after the other passes, loses its answer, is lost, is late, or has a late answer; the first is the `first` of these five. */
export function lossyPassages(
  first: number,
  isMeant: (request: HttpRequest) => boolean = ({ method }) => method === 'POST',
): NonNullable<WorldOptions['passageOf']> {
  let count = first
  return request => (isMeant(request) ? PASSAGES[count++ % PASSAGES.length] : undefined)
}
