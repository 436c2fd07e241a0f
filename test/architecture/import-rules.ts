/** What one room may import. */
export interface Room {
  /** Folder, or file, relative to the root of the project. */
  readonly path: string
  /** Folders, or files without their ending, relative to the root. */
  readonly folders: readonly string[]
  /** Package names, or `any`. */
  readonly packages: readonly string[] | 'any'
  /** Nothing in it may depend on anything but its input. */
  readonly isPure: boolean
}

/** Reads the rooms from the section "Import rules" of ARCHITECTURE.md. */
export function roomsIn(markdown: string): Room[] {
  const section = /## Import rules\n([\s\S]*?)(?=\n## |$)/.exec(markdown)?.[1] ?? ''
  const pure = quoted(/Pure rooms: (.*?)\./s.exec(section)?.[1] ?? '')
  return section
    .split('\n')
    .filter(line => /^\| `/.test(line))
    .map(line => {
      const [, name = '', , imports = ''] = line.split('|')
      return roomOf(name, imports, pure)
    })
}

function roomOf(name: string, imports: string, pure: readonly string[]): Room {
  const path = quoted(name)[0] ?? ''
  const isFolder = (entry: string): boolean => /^(src|backtest|strategies)(\/|$)/.test(entry)
  const entries = quoted(imports)
  return {
    path,
    folders: entries.filter(isFolder),
    packages: imports.includes('any package') ? 'any' : entries.filter(entry => !isFolder(entry)),
    isPure: pure.includes(path),
  }
}

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].flatMap(([, inner]) => (inner === undefined ? [] : [inner]))
}

/** The room a file lives in: the most specific one. */
export function roomOfFile(path: string, rooms: readonly Room[]): Room | undefined {
  return rooms
    .filter(room => isWithin(path, room.path))
    .toSorted((left, right) => right.path.length - left.path.length)[0]
}

/** Whether a file is `folder`, lies in it, or is the file of that name. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path === `${folder}.ts`
}
