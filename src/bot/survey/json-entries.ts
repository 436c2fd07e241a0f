import type { LosslessJson } from '../../exchange/wire/lossless-json.ts'

/** An object of an answer. */
export type AnsweredObject = Readonly<Record<string, LosslessJson>>

/** Envelope of an answer. */
export type Wrapping =
  | 'bare'
  | '{ list }'
  | '{ code, msg, data }'
  | '{ code, msg, data: { list } }'
  | `{ ${string} }`

/** True for an object of an answer, false for a list. */
export function isObject(json: LosslessJson | undefined): json is AnsweredObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** The content of `{ code, msg, data }`; any other answer unchanged. */
export function dataOf(json: LosslessJson): LosslessJson {
  return isObject(json) && 'code' in json && 'data' in json ? (json.data ?? null) : json
}

/** The objects of the list in an answer, however it is wrapped; the answer itself if it has none. */
export function entriesIn(answer: LosslessJson): readonly AnsweredObject[] {
  const content = dataOf(answer)
  if (Array.isArray(content)) return content.filter(isObject)
  if (!isObject(content) || emptyListKey(content) !== undefined) return []
  const list = Object.values(content).find(value => Array.isArray(value) && value.every(isObject))
  return Array.isArray(list) ? list.filter(isObject) : [content]
}

/** Envelope of an answer's list or object. */
export function wrappingOf(answer: LosslessJson): Wrapping {
  const content = dataOf(answer)
  const isEnveloped = content !== answer
  const key = listKeyOf(content)
  if (key === undefined) return isEnveloped ? '{ code, msg, data }' : 'bare'
  return isEnveloped ? `{ code, msg, data: { ${key} } }` : `{ ${key} }`
}

/** Names of lists; hosts write `null` for an empty one. */
const LIST_NAMES = ['list', 'symbols', 'balances', 'rows', 'records', 'items', 'result']

/** The name of a list that is `null`; `undefined` where none is. */
export function emptyListKey(content: LosslessJson): string | undefined {
  return isObject(content) ? LIST_NAMES.find(name => content[name] === null) : undefined
}

function listKeyOf(content: LosslessJson): string | undefined {
  if (!isObject(content)) return undefined
  const empty = emptyListKey(content)
  if (empty !== undefined) return empty
  const lists = Object.entries(content).filter(([, value]) => Array.isArray(value) && value.every(isObject))
  return lists.length === 1 ? lists[0]?.[0] : undefined
}
