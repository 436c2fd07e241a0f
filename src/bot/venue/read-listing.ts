import type { OnUnreadable, UnreadableEntry } from '../../exchange/wire/list-field.ts'

/** Entries that a sentence names; the others are counted. */
const MOST_NAMED = 5

/** Reads a list of instruments, and tells about entries that were left out. */
type Read<Entry> = (options: { readonly onUnreadable: OnUnreadable }) => Promise<readonly Entry[]>

/** A list of instruments by name, and its entries that cannot be read. */
export class ReadListing<Entry> {
  readonly #what: string
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #unreadable: readonly UnreadableEntry[]

  private constructor(
    what: string,
    entries: ReadonlyMap<string, Entry>,
    unreadable: readonly UnreadableEntry[],
  ) {
    this.#what = what
    this.#entries = entries
    this.#unreadable = unreadable
  }

  /** Reads the list; `what` names its entries in sentences. */
  static async of<Entry>(
    what: string,
    read: Read<Entry>,
    nameOf: (entry: Entry) => string,
  ): Promise<ReadListing<Entry>> {
    const unreadable: UnreadableEntry[] = []
    const entries = await read({ onUnreadable: entry => unreadable.push(entry) })
    return new ReadListing(what, new Map(entries.map(entry => [nameOf(entry), entry])), unreadable)
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  entry(name: string): Entry | undefined {
    return this.#entries.get(name)
  }

  /** The unreadable entry of a name in any spelling of the exchange. */
  unreadable(name: string): UnreadableEntry | undefined {
    return this.#unreadable.find(entry => entry.name !== undefined && bare(entry.name) === bare(name))
  }

  /** Tells a sentence about the entries that were left out, if any. */
  remark(onRemark: (sentence: string) => void): void {
    const [first] = this.#unreadable
    if (first === undefined) return
    const named = this.#unreadable
      .slice(0, MOST_NAMED)
      .map(({ name = 'one without a name', key, rule }) => `${name} (${key} ${rule})`)
    const more = this.#unreadable.length - named.length
    const others = more > 0 ? `, and ${more} more` : ''
    onRemark(
      `Entries of the exchange's list of ${this.#what} cannot be read and are left out: ${named.join(', ')}${others}.`,
    )
  }
}

function bare(name: string): string {
  return name.toUpperCase().replaceAll(/[/_]/g, '')
}
