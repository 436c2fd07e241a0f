import type { z } from 'zod'
import { nearestName } from '../domain/nearest-name.ts'
import type { Problem, ValuePath, YamlFile } from './yaml-file.ts'

/** Turns what a file says into what `schema` describes; throws one `UsageError` that lists every problem. */
export function parseConfig<Schema extends z.ZodType>(file: YamlFile, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(file.value)
  if (result.success) return result.data
  throw file.errorFor(result.error.issues.flatMap(issue => problemsOf(issue, file)))
}

function problemsOf(issue: z.core.$ZodIssue, file: YamlFile): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const sentences = issue.message.split('\n')
    return issue.keys.map((key, index) => ({
      offset: file.offsetOfKey([...issue.path, key]),
      sentence: sentences[index] ?? issue.message,
    }))
  }
  if (issue.code === 'invalid_key') {
    return [{ offset: file.offsetOfKey(issue.path), sentence: keySentence(issue) }]
  }
  return [
    { offset: file.offsetOf(issue.path), sentence: valueSentence(issue, valueAt(file.value, issue.path)) },
  ]
}

function keySentence({ path, issues }: z.core.$ZodIssueInvalidKey): string {
  return `The key "${String(path.at(-1))}" of ${pathText(path.slice(0, -1))} must be ${issues[0]?.message}.`
}

/**
 * Schemas of configuration give as message what they expect ("a number above 0"), for unknown keys one sentence a line,
 * and with `params.sentence` the rest of a sentence that starts with the path.
 */
function valueSentence(issue: z.core.$ZodIssue, value: unknown): string {
  const name = pathText(issue.path)
  if (issue.code === 'custom' && issue.params?.sentence === true) return `${name} ${issue.message}`
  if (value === undefined) return `${name} is missing; expected ${issue.message}.`
  return `${name} must be ${issue.message}, but it is ${shown(value, issue)}.${hint(value, issue)}`
}

/** `strategies[0].size.quote`. */
function pathText(path: ValuePath): string {
  if (path.length === 0) return 'The file'
  return path
    .map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}

function valueAt(value: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    // Any key may be asked of any object; what has none gives undefined.
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  )
}

/** A value in words; never that of a key that deals with secrets, because people paste them into the wrong place. */
function shown(value: unknown, { path }: z.core.$ZodIssue): string {
  if (/key|secret|url/i.test(String(path.at(-1)))) return 'something else'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object' && value !== null) return 'a section'
  return typeof value === 'string' ? `the text "${value.slice(0, 60)}"` : String(value)
}

function hint(value: unknown, issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return ''
  const nearest = nearestName(value, issue.values.map(String))
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`
}
