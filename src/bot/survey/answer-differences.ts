import { SluiceError } from '../../domain/sluice-error.ts'
import { readAnswer } from '../../exchange/call/answer.ts'
import type { Endpoint } from '../../exchange/endpoints/endpoint.ts'
import type { LosslessJson } from '../../exchange/wire/lossless-json.ts'
import { DOCUMENTED_ANSWERS } from './documented-answers.ts'
import type { HostReply } from './host-reply.ts'
import { type AnsweredObject, dataOf, emptyListKey, entriesIn, wrappingOf } from './json-entries.ts'

/** Names that hosts give to documented keys. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  serverTime: 'server_time',
  markPrice: 'tagPrice',
  lastFundingRate: 'currentFundRate',
}
/** A documented id that is text here, or a documented number. */
const ID = /"(?:orderId|id|tradeId|contractId)"\s*:\s*(")?\d/

/**
 * Differences of an answer from the interface document, a short phrase each; last, whether Sluice cannot read it.
 * None for other replies.
 */
export function differencesOf(row: Endpoint, reply: HostReply | undefined): readonly string[] {
  if (reply?.kind !== 'answer') return []
  const { json, raw } = reply
  return [...inForm(row.key, json), ...inIds(row.key, raw.text), ...unreadable(row, raw)]
}

function inForm(key: string, json: LosslessJson): readonly string[] {
  const documented = Object.entries(DOCUMENTED_ANSWERS).find(([of]) => of === key)?.[1]
  if (documented === undefined) return []
  const [entry] = entriesIn(json)
  const wrapping = wrappingOf(json)
  const isOther = wrapping !== documented.wrapping && (entry !== undefined || wrapping !== 'bare')
  return [
    ...(isOther
      ? [wrapping === 'bare' ? `a bare list instead of ${documented.wrapping}` : `inside ${wrapping}`]
      : []),
    ...(emptyListKey(dataOf(json)) === undefined && dataOf(json) !== null
      ? []
      : ['null instead of an empty list']),
    ...(entry === undefined ? [] : inKeys(documented.keys, entry)),
  ]
}

function inKeys(keys: readonly string[], entry: AnsweredObject): readonly string[] {
  const absent = keys.filter(key => !(key in entry))
  const isRenamed = (key: string) => (OTHER_NAMES[key] ?? '') in entry
  const missing = absent.filter(key => !isRenamed(key))
  const empty = keys.filter(key => entry[key] === null)
  return [
    ...absent.filter(isRenamed).map(key => `${OTHER_NAMES[key]} instead of ${key}`),
    ...(missing.length === 0 ? [] : [`without ${missing.join(', ')}`]),
    ...(empty.length === 0 ? [] : [`${empty.join(', ')} null`]),
  ]
}

function inIds(key: string, text: string): readonly string[] {
  const id = ID.exec(text)
  return id !== null && id[1] === '"' && key !== 'feedTrades' ? ['ids as text'] : []
}

function unreadable(
  row: Endpoint,
  { status, text }: { readonly status: number; readonly text: string },
): readonly string[] {
  try {
    readAnswer(row, { status, body: text }, message => message)
    return []
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code === 'INVARIANT') throw error
    return [`SLUICE CANNOT READ IT: ${error.message}`]
  }
}
