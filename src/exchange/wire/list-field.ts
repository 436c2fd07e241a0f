import { z } from 'zod'
import { integerIfGiven, integerOf } from './wire-field.ts'

/** Usual names of a list in an object around it. */
const USUAL_NAMES = ['list', 'rows', 'records', 'items', 'result']

/** An entry of a list that was left out. */
export interface UnreadableEntry {
  /** Name of the entry as the exchange spells it; `undefined` if it has none. */
  readonly name: string | undefined
  /** Key that cannot be read. */
  readonly key: string
  /** Rule that the key breaks, as the rest of a sentence about it. */
  readonly rule: string
}

/** The readable entries of a list, and what is known of the others. */
export interface PartialList<Entry> {
  readonly entries: readonly Entry[]
  readonly unreadable: readonly UnreadableEntry[]
}

/** Told about each entry that was left out of a list. */
export type OnUnreadable = (entry: UnreadableEntry) => void

/**
 * A list in any of its envelopes: bare, `null` for an empty one, or in an object under one of `names` or of
 * the usual names. One entry that cannot be read refuses the whole list.
 */
export function listField<Item extends z.ZodType>(item: Item, ...names: readonly string[]) {
  return z.preprocess(value => listIn(value, names) ?? value, z.array(item))
}

/** The same list, or a single item in place of a list of one. */
export function listOrOneField<Item extends z.ZodType>(item: Item, ...names: readonly string[]) {
  return z.preprocess(value => listIn(value, names) ?? [value], z.array(item))
}

/**
 * One page of a list under one of `names`, or the only list in the answer; `count` is the number of items on
 * all pages, if the exchange gives it.
 */
export function pageField<Item extends z.ZodType>(item: Item, ...names: readonly string[]) {
  return z.preprocess(
    value => ({ list: listIn(value, names) ?? onlyListIn(value), count: countIn(value) }),
    z.object({ list: z.array(item), count: integerIfGiven(0) }),
  )
}

/**
 * The same list without the entries that cannot be read; `nameKey` is the key of an entry's name. A list in
 * which no entry can be read is refused, because it has another format.
 */
export function partialListField<Item extends z.ZodType>(
  item: Item,
  nameKey: string,
  ...names: readonly string[]
) {
  return anyPartsField(item, nameKey, ...names).transform((list, context): PartialList<z.output<Item>> => {
    const [first] = list.unreadable
    if (first === undefined || list.entries.length > 0) return list
    const message = `${first.rule} in the first of ${list.unreadable.length} entries, none of which can be read`
    context.addIssue({ code: 'custom', path: [0, first.key], message })
    return z.NEVER
  })
}

/** The same, also without a readable entry. */
export function anyPartsField<Item extends z.ZodType>(
  item: Item,
  nameKey: string,
  ...names: readonly string[]
) {
  return z.transform((value: unknown, context): PartialList<z.output<Item>> => {
    const list = listIn(value, names)
    if (list !== undefined) return partsOf(list, item, nameKey)
    context.addIssue({ code: 'custom', message: value === undefined ? 'is required' : 'must be a list' })
    return z.NEVER
  })
}

/** The values of an object without those that cannot be read, by their keys. */
export function partialRecordField<Item extends z.ZodType>(item: Item) {
  return z.record(z.string(), z.unknown()).transform((record): Readonly<Record<string, z.output<Item>>> => {
    const read = Object.entries(record).map(([key, value]) => [key, item.safeParse(value)] as const)
    return Object.fromEntries(read.flatMap(([key, { success, data }]) => (success ? [[key, data]] : [])))
  })
}

/** The list in an object with one; `undefined` if it has none or several, unless it counts none. */
function onlyListIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const lists = Object.values(value).filter(Array.isArray)
  if (lists.length === 0 && integerOf(countIn(value)) === 0) return []
  return lists.length === 1 ? lists[0] : undefined
}

function countIn(page: unknown): unknown {
  return typeof page === 'object' && page !== null ? Reflect.get(page, 'count') : undefined
}

function partsOf<Item extends z.ZodType>(
  list: readonly unknown[],
  item: Item,
  nameKey: string,
): PartialList<z.output<Item>> {
  const entries: z.output<Item>[] = []
  const unreadable: UnreadableEntry[] = []
  for (const value of list) {
    const read = item.safeParse(value)
    if (read.success) entries.push(read.data)
    else unreadable.push(unreadableOf(value, nameKey, read.error))
  }
  return { entries, unreadable }
}

function unreadableOf(value: unknown, nameKey: string, { issues: [issue] }: z.ZodError): UnreadableEntry {
  const name = typeof value === 'object' && value !== null ? Reflect.get(value, nameKey) : undefined
  return {
    name: typeof name === 'string' ? name : undefined,
    key: issue?.path.join('.') || 'its content',
    rule: issue?.message ?? 'cannot be read',
  }
}

/** The list in an answer; `undefined` if it holds none. */
export function listIn(value: unknown, names: readonly string[] = []): readonly unknown[] | undefined {
  if (value === null) return []
  if (Array.isArray(value)) return value
  if (typeof value !== 'object') return undefined
  const name = [...names, ...USUAL_NAMES].find(one => Object.hasOwn(value, one))
  if (name !== undefined) return listIn(Reflect.get(value, name), names)
  // Empty data are no empty list: they come with failures too.
  const data: unknown = Reflect.get(value, 'data') ?? undefined
  return data === undefined ? undefined : listIn(data, names)
}
