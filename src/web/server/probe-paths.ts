/** Paths for programs: no other page may make a browser ask for them. */
export const PROBE_PATHS: readonly string[] = ['/metrics', '/health', '/ready']
