const DOCUMENTED_PREFIX = 'E'

/** The documented name of a contract of a host whose names begin with `prefix`; `undefined` for a name that the host has not. */
export function documentedContract(name: string, prefix: string = DOCUMENTED_PREFIX): string | undefined {
  return name.startsWith(`${prefix}-`) ? `${DOCUMENTED_PREFIX}${name.slice(prefix.length)}` : undefined
}
