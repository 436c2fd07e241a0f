import { isJsonObject, type JsonObject, type JsonValue, jsonDigits } from '../protocol/json-text.ts'

/** Form of a list: an array, `{ list }`, `{ code, msg, data }` or the same with `data: { list }`. */
type ListForm = 'bare' | 'list' | 'data' | 'data.list'

/** Differences of one call's answer from the documented one. Keys are those of each entry of a list, or of the answer. */
export interface AnswerShape {
  readonly list?: ListForm
  /** Other names of keys. */
  readonly names?: Readonly<Record<string, string>>
  /** Keys that are missing. */
  readonly without?: readonly string[]
  /** Keys that are null. */
  readonly nulls?: readonly string[]
  /** Keys with a value of their own. */
  readonly values?: Readonly<Record<string, JsonValue>>
  /** Other texts of values, by key and by the documented value. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** A documented answer in another shape. */
export function shaped(answer: JsonValue, shape: AnswerShape): JsonValue {
  const entries = withEntries(answer, entry => shapedEntry(entry, shape))
  const list = shape.list === undefined ? undefined : listIn(entries)
  return list === undefined ? entries : formed(list, shape.list)
}

/** An answer inside `{ code, msg, data }`; an empty list is null there. */
export function enveloped(answer: JsonValue): JsonValue {
  if (isJsonObject(answer) && 'code' in answer) return answer
  const isEmpty = Array.isArray(answer) && answer.length === 0
  return { code: '0', msg: 'success', data: isEmpty ? null : answer }
}

function formed(list: readonly JsonValue[], form: ListForm | undefined): JsonValue {
  if (form === 'list') return { list }
  if (form === 'data') return enveloped(list)
  if (form === 'data.list') return enveloped({ list })
  return list
}

/** The list of an answer, however it is wrapped; `undefined` for an answer without one. */
function listIn(answer: JsonValue): readonly JsonValue[] | undefined {
  if (Array.isArray(answer)) return answer
  if (!isJsonObject(answer)) return undefined
  const list = Object.values(answer).find(Array.isArray)
  return list ?? (answer.data === undefined ? undefined : listIn(answer.data))
}

function withEntries(answer: JsonValue, change: (entry: JsonObject) => JsonObject): JsonValue {
  if (Array.isArray(answer)) return answer.map(entry => (isJsonObject(entry) ? change(entry) : entry))
  if (!isJsonObject(answer)) return answer
  const key = Object.keys(answer).find(name => isListOfEntries(answer[name]))
  if (key === undefined && !isJsonObject(answer.data)) return change(answer)
  const name = key ?? 'data'
  return { ...answer, [name]: withEntries(answer[name] ?? null, change) }
}

function isListOfEntries(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && (value.length === 0 || isJsonObject(value[0] ?? null))
}

function shapedEntry(entry: JsonObject, shape: AnswerShape): JsonObject {
  const { names = {}, without = [], nulls = [], values = {}, words = {} } = shape
  const fields = Object.entries(entry)
    .filter(([key]) => !without.includes(key))
    .map(([key, value]): [string, JsonValue | undefined] => {
      if (nulls.includes(key)) return [key, null]
      const word = words[key]?.[jsonDigits(value) ?? String(value)]
      return [names[key] ?? key, values[key] ?? word ?? value]
    })
  return Object.fromEntries(fields)
}
