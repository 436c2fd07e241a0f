import { createHash } from 'node:crypto'
import { utcText } from '../../../src/domain/market-data/civil-date.ts'

/** Something that happened. */
interface Line {
  readonly time: number
  readonly text: string
  /** Whether it belongs into every story. */
  readonly isTurn: boolean
}

/** Longest part of a line that a story shows. */
const SHOWN = 260

/** Everything that happened in a run, in order, and a digest of it. */
export class Story {
  readonly #lines: Line[] = []
  readonly #hash = createHash('sha256')

  /** How many things happened. */
  get length(): number {
    return this.#lines.length
  }

  /** Digest of everything that was told so far. */
  get digest(): string {
    return this.#hash.copy().digest('hex')
  }

  /** Notes what happened at `time`, ms UTC; a turn is something that every story needs: deaths, starts, deeds of others. */
  tell(time: number, text: string, isTurn = false): void {
    this.#hash.update(`${time} ${text}\n`)
    this.#lines.push({ time, text, isTurn })
  }

  /** All of it. */
  get everything(): readonly string[] {
    return this.#lines.map(({ time, text }) => `${utcText(time)} ${text}`)
  }

  /** What happened to one order or instrument: lines that name it, and turns once it is known. */
  about(name: string): readonly string[] {
    const first = this.#lines.findIndex(({ text }) => text.includes(name))
    const from = Math.max(0, first)
    return this.#lines
      .slice(from)
      .filter(({ text, isTurn }) => isTurn || text.includes(name))
      .filter(({ text }, index, all) => withoutNumber(text) !== withoutNumber(all[index - 1]?.text ?? ''))
      .map(({ time, text }) => `${utcText(time)} ${excerpt(text, name)}`)
  }
}

/** The text of a line, whatever the number of its request is: polls bring the same again and again. */
function withoutNumber(text: string): string {
  return text.replace(/^answer \d+/, 'answer')
}

/** A long line around the place where the name stands. */
function excerpt(text: string, name: string): string {
  if (text.length <= SHOWN) return text
  const at = text.indexOf(name)
  const from = Math.max(0, at - SHOWN / 2)
  const head = text.slice(0, 60)
  return from < 60 ? `${text.slice(0, SHOWN)} …` : `${head} … ${text.slice(from, from + SHOWN)} …`
}
