import { UsageError } from '../../domain/sluice-error.ts'

/**
 * Origin of an exchange host. Only HTTPS may leave the machine; plain HTTP is allowed for loopback addresses.
 * Throws `UsageError` for any other protocol, and for a URL with a path, a query or credentials.
 */
export function originOf(baseUrl: string): string {
  const url = parse(baseUrl)
  if (url.protocol === 'http:' ? !isLoopback(url.hostname) : url.protocol !== 'https:') {
    throw new UsageError(
      `The exchange URL ${url.origin} is not HTTPS; plain HTTP is only allowed to a loopback address.`,
    )
  }
  if (
    url.username !== '' ||
    url.password !== '' ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new UsageError(
      `The exchange URL for ${url.origin} must be a bare origin; leave out all that follows it.`,
    )
  }
  return url.origin
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

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
