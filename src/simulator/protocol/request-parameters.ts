import { Decimal } from '../../domain/numbers/decimal.ts'
import { ApiError } from './api-error.ts'
import { parseExactJson } from './json-text.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is meant to find them
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/

/** Parameters of a call. Names are not case-sensitive, because clients spell `recvwindow` and `newClientorderId` in every way. */
export class RequestParameters {
  readonly #values: ReadonlyMap<string, unknown>
  readonly #sent: ReadonlyMap<string, unknown>

  /**
   * The last of repeated parameters counts; an empty one counts as absent (clients of the operator send
   * `newClientOrderId: ""`).
   */
  constructor(sent: Iterable<readonly [string, unknown]>) {
    const all = [...sent].map(([name, value]) => [name.toLowerCase(), value] as const)
    this.#sent = new Map(all)
    this.#values = new Map(all.filter(([, value]) => value !== '' && value !== null))
  }

  /** Text of a parameter (a number as it was written); `undefined` if it is absent, empty or null. */
  text(name: string): string | undefined {
    const value = this.#values.get(name.toLowerCase())
    if (typeof value !== 'string') return undefined
    if (CONTROL_CHARACTERS.test(value)) throw new ApiError('ILLEGAL_CHARS', name)
    return value
  }

  /** A list, sent as such or as JSON text; `undefined` if the parameter is absent or of another type. */
  list(name: string): readonly unknown[] | undefined {
    const value = this.#values.get(name.toLowerCase())
    const list = typeof value === 'string' && value.trimStart().startsWith('[') ? parsed(value, name) : value
    return Array.isArray(list) ? list : undefined
  }

  /** Everything that was sent with a value, by names in lower case; numbers as text. */
  get fields(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#values)
  }

  /** All sent parameters, also empty ones, by names in lower case. */
  get sent(): ReadonlyMap<string, unknown> {
    return this.#sent
  }

  /** Text of a mandatory parameter. */
  required(name: string): string {
    const text = this.text(name)
    if (text === undefined) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', name)
    return text
  }

  /** A mandatory finite decimal. */
  decimal(name: string): Decimal {
    const text = this.required(name)
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text)) {
      throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', name)
    }
    return new Decimal(text)
  }

  /** A whole number; live hosts answer `limit=abc` with the unknown error. */
  integer(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
    if (!Number.isSafeInteger(value)) throw new ApiError('UNKNOWN')
    return value
  }

  /** Number of entries of an answer: at least 1, and at most `most`. */
  limit(usual: number, most: number): number {
    return Math.max(1, Math.min(most, this.integer('limit') ?? usual))
  }
}

/** Reads a raw query string. */
export function queryParameters(query: string): RequestParameters {
  return new RequestParameters(new URLSearchParams(query))
}

/** The fields of a JSON object; throws `ApiError` that names `what` for other content. */
export function objectParameters(content: unknown, what: string): RequestParameters {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', what)
  }
  return new RequestParameters(Object.entries(content))
}

/** Reads the text of a JSON body; an empty one has no parameters. */
export function bodyParameters(body: string): RequestParameters {
  if (body === '') return new RequestParameters([])
  return objectParameters(parsed(body, 'body'), 'body')
}

function parsed(text: string, what: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', what)
  }
}
