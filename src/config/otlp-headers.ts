import { UsageError } from '../domain/sluice-error.ts'

/** Headers by name, in lower case; their values are secrets. */
export type OtlpHeaders = Readonly<Record<string, string>>

const NAME = /^[!#$%&'*+.^_`|~\w-]+$/
/** Characters that a value may have once it is decoded. */
const VALUE = /^[\t\x20-\x7e]+$/

/**
 * Headers in an environment variable, as OpenTelemetry writes them: `name=value,other=value`, with values percent-encoded where
 * needed. Throws `UsageError`, which names no value.
 */
export function otlpHeadersIn(text: string, variable: string): OtlpHeaders {
  const entries = text.split(',').map((entry, index) => headerIn(entry, index + 1, variable))
  return Object.fromEntries(entries)
}

function headerIn(entry: string, place: number, variable: string): readonly [string, string] {
  const equals = entry.indexOf('=')
  const name = entry.slice(0, Math.max(0, equals)).trim().toLowerCase()
  const value = decoded(entry.slice(equals + 1).trim())
  if (NAME.test(name) && value !== undefined && VALUE.test(value)) return [name, value]
  throw new UsageError(
    `Header ${place} in the environment variable ${variable} cannot be read; give names and values as in "authorization=Bearer%20TOKEN,other=value", with anything unusual in a value percent-encoded.`,
  )
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
