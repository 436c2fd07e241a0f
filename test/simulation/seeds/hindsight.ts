/**
 * What was known after each entry of a journal, by its number. A bot that dies takes the last entries with it, and the next
 * one writes others in their place: what was known by then is forgotten.
 */
export class Hindsight<Known> {
  readonly #first: Known
  readonly #notes: { readonly seq: number; readonly known: Known }[] = []

  constructor(first: Known) {
    this.#first = first
  }

  /** The latest that is known. */
  get latest(): Known {
    return this.#notes.at(-1)?.known ?? this.#first
  }

  /** What is known before an entry that comes now; forgets what is not before it. */
  before(seq: number): Known {
    while ((this.#notes.at(-1)?.seq ?? 0) >= seq) this.#notes.pop()
    return this.latest
  }

  /** Takes what is known after an entry, the latest one. */
  note(seq: number, known: Known): void {
    if (known !== this.latest) this.#notes.push({ seq, known })
  }
}
