import { Decimal } from '../domain/decimal.ts'
import { ApiError } from './api-error.ts'
import { parseLossless } from './json-text.ts'

/** Parameters of a call. Names are not case-sensitive, because clients spell `recvwindow` and `newClientorderId` in every way. */
export class RequestParameters {
  readonly #values: ReadonlyMap<string, unknown>

  constructor(values: ReadonlyMap<string, unknown>) {
    this.#values = values
  }

  /** Text of a parameter (a number as it was written); `undefined` if it is absent, empty or null. */
  text(name: string): string | undefined {
    const value = this.#values.get(name.toLowerCase())
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  /** Whether a parameter was sent, be it empty. */
  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
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

  /** How many entries to answer with: at least 1, and never more than `most`. */
  limit(usual: number, most: number): number {
    return Math.max(1, Math.min(most, this.integer('limit') ?? usual))
  }
}

/** Reads a raw query string. */
export function queryParameters(query: string): RequestParameters {
  const values = new Map<string, unknown>()
  for (const [name, value] of new URLSearchParams(query)) {
    const key = name.toLowerCase()
    if (values.has(key)) throw new ApiError('TOO_MANY_PARAMETERS', name)
    values.set(key, value)
  }
  return new RequestParameters(values)
}

/** Reads the text of a JSON body; an empty one has no parameters. */
export function bodyParameters(body: string): RequestParameters {
  if (body === '') return new RequestParameters(new Map())
  const content = parsed(body)
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'body')
  }
  return new RequestParameters(
    new Map(Object.entries(content).map(([name, value]) => [name.toLowerCase(), value])),
  )
}

function parsed(body: string): unknown {
  try {
    return parseLossless(body)
  } catch {
    throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'body')
  }
}
