/** The parts of an endpoint table's row that the simulated exchange uses. */
export interface EndpointRow {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly security: string
  readonly effect: 'read' | 'write'
  /** Of one call, or how it follows from the symbols of its query. */
  readonly weight: number | ((fields: Readonly<Record<string, unknown>>) => number)
  /** At most `calls` calls in any `perMs` ms. */
  readonly rateLimit?: { readonly calls: number; readonly perMs: number }
  /** Schema of the parameters. */
  readonly request: { readonly shape: object }
}
