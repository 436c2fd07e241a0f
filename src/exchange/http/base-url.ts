import { UsageError } from '../../domain/sluice-error.ts'

/** Base URL of an exchange host. */
export interface BaseUrl {
  readonly origin: string
  /** Path before that of every call, without a slash at its end; empty for most hosts. */
  readonly prefix: string
}

/** The beginning of a call's own path: what follows it is not part of a base URL. */
const CALL_PATH = /\/[sf]api(\/|$)/

/**
 * Origin and prefix of an exchange host. Only HTTPS may leave the machine; plain HTTP is allowed for loopback
 * addresses. Throws `UsageError` for any other protocol, for a URL with a query or credentials, and for one
 * that goes on into the path of a call.
 */
export function baseUrlOf(baseUrl: string): BaseUrl {
  const url = parse(baseUrl)
  if (url.protocol === 'http:' ? !isLoopbackHost(url.hostname) : url.protocol !== 'https:') {
    throw new UsageError(
      `The exchange URL ${url.origin} is not HTTPS; plain HTTP is only allowed to a loopback address.`,
    )
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(
      `The exchange URL for ${url.origin} must be an origin, with a prefix of all paths if the host has one; leave out credentials, query and fragment.`,
    )
  }
  if (CALL_PATH.test(url.pathname)) {
    const [path] = CALL_PATH.exec(url.pathname) ?? []
    throw new UsageError(
      `The exchange URL for ${url.origin} goes on into the path of a call; leave out ${path?.replace(/\/$/, '')} and all that follows it.`,
    )
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') }
}

/** Origin of an exchange host, by the rules of `baseUrlOf`. */
export function originOf(baseUrl: string): string {
  return baseUrlOf(baseUrl).origin
}

function parse(baseUrl: string): URL {
  try {
    return new URL(baseUrl)
  } catch (cause) {
    throw new UsageError(
      `"${baseUrl}" is no URL; write the exchange's origin, such as https://api.example.com.`,
      cause,
    )
  }
}

/** True for a name or an address of this machine alone, as a URL writes it. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
