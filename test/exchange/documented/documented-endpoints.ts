/** A row of the tables in section 4 of the interface document. */
export interface DocumentedEndpoint {
  readonly section: string
  readonly host: string
  readonly method: string
  readonly path: string
  readonly security: string
  /** Without what stands in brackets; `undefined` where the document gives none. */
  readonly weight: number | undefined
  /** Calls in 2 s; `undefined` where the document gives none. */
  readonly calls: number | undefined
}

/** Reads the tables of section 4: every row whose first cell is GET or POST. */
export function documentedEndpoints(document: string): readonly DocumentedEndpoint[] {
  const found: DocumentedEndpoint[] = []
  let heading = ''
  let columns: readonly string[] = []
  for (const line of document.split('\n')) {
    if (line.startsWith('#')) heading = line
    const cells = line.startsWith('|') ? cellsOf(line) : []
    if (cells[0] === 'Method') columns = cells
    if (cells[0] !== 'GET' && cells[0] !== 'POST') continue
    found.push(endpointOf(heading, name => cells[columns.indexOf(name)] ?? ''))
  }
  return found
}

function endpointOf(heading: string, cell: (column: string) => string): DocumentedEndpoint {
  const [, host, path] = /^(?:(\{.*\}))?(\/.*)$/.exec(cell('Path')) ?? []
  return {
    section: /^### (\S+)/.exec(heading)?.[1] ?? '',
    host: (host ?? heading).includes('{futures_base_url}') ? 'futures' : 'spot',
    method: cell('Method'),
    path: path ?? '',
    security: securityOf(heading, cell('Security')),
    weight: numberIn(cell('Weight')),
    calls: numberIn(cell('Rate limit')),
  }
}

/** The withdrawals are "signed" without a type; the feeds have none. */
function securityOf(heading: string, cell: string): string {
  const security = cell || (/security (\w+)/.exec(heading)?.[1] ?? 'NONE')
  return security.startsWith('signed') ? 'USER_DATA' : security
}

function numberIn(cell: string): number | undefined {
  const digits = /^\d+/.exec(cell)?.[0]
  return digits === undefined ? undefined : Number(digits)
}

function cellsOf(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim())
}
