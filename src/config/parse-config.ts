import type { z } from 'zod'
import { nearestName } from '../domain/nearest-name.ts'
import type { ValuePath, YamlFile } from './yaml-file.ts'
import type { Problem } from './yaml-mistakes.ts'

/** Parses a file by `schema`; throws one `UsageError` that lists every problem. */
export function parseConfig<Schema extends z.ZodType>(file: YamlFile, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(file.value)
  if (result.success) return result.data
  const problems = result.error.issues.flatMap(issue => problemsOf(issue, file))
  throw file.errorFor(isEmpty(file.value) ? problems.map(ofEmptyFile) : problems)
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function ofEmptyFile({ offset, sentence }: Problem): Problem {
  return { offset, sentence: `The file is empty, so ${sentence}` }
}

function problemsOf(issue: z.core.$ZodIssue, file: YamlFile): Problem[] {
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue, file)
  if (issue.code === 'invalid_key') {
    return [{ offset: file.offsetOfKey(issue.path), sentence: keySentence(issue) }]
  }
  return [
    { offset: file.offsetOf(issue.path), sentence: valueSentence(issue, valueAt(file.value, issue.path)) },
  ]
}

function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, file: YamlFile): Problem[] {
  const sentences = issue.message.split('\n')
  const problems = issue.keys.map((key, index) => ({
    key,
    offset: file.offsetOfKey([...issue.path, key]),
    sentence: isAfterComma(key, null) ? AFTER_COMMA : (sentences[index] ?? issue.message),
  }))
  const { empty, keys } = keysAfterEmpty(issue.keys, valueAt(file.value, issue.path))
  const [first, ...others] = problems.filter(({ key }) => keys.includes(key))
  if (first === undefined) return problems
  const names = keys.map(key => `"${key}"`).join(' and ')
  const sentence = `${names} ${others.length === 0 ? 'is' : 'are'} unknown beside "${empty}", which is empty; to put ${others.length === 0 ? 'it' : 'them'} inside, indent by two more spaces.`
  return [{ ...first, sentence }, ...problems.filter(({ key }) => !keys.includes(key))]
}

/** Unknown keys right after a key without a value: those of its section, where they are indented too little. */
function keysAfterEmpty(
  unknown: readonly string[],
  value: unknown,
): { empty?: string; keys: readonly string[] } {
  const entries = Object.entries(value ?? {})
  const first = entries.findIndex(
    ([key], index) => unknown.includes(key) && entries[index - 1]?.[1] === undefined,
  )
  const [empty] = entries[first - 1] ?? []
  if (empty === undefined) return { keys: [] }
  const following = entries.slice(first).map(([key]) => key)
  const end = following.findIndex(key => !unknown.includes(key))
  return { empty, keys: end < 0 ? following : following.slice(0, end) }
}

/** For numbers with a comma: in braces YAML ends them there, and reads what follows as a key without a value. */
const NUMBERS = 'rite numbers with a point and without thousands separators, such as 10000.5.'
const AFTER_COMMA = `A comma separates keys here: w${NUMBERS}`

/** True for the `000` of `{ USDT: 10,000 }`; list indices are numbers, keys are text. */
function isAfterComma(key: PropertyKey | undefined, value: unknown): boolean {
  return typeof key === 'string' && /^\d+$/.test(key) && (value ?? undefined) === undefined
}

function keySentence({ path, issues }: z.core.$ZodIssueInvalidKey): string {
  if (isAfterComma(path.at(-1), null)) return AFTER_COMMA
  const begun = /^(\w+):./.exec(String(path.at(-1)))?.[1]
  if (begun !== undefined) return `A space is missing after the colon of "${begun}".`
  return `The key "${String(path.at(-1))}" of ${pathText(path.slice(0, -1))} must be ${issues[0]?.message}.`
}

/**
 * The message of a schema is the expected value ("a number above 0"), one sentence a line for unknown keys,
 * or with `params.sentence` the rest of a sentence that starts with the path.
 */
function valueSentence(issue: z.core.$ZodIssue, value: unknown): string {
  const name = pathText(issue.path)
  if (isAfterComma(issue.path.at(-1), value)) return AFTER_COMMA
  if (issue.code === 'custom' && issue.params?.sentence === true) return `${name} ${issue.message}`
  if (value === undefined) return `${name} is missing; expected ${issue.message}.`
  const begun = typeof value === 'string' ? /^([A-Za-z]\w*):\S/.exec(value)?.[1] : undefined
  if (begun !== undefined && issue.code === 'invalid_type' && isSectionDue(issue))
    return `A space is missing after the colon of "${begun}".`
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
    // Any key may be read of any object; an absent one gives undefined.
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
  if (typeof value === 'string' && /^-?\d[\d.]*,[\d.,]*$/.test(value)) return ` W${NUMBERS}`
  if (issue.code === 'invalid_type') return formHint(value, issue)
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return ''
  const nearest = nearestName(value, issue.values.map(String))
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`
}

function isSectionDue({ expected }: z.core.$ZodIssueInvalidType): boolean {
  return expected === 'object' || expected === 'record'
}

/** For sections and lists that are written as the other. */
function formHint(value: unknown, issue: z.core.$ZodIssueInvalidType): string {
  if (isSectionDue(issue) && Array.isArray(value) && typeof value[0] === 'object')
    return ' Write its keys without dashes before them.'
  if (issue.expected === 'array' && typeof value === 'object')
    return ' Write a dash and a space before each entry.'
  return ''
}
